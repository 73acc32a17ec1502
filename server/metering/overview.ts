import type { Pool } from 'pg'
import { type ErrorCode, errorCodes, errors } from '#server/api/contract/errors.ts'
import { limitsOf } from '#server/api/contract/plans.ts'
import { publicRequestId } from '#server/ids.ts'
import { type CallRow, readFirstCall, readLastRequest, readPace } from './overview.store.ts'

/** How an account stands. The balance is exact; the rest is true as of `asOf`, a few seconds ago. */
export type Overview = {
  readonly balanceCredits: number
  readonly requestsToday: number
  readonly creditsToday: number
  /** Live calls that the limit of the day has counted, and the limit. Exact. */
  readonly callsToday: number
  readonly callsPerDay: number
  /** Days for which the balance lasts at the pace of the last two weeks, or of today where nothing was spent before; null when nothing was spent at all. */
  readonly daysLeft: number | null
  readonly isPaceOfToday: boolean
  readonly asOf: Date
}

/** @throws when the account has no wallet, which cannot happen to one that is signed in */
export async function overviewOf(pool: Pool, accountId: number): Promise<Overview> {
  const row = await readPace(pool, accountId)
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const balanceCredits = Number(row.balance)
  const [lately, creditsToday] = [Number(row.credits_lately) / Number(row.days), Number(row.credits_today)]
  const aDay = lately === 0 ? creditsToday : lately
  return {
    balanceCredits,
    requestsToday: Number(row.requests_today),
    creditsToday,
    callsToday: row.day_used,
    callsPerDay: limitsOf(row.plan, { perMinute: null, perDay: row.own_per_day }).perDay,
    daysLeft: aDay === 0 ? null : Math.max(0, Math.floor(balanceCredits / aDay)),
    isPaceOfToday: lately === 0,
    asOf: row.as_of,
  }
}

type AccountCall = {
  readonly id: string
  readonly at: Date
  readonly method: string
  readonly path: string
  readonly status: number
  readonly error: ErrorCode | null
  readonly credits: number
  /** Milliseconds from arrival to decision. */
  readonly tookMs: number
  readonly mode: 'test' | 'live'
}

/** An endpoint as the request log numbers it. */
type Numbered = { readonly no: number; readonly method: string; readonly path: string }

function callOf(row: CallRow | undefined, endpoints: readonly Numbered[]): AccountCall | null {
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
    tookMs: Number(row.took_ms),
    mode: row.mode,
  }
}

/** The newest request of an account, or null. */
export async function lastRequestOf(pool: Pool, accountId: number, endpoints: readonly Numbered[]): Promise<AccountCall | null> {
  return callOf(await readLastRequest(pool, accountId), endpoints)
}

/** The first call of an account that was answered, or a refused one while there is no other; null: none has come. */
export async function firstCallOf(pool: Pool, accountId: number, endpoints: readonly Numbered[]): Promise<AccountCall | null> {
  return callOf(await readFirstCall(pool, accountId), endpoints)
}
