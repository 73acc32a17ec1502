import { getLimits } from '#server/api/contract/access.ts'
import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { publicRequestId } from '#server/ids.ts'
import type { Operations } from './log-filter.ts'
import { type CallRow, readBalanceAndPace, readFirstCall, readLastRequest } from './requests.sql.ts'

/** Minimum number of full days of usage needed to estimate the days left. */
const minDays = 3

/**
 * Returns the account overview. All figures are exact and agree with each other, except that calls rejected by limits are counted about a second later.
 * @throws if the account has no wallet, which can't happen for a signed-in account
 */
export async function getOverview(db: Database, accountId: number) {
  const asOf = new Date(clock.now())
  // Read before the totals, so that they are complete at least up to then.
  const completeTo = (await db.usageProgress.findFirst({ select: { asOf: true } }))?.asOf ?? new Date(0)
  const row = await readBalanceAndPace(db, accountId, completeTo)
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const [balanceCredits, spent] = [Number(row.balance), Number(row.credits_lately)]
  return {
    balanceCredits,
    requestsToday: Number(row.requests_today),
    creditsToday: Number(row.credits_today),
    /** Number of live calls today that count towards the daily limit, which is `callsPerDay`. */
    callsToday: row.day_used,
    callsPerDay: getLimits(row.plan, { perMinute: null, perDay: row.custom_per_day }).perDay,
    /**
     * Days until the balance runs out at the average daily spend of the days in `paceDays`; null if nothing was spent on those days, or if there are fewer than
     * three.
     */
    daysLeft: spent === 0 || row.days < minDays ? null : Math.max(0, Math.floor((balanceCredits * row.days) / spent)),
    /** Average daily spend, in whole credits, of the days in `paceDays`; null if `daysLeft` is null. */
    creditsPerDay: spent === 0 || row.days < minDays ? null : Math.max(1, Math.round(spent / row.days)),
    /** Full UTC days since the first call, up to 14. */
    paceDays: row.days,
    asOf,
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
