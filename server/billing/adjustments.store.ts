import type { Database, Transaction } from '#server/db/prisma.ts'

export type NewAdjustment = {
  readonly publicId: string
  readonly formKey: string
  readonly accountId: number
  readonly credits: number
  readonly note: string
  readonly reason: string
  readonly adminId: number
  /** Credits that one administrator may move per account and day without approval. */
  readonly aloneCredits: number
  /** Time limit for deciding a proposal, in seconds. */
  readonly withinSeconds: number
}

/** Reasons for moving no credits: the form was submitted before, the account is closed, or the balance would fall below zero. */
export type AdjustmentFault = 'again' | 'closed' | 'short'

type Moved = { balance_before: string | null; balance_after: string | null }

export type AdjustedRow = Moved & { outcome: 'entered' | 'waiting' | AdjustmentFault; proposal_ends_at: Date | null }

/** Moves credits or records a proposal, with the wallet locked. */
export async function insertAdjustment(client: Transaction, one: NewAdjustment): Promise<AdjustedRow> {
  const { rows } = await client.query<AdjustedRow>('SELECT * FROM adjust_credits($1, $2, $3, $4, $5, $6, $7, $8, make_interval(secs => $9))', [
    one.publicId,
    one.formKey,
    one.accountId,
    one.credits,
    one.note,
    one.reason,
    one.adminId,
    one.aloneCredits,
    one.withinSeconds,
  ])
  return rows[0] as AdjustedRow
}

export type DecidedRow = Moved & {
  outcome: 'entered' | 'declined' | 'unknown' | 'decided' | 'own' | 'self' | 'ended' | 'closed' | 'short'
  account_id_: string | null
  credits_: string | null
}

/** Approves or declines a proposal. Works once, and not for the administrator who proposed it. */
export async function decideAdjustment(client: Transaction, publicId: string, adminId: number, isApproved: boolean, reason: string): Promise<DecidedRow> {
  const { rows } = await client.query<DecidedRow>('SELECT * FROM decide_adjustment($1, $2, $3, $4)', [publicId, adminId, isApproved, reason])
  return rows[0] as DecidedRow
}

export type AdjustmentRow = {
  id: string
  public_id: string
  account: string
  account_email: string
  is_closed: boolean
  balance: string
  credits: string
  note: string
  reason: string
  state: 'waiting' | 'entered' | 'declined'
  is_over: boolean
  proposed_by: string
  proposed_email: string
  proposed_at: Date
  ends_at: Date | null
  decided_by: string | null
  decided_email: string | null
  decided_at: Date | null
  decision_reason: string | null
}

const selected = `SELECT c.id, c.public_id, a.public_id AS account, a.email AS account_email, p.email AS proposed_email, d.email AS decided_email,
    a.closed_at IS NOT NULL AS is_closed, w.balance, c.credits, c.note, c.reason, c.state,
    c.state = 'waiting' AND c.ends_at <= now() AS is_over, p.public_id AS proposed_by, c.proposed_at, c.ends_at, d.public_id AS decided_by, c.decided_at,
    c.decision_reason
  FROM credit_adjustment c JOIN account a ON a.id = c.account_id JOIN wallet w ON w.account_id = c.account_id JOIN account p ON p.id = c.proposed_by
    LEFT JOIN account d ON d.id = c.decided_by`

/** Returns a page of open proposals, after this id. All proposals have the same time limit, so the oldest is the first to expire. */
export async function readWaiting(pool: Database, afterId: string | null, max: number): Promise<AdjustmentRow[]> {
  const { rows } = await pool.query<AdjustmentRow>(
    `${selected} WHERE c.state = 'waiting' AND c.ends_at > now()
       AND ($1::bigint IS NULL OR (c.ends_at, c.id) > ((SELECT o.ends_at FROM credit_adjustment o WHERE o.id = $1), $1)) ORDER BY c.ends_at, c.id LIMIT $2`,
    [afterId, max],
  )
  return rows
}

/** Counts the open proposals, up to `max`, and returns when the oldest was made. */
export async function countWaiting(pool: Database, max: number): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await pool.query<{ count: number; oldest: Date | null }>(
    `SELECT count(*)::int AS count, min(proposed_at) AS oldest
     FROM (SELECT proposed_at FROM credit_adjustment WHERE state = 'waiting' AND ends_at > now() ORDER BY ends_at, id LIMIT $1) c`,
    [max],
  )
  return rows[0] ?? { count: 0, oldest: null }
}

/** Returns the newest adjustments of an account, including proposals. */
export async function readAdjustments(pool: Database, accountId: number, max: number): Promise<AdjustmentRow[]> {
  return (await pool.query<AdjustmentRow>(`${selected} WHERE c.account_id = $1 ORDER BY c.id DESC LIMIT $2`, [accountId, max])).rows
}

export type TermsRow = { email: string; balance: string; is_closed: boolean; moved: string }

/** Returns the account's balance and state, and the credits that this administrator has moved for the account without approval within the last day. */
export async function readTerms(pool: Database, accountId: number, adminId: number): Promise<TermsRow | undefined> {
  const { rows } = await pool.query<TermsRow>(
    `SELECT a.email, w.balance, a.closed_at IS NOT NULL AS is_closed, (SELECT coalesce(sum(abs(c.credits)), 0) FROM credit_adjustment c WHERE c.account_id = a.id
       AND c.proposed_by = $2 AND c.ends_at IS NULL AND c.proposed_at > clock_timestamp() - interval '1 day') AS moved
     FROM account a JOIN wallet w ON w.account_id = a.id WHERE a.id = $1`,
    [accountId, adminId],
  )
  return rows[0]
}
