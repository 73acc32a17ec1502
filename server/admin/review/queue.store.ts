import type { Database } from '#server/db/prisma.ts'

/** Accounts awaiting review: email confirmed, neither approved nor declined. Must match the predicate of the index account_review_idx. */
const waits = "a.state = 'review' AND a.email_verified_at IS NOT NULL AND a.declined_at IS NULL AND a.closed_at IS NULL"

export type CandidateRow = {
  public_id: string
  email: string
  name: string
  purpose: string
  created_at: Date
  email_verified_at: Date
  has_password: boolean
  issuers: string[]
  domain: string
  same_domain: string
  address: string | null
  same_address: string
  test_calls: string
  tested_at: Date | null
}

/** Columns of a candidate. Counts of similar accounts stop at the bound `$1`, so that large domains stay cheap. */
const columns = `a.public_id, a.email, a.name, a.purpose, a.created_at, a.email_verified_at, a.password_hash IS NOT NULL AS has_password,
  ARRAY(SELECT p.issuer FROM provider_identity p WHERE p.account_id = a.id ORDER BY p.issuer) AS issuers, split_part(a.email, '@', 2) AS domain,
  (SELECT count(*) FROM (SELECT FROM account o WHERE split_part(o.email, '@', 2) = split_part(a.email, '@', 2) AND o.closed_at IS NULL AND o.id <> a.id LIMIT $1) n)
    AS same_domain,
  s.address,
  (SELECT count(*) FROM (SELECT FROM audit_entry e WHERE e.action = 'sign-up' AND e.address = s.address AND e.account_id <> a.id LIMIT $1) n) AS same_address,
  (SELECT coalesce(sum(u.requests), 0) FROM usage_day u JOIN api_key k ON k.id = u.key_id WHERE u.account_id = a.id AND k.mode = 'test') AS test_calls,
  (SELECT max(u.at) FROM api_key k JOIN key_use u ON u.key_id = k.id WHERE k.account_id = a.id AND k.mode = 'test') AS tested_at`

const from = `account a LEFT JOIN LATERAL (
  SELECT e.address FROM audit_entry e WHERE e.account_id = a.id AND e.action = 'sign-up' ORDER BY e.id LIMIT 1) s ON true`

type Limits = { readonly counted: number; readonly rows: number }

/** Returns accounts awaiting review, longest wait first, after the account `after`. */
export async function readWaiting(pool: Database, after: string | null, limits: Limits): Promise<CandidateRow[]> {
  const { rows } = await pool.query<CandidateRow>(
    `SELECT ${columns} FROM ${from}
     WHERE ${waits} AND ($2::text IS NULL OR (a.email_verified_at, a.id) > (SELECT b.email_verified_at, b.id FROM account b WHERE b.public_id = $2))
     ORDER BY a.email_verified_at, a.id LIMIT $3`,
    [limits.counted, after, limits.rows],
  )
  return rows
}

export async function readCandidate(pool: Database, accountId: number, maxCounted: number): Promise<CandidateRow | undefined> {
  const { rows } = await pool.query<CandidateRow>(`SELECT ${columns} FROM ${from} WHERE ${waits} AND a.id = $2`, [maxCounted, accountId])
  return rows[0]
}

export type SimilarRow = {
  public_id: string
  email: string
  state: 'review' | 'open' | 'blocked'
  declined_at: Date | null
  created_at: Date
  by_address: boolean
  by_domain: boolean
}

/** Returns the newest accounts that signed up from the same IP address and the newest with the same email domain. */
export async function readSimilar(pool: Database, accountId: number, maxOfEach: number): Promise<SimilarRow[]> {
  const { rows } = await pool.query<SimilarRow>(
    `WITH a AS (SELECT id, split_part(email, '@', 2) AS domain FROM account WHERE id = $1),
     s AS (SELECT e.address FROM audit_entry e WHERE e.account_id = $1 AND e.action = 'sign-up' ORDER BY e.id LIMIT 1),
     by_address AS (
       SELECT e.account_id AS id FROM audit_entry e, s WHERE e.action = 'sign-up' AND e.address = s.address AND e.account_id <> $1
       ORDER BY e.account_id DESC LIMIT $2),
     by_domain AS (
       SELECT o.id FROM account o, a WHERE split_part(o.email, '@', 2) = a.domain AND o.closed_at IS NULL AND o.id <> $1 ORDER BY o.id DESC LIMIT $2)
     SELECT o.public_id, o.email, o.state, o.declined_at, o.created_at, o.id IN (SELECT id FROM by_address) AS by_address,
       o.id IN (SELECT id FROM by_domain) AS by_domain
     FROM account o WHERE o.id IN (SELECT id FROM by_address UNION SELECT id FROM by_domain) ORDER BY o.id DESC`,
    [accountId, maxOfEach],
  )
  return rows
}

export type CountRow = { n: string; oldest: Date | null }

/** Counts accounts awaiting review, up to a bound, and returns the start of the longest wait. */
export async function countWaiting(pool: Database, limit: number): Promise<CountRow | undefined> {
  const { rows } = await pool.query<CountRow>(
    `SELECT count(*) AS n, min(since) AS oldest FROM (
       SELECT a.email_verified_at AS since FROM account a WHERE ${waits} ORDER BY a.email_verified_at, a.id LIMIT $1) w`,
    [limit],
  )
  return rows[0]
}

/** Counts accounts that have requested webhooks and don't have them yet. */
export async function countAsked(pool: Database, limit: number): Promise<CountRow | undefined> {
  const { rows } = await pool.query<CountRow>(
    `SELECT count(*) AS n, min(asked_at) AS oldest FROM (
       SELECT x.asked_at FROM webhook_account x JOIN account a ON a.id = x.account_id
       WHERE x.asked_at IS NOT NULL AND NOT x.is_on AND a.closed_at IS NULL ORDER BY x.asked_at LIMIT $1) w`,
    [limit],
  )
  return rows[0]
}

/** Counts accounts with a negative balance and returns when the first of them went below zero. */
export async function countInDebt(pool: Database, limit: number): Promise<CountRow | undefined> {
  const { rows } = await pool.query<CountRow>(
    `SELECT count(*) AS n, min(since) AS oldest FROM (
       SELECT max(e.at) AS since FROM ledger_entry e JOIN wallet w ON w.account_id = e.account_id JOIN account a ON a.id = e.account_id
       WHERE e.balance_after < 0 AND w.balance < 0 AND a.closed_at IS NULL GROUP BY e.account_id LIMIT $1) w`,
    [limit],
  )
  return rows[0]
}
