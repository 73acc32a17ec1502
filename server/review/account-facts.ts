import type { Pool } from 'pg'
import { RefusedError, refuse } from '../contract/errors.ts'
import { type Limits, limitsOf, type Plan } from '../contract/plans.ts'
import { type FactsRow, readFacts } from './account-facts.store.ts'

/** An account as the desk sees it. */
export type AccountFacts = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
  readonly plan: Plan
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly isConfirmed: boolean
  readonly isClosed: boolean
  readonly approvedAt: Date | null
  readonly declinedAt: Date | null
  /** What the account was told as its review ended with a no. */
  readonly declineReason: string | null
  /** What callers are told of a block, and why it was made. */
  readonly blockReason: string | null
  readonly blockReasonPrivate: string | null
  /** The limits in force, and those that it has of its own; null: its plan's. */
  readonly limits: Limits
  readonly ownPerMinute: number | null
  readonly ownPerDay: number | null
  readonly confirmedAt: Date | null
  readonly licence: string | null
  readonly createdAt: Date
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly issuers: readonly string[]
  readonly balanceCredits: number
  /** Most credits in a UTC month; null: no cap. */
  readonly capCredits: number | null
}

const fromDb = (row: FactsRow): AccountFacts => ({
  id: row.public_id,
  email: row.email,
  name: row.name,
  isAdmin: row.role === 'admin',
  plan: row.plan,
  state: row.state,
  isDeclined: row.declined_at !== null,
  isConfirmed: row.email_verified_at !== null,
  isClosed: row.closed_at !== null,
  approvedAt: row.approved_at,
  declinedAt: row.declined_at,
  declineReason: row.decline_reason,
  blockReason: row.block_reason,
  blockReasonPrivate: row.block_reason_private,
  limits: limitsOf(row.plan, { perMinute: row.own_per_minute, perDay: row.own_per_day }),
  ownPerMinute: row.own_per_minute,
  ownPerDay: row.own_per_day,
  confirmedAt: row.email_verified_at,
  licence: row.accepted_licence,
  createdAt: row.created_at,
  hasPassword: row.has_password,
  hasSecondFactor: row.has_second_factor,
  issuers: row.issuers,
  balanceCredits: Number(row.balance),
  capCredits: row.month_cap === null ? null : Number(row.month_cap),
})

/** @throws RefusedError not_found */
export async function accountFacts(pool: Pool, accountId: number): Promise<AccountFacts> {
  const row = await readFacts(pool, accountId)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'There is no such account.'))
  return fromDb(row)
}
