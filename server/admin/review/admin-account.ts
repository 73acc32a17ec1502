import type { Pool } from 'pg'
import type { AdminAccount } from '#server/api/contract/admin-account.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { getLimits } from '#server/api/contract/plans.ts'
import { type AdminAccountRow, readAdminAccount } from './admin-account.store.ts'

const fromDb = (row: AdminAccountRow): AdminAccount => ({
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
  limits: getLimits(row.plan, { perMinute: row.own_per_minute, perDay: row.own_per_day }),
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

/** Returns the account record for the admin pages. @throws RefusedError not_found */
export async function loadAdminAccount(pool: Pool, accountId: number): Promise<AdminAccount> {
  const row = await readAdminAccount(pool, accountId)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'Account not found.'))
  return fromDb(row)
}
