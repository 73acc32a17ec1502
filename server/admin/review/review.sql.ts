/** Finds accounts for review through partial indexes and indexes on expressions (such as an email's domain), which Prisma's conditions don't match. */
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

export type ListFilter = {
  readonly standing: Standing | null
  readonly plan: string | null
  /** Email prefix, or `@` and a domain. */
  readonly email: string | null
  /** The last four characters of a key. */
  readonly hint: string | null
  readonly ids: readonly string[] | null
}

/** Escapes the wildcards of LIKE, which Prisma's conditions don't. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)

/** Returns the ids of open accounts, newest first, after the account `below`. */
export async function findAccountIds(db: Database, { standing, plan, email, hint, ids }: ListFilter, below: string | null, limit: number): Promise<number[]> {
  const values: unknown[] = [limit]
  const given = (value: unknown): string => `$${values.push(value)}`
  const wanted = ['a.closed_at IS NULL']
  if (standing !== null) wanted.push(conditions[standing])
  if (plan !== null) wanted.push(`a.plan = ${given(plan)}`)
  if (email?.startsWith('@')) wanted.push(`split_part(a.email, '@', 2) = ${given(email.slice(1))}`)
  else if (email !== null) wanted.push(`a.email LIKE ${given(`${escapeLike(email)}%`)}`)
  if (hint !== null) wanted.push(`a.id IN (SELECT k.account_id FROM api_key k WHERE k.hint = ${given(hint)})`)
  if (ids !== null) wanted.push(`a.public_id = ANY (${given(ids)})`)
  if (below !== null) wanted.push(`a.id < (SELECT b.id FROM account b WHERE b.public_id = ${given(below)})`)
  const { rows } = await db.query<{ id: number }>(`SELECT a.id FROM account a WHERE ${wanted.join(' AND ')} ORDER BY a.id DESC LIMIT $1`, values)
  return rows.map(({ id }) => id)
}

/** Account awaiting live access, with the evidence for the decision. */
export type Candidate = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** Intended use, as entered by the customer. */
  readonly purpose: string
  readonly signedUpAt: Date
  /** Time at which the email was confirmed and the wait for a review began. */
  readonly confirmedAt: Date
  readonly hasPassword: boolean
  /** Issuer URLs of the connected identity providers. */
  readonly issuers: readonly string[]
  readonly domain: string
  /** Number of other accounts with the same email domain. Counting stops at a limit. */
  readonly sameDomain: number
  /** IP address of the sign-up. */
  readonly address: string | null
  /** Number of other accounts with the same sign-up IP address. Counting stops at a limit. */
  readonly sameAddress: number
  /** Number of test-key calls counted by the usage roll-up so far. `testedAt` is the time of the latest. */
  readonly testCalls: number
  readonly testedAt: Date | null
}

/** Account that may belong to the same people as a candidate. */
export type Similar = {
  readonly id: string
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly signedUpAt: Date
  readonly hasSameAddress: boolean
  readonly hasSameDomain: boolean
}

/** Number of open items of one kind, and the time of the oldest. */
type Waiting = { readonly count: number; readonly oldest: Date | null }

/** Accounts awaiting review: email confirmed, neither approved nor declined. Must match the predicate of the index account_review_idx. */
const waits = "a.state = 'review' AND a.email_verified_at IS NOT NULL AND a.declined_at IS NULL AND a.closed_at IS NULL"

/** Columns of a candidate. Counting of similar accounts stops at `$1`, so that large domains stay cheap. */
const columns = `a.public_id AS id, a.email, a.name, a.purpose, a.created_at AS "signedUpAt", a.email_verified_at AS "confirmedAt",
  a.password_hash IS NOT NULL AS "hasPassword", ARRAY(SELECT p.issuer FROM provider_identity p WHERE p.account_id = a.id ORDER BY p.issuer) AS issuers, split_part(a.email, '@', 2) AS domain,
  (SELECT count(*) FROM (SELECT FROM account o WHERE split_part(o.email, '@', 2) = split_part(a.email, '@', 2) AND o.closed_at IS NULL AND o.id <> a.id LIMIT $1) n)::int AS "sameDomain",
  s.address,
  (SELECT count(*) FROM (SELECT FROM audit_entry e WHERE e.action = 'sign-up' AND e.address = s.address AND e.account_id <> a.id LIMIT $1) n)::int AS "sameAddress",
  (SELECT coalesce(sum(u.requests), 0) FROM usage_day u JOIN api_key k ON k.id = u.key_id WHERE u.account_id = a.id AND k.mode = 'test')::int AS "testCalls",
  (SELECT max(u.at) FROM api_key k JOIN key_use u ON u.key_id = k.id WHERE k.account_id = a.id AND k.mode = 'test') AS "testedAt"`

