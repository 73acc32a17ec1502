import type { Pool } from 'pg'
import type { Plan } from '#server/api/contract/plans.ts'

export type AdminAccountRow = {
  public_id: string
  email: string
  name: string
  role: 'member' | 'admin'
  plan: Plan
  state: 'review' | 'open' | 'blocked'
  approved_at: Date | null
  declined_at: Date | null
  decline_reason: string | null
  block_reason: string | null
  block_reason_private: string | null
  own_per_minute: number | null
  own_per_day: number | null
  email_verified_at: Date | null
  accepted_licence: string | null
  created_at: Date
  closed_at: Date | null
  has_password: boolean
  has_second_factor: boolean
  issuers: string[]
  balance: string
  month_cap: string | null
}

export async function readAdminAccount(pool: Pool, accountId: number): Promise<AdminAccountRow | undefined> {
  const { rows } = await pool.query<AdminAccountRow>(
    `SELECT a.public_id, a.email, a.name, a.role, a.plan, a.state, a.approved_at, a.declined_at, a.decline_reason, a.block_reason, a.block_reason_private,
       a.own_per_minute, a.own_per_day, a.email_verified_at, a.accepted_licence, a.created_at, a.closed_at, a.password_hash IS NOT NULL AS has_password,
       EXISTS (SELECT FROM second_factor f WHERE f.account_id = a.id AND f.since IS NOT NULL) AS has_second_factor,
       ARRAY(SELECT p.issuer FROM provider_identity p WHERE p.account_id = a.id ORDER BY p.issuer) AS issuers, w.balance, w.month_cap
     FROM account a JOIN wallet w ON w.account_id = a.id WHERE a.id = $1`,
    [accountId],
  )
  return rows[0]
}
