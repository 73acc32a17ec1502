import type { Plan } from '#server/api/contract/access.ts'
import type { Database } from '#server/db/prisma.ts'

/** Status filters of the account list, with their SQL conditions. */
const conditions = {
  review: "a.state = 'review' AND a.email_verified_at IS NOT NULL AND a.declined_at IS NULL",
  unconfirmed: "a.state = 'review' AND a.email_verified_at IS NULL",
  refused: "a.state = 'review' AND a.declined_at IS NOT NULL",
  open: "a.state = 'open'",
  blocked: "a.state = 'blocked'",
  debt: 'a.id IN (SELECT e.account_id FROM ledger_entry e JOIN wallet d ON d.account_id = e.account_id WHERE e.balance_after < 0 AND d.balance < 0)',
  asked: 'a.id IN (SELECT x.account_id FROM webhook_account x WHERE x.asked_at IS NOT NULL AND NOT x.is_on)',
} as const

export type Standing = keyof typeof conditions

export const standings = Object.keys(conditions) as [Standing, ...Standing[]]

export type ListedRow = {
  id: string
  public_id: string
  email: string
  role: 'member' | 'admin'
  plan: 'hobby' | 'business' | 'enterprise'
  state: 'review' | 'open' | 'blocked'
  declined_at: Date | null
  email_verified_at: Date | null
  created_at: Date
  balance: string
}

export type ListFilter = {
  readonly standing: Standing | null
  readonly plan: string | null
  /** Email prefix, or `@` and a domain. */
  readonly email: string | null
  /** The last four characters of a key. */
  readonly hint: string | null
  readonly ids: readonly string[] | null
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, (message) => `\\${message}`)

/** Returns open accounts, newest first, after the account `below`. */
export async function readAccounts(
  pool: Database,
  { standing, plan, email, hint, ids }: ListFilter,
  below: string | null,
  limit: number,
): Promise<ListedRow[]> {
  const values: unknown[] = [limit]
  const given = (value: unknown): string => `$${values.push(value)}`
  const wanted = ['a.closed_at IS NULL']
  if (standing !== null) wanted.push(conditions[standing])
  if (plan !== null) wanted.push(`a.plan = ${given(plan)}`)
  if (email?.startsWith('@')) wanted.push(`split_part(a.email, '@', 2) = ${given(email.slice(1))}`)
  else if (email !== null) wanted.push(`a.email LIKE ${given(`${escaped(email)}%`)}`)
  if (hint !== null) wanted.push(`a.id IN (SELECT k.account_id FROM api_key k WHERE k.hint = ${given(hint)})`)
  if (ids !== null) wanted.push(`a.public_id = ANY (${given(ids)})`)
  if (below !== null) wanted.push(`a.id < (SELECT b.id FROM account b WHERE b.public_id = ${given(below)})`)
  const { rows } = await pool.query<ListedRow>(
    `SELECT a.id, a.public_id, a.email, a.role, a.plan, a.state, a.declined_at, a.email_verified_at, a.created_at, w.balance
     FROM (SELECT * FROM account a WHERE ${wanted.join(' AND ')} ORDER BY a.id DESC LIMIT $1) a JOIN wallet w ON w.account_id = a.id ORDER BY a.id DESC`,
    values,
  )
  return rows
}

/**
 * Returns the public ids of accounts with exactly this email, confirmed or not. If there are none, returns those of accounts whose email starts with it.
 */
export async function readByEmail(pool: Database, email: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ public_id: string }>(
    `WITH whole AS (SELECT id, public_id FROM account WHERE email = $1 AND closed_at IS NULL ORDER BY id LIMIT $3)
     SELECT id, public_id FROM whole
     UNION ALL (SELECT id, public_id FROM account WHERE email LIKE $2 AND closed_at IS NULL AND NOT EXISTS (SELECT FROM whole) ORDER BY id LIMIT $3)`,
    [email, `${escaped(email)}%`, limit],
  )
  return rows.map(({ public_id }) => public_id)
}

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
  custom_per_minute: number | null
  custom_per_day: number | null
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

export async function readAdminAccount(pool: Database, accountId: number): Promise<AdminAccountRow | undefined> {
  const { rows } = await pool.query<AdminAccountRow>(
    `SELECT a.public_id, a.email, a.name, a.role, a.plan, a.state, a.approved_at, a.declined_at, a.decline_reason, a.block_reason, a.block_reason_private,
       a.custom_per_minute, a.custom_per_day, a.email_verified_at, a.accepted_licence, a.created_at, a.closed_at, a.password_hash IS NOT NULL AS has_password,
       EXISTS (SELECT FROM second_factor f WHERE f.account_id = a.id AND f.since IS NOT NULL) AS has_second_factor,
       ARRAY(SELECT p.issuer FROM provider_identity p WHERE p.account_id = a.id ORDER BY p.issuer) AS issuers, w.balance, w.month_cap
     FROM account a JOIN wallet w ON w.account_id = a.id WHERE a.id = $1`,
    [accountId],
  )
  return rows[0]
}
