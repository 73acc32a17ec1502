import { getLimits } from '#server/api/contract/access.ts'
import { errorCodes, errors } from '#server/api/contract/errors.ts'
import type { Database } from '#server/db/prisma.ts'
import { publicRequestId } from '#server/ids.ts'
import { type CallRow, readBalanceAndPace, readFirstCall, readLastRequest } from './requests.sql.ts'
import type { Operations } from './usage-report.ts'

/**
 * Returns the account overview. The balance, `callsToday` and `callsPerDay` are exact; all other figures are complete up to `asOf`, a few seconds ago.
 * @throws if the account has no wallet, which can't happen for a signed-in account
 */
export async function getOverview(pool: Database, accountId: number) {
  const row = await readBalanceAndPace(pool, accountId)
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const balanceCredits = Number(row.balance)
  const [recent, creditsToday] = [Number(row.credits_lately) / Number(row.days), Number(row.credits_today)]
  const perDay = recent === 0 ? creditsToday : recent
  return {
    balanceCredits,
    requestsToday: Number(row.requests_today),
    creditsToday,
    /** Number of live calls today that count towards the daily limit, which is `callsPerDay`. */
    callsToday: row.day_used,
    callsPerDay: getLimits(row.plan, { perMinute: null, perDay: row.custom_per_day }).perDay,
    /**
     * Days until the balance runs out at the average daily spend of the last two weeks, or at today's spend if nothing was spent before today; null if nothing
     * was spent at all.
     */
    daysLeft: perDay === 0 ? null : Math.max(0, Math.floor(balanceCredits / perDay)),
    /** True if `daysLeft` is based on today's spend. */
    isPaceOfToday: recent === 0,
    asOf: row.as_of,
  }
}

type Numbered = Pick<Operations[number], 'no' | 'method' | 'path'>

function toCall(row: CallRow | undefined, endpoints: readonly Numbered[]) {
  if (!row) return null
  const endpoint = endpoints.find(({ no }) => no === row.endpoint)
  return {
    id: publicRequestId(row.id),
    at: row.at,
    method: endpoint?.method ?? 'GET',
    path: endpoint?.path ?? 'unknown path',
    status: row.status,
    error: errorCodes.find((code) => errors[code].no === row.error) ?? null,
    credits: row.credits,
    /** Milliseconds from the call's arrival to the admission decision. */
    tookMs: Number(row.duration_ms),
    mode: row.mode,
  }
}

/** Returns the newest request of an account; null if it has made none. */
export async function getLastRequest(pool: Database, accountId: number, endpoints: readonly Numbered[]) {
  return toCall(await readLastRequest(pool, accountId), endpoints)
}

/** Returns the account's first successful call in the displayed period, or its newest call if none has succeeded; null if there are no calls. */
export async function getFirstCall(pool: Database, accountId: number, endpoints: readonly Numbered[]) {
  return toCall(await readFirstCall(pool, accountId), endpoints)
}