const from = `account a LEFT JOIN LATERAL (
  SELECT e.address FROM audit_entry e WHERE e.account_id = a.id AND e.action = 'sign-up' ORDER BY e.id LIMIT 1) s ON true`

type Limits = { readonly counted: number; readonly rows: number }

/** Returns accounts awaiting review, longest wait first, after the account `after`. */
export async function findCandidates(db: Database, after: string | null, limits: Limits): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    `SELECT ${columns} FROM ${from}
     WHERE ${waits} AND ($2::text IS NULL OR (a.email_verified_at, a.id) > (SELECT b.email_verified_at, b.id FROM account b WHERE b.public_id = $2))
     ORDER BY a.email_verified_at, a.id LIMIT $3`,
    [limits.counted, after, limits.rows],
  )
  return rows
}

export async function findCandidateById(db: Database, accountId: number, maxCounted: number): Promise<Candidate | undefined> {
  const { rows } = await db.query<Candidate>(`SELECT ${columns} FROM ${from} WHERE ${waits} AND a.id = $2`, [maxCounted, accountId])
  return rows[0]
}

/** Returns the newest accounts that signed up from the same IP address and the newest with the same email domain. */
export async function findSimilar(db: Database, accountId: number, maxOfEach: number): Promise<Similar[]> {
  const { rows } = await db.query<Similar>(
    `WITH a AS (SELECT id, split_part(email, '@', 2) AS domain FROM account WHERE id = $1),
     s AS (SELECT e.address FROM audit_entry e WHERE e.account_id = $1 AND e.action = 'sign-up' ORDER BY e.id LIMIT 1),
     by_address AS (
       SELECT e.account_id AS id FROM audit_entry e, s WHERE e.action = 'sign-up' AND e.address = s.address AND e.account_id <> $1
       ORDER BY e.account_id DESC LIMIT $2),
     by_domain AS (
       SELECT o.id FROM account o, a WHERE split_part(o.email, '@', 2) = a.domain AND o.closed_at IS NULL AND o.id <> $1 ORDER BY o.id DESC LIMIT $2)
     SELECT o.public_id AS id, o.email, o.state, o.declined_at IS NOT NULL AS "isDeclined", o.created_at AS "signedUpAt",
       o.id IN (SELECT id FROM by_address) AS "hasSameAddress", o.id IN (SELECT id FROM by_domain) AS "hasSameDomain"
     FROM account o WHERE o.id IN (SELECT id FROM by_address UNION SELECT id FROM by_domain) ORDER BY o.id DESC`,
    [accountId, maxOfEach],
  )
  return rows
}

/** Maximum number of open items shown exactly. Counting stops one above it. */
const maxWaiting = 1_000

async function count(db: Database, sinceSql: string): Promise<Waiting> {
  const { rows } = await db.query<Waiting>(`SELECT count(*)::int AS count, min(since) AS oldest FROM (${sinceSql} LIMIT $1) w`, [maxWaiting + 1])
  return rows[0] ?? { count: 0, oldest: null }
}

/** Counts accounts awaiting review, and returns the start of the longest wait. */
export const countWaiting = (db: Database): Promise<Waiting> =>
  count(db, `SELECT a.email_verified_at AS since FROM account a WHERE ${waits} ORDER BY a.email_verified_at, a.id`)

/** Counts accounts that have requested webhooks and don't have them yet. */
export const countAsked = (db: Database): Promise<Waiting> =>
  count(
    db,
    `SELECT x.asked_at AS since FROM webhook_account x JOIN account a ON a.id = x.account_id
     WHERE x.asked_at IS NOT NULL AND NOT x.is_on AND a.closed_at IS NULL ORDER BY x.asked_at`,
  )

/** Counts accounts with a negative balance, and returns when the first of them went below zero. */
export const countInDebt = (db: Database): Promise<Waiting> =>
  count(
    db,
    `SELECT max(e.at) AS since FROM ledger_entry e JOIN wallet w ON w.account_id = e.account_id JOIN account a ON a.id = e.account_id
     WHERE e.balance_after < 0 AND w.balance < 0 AND a.closed_at IS NULL GROUP BY e.account_id`,
  )
