import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import type { PaymentMode } from './billing-deps.ts'
import { type ChangeSource, type DisputeChange, type PaymentChange, type RefundChange, RefusedChangeError } from './payment-change.ts'
import { isDue, maxAttempts } from './retries.store.ts'

export type TopUpState = 'open' | 'pending' | 'paid' | 'failed' | 'expired'

/** Row of top_up: bigint columns as text, times as Date. */
export type TopUpRow = {
  id: string
  public_id: string
  account_id: string
  origin: 'checkout' | 'auto'
  mode: PaymentMode
  amount_pence: string
  credits: string
  vat_basis_points: number | null
  vat_pence: string
  saves_card: boolean
  state: TopUpState
  failure: string | null
  checkout_session_id: string | null
  checkout_url: string | null
  payment_intent_id: string | null
  created_at: Date
  expires_at: Date | null
  paid_at: Date | null
  refunded_credits: string
  disputed_credits: string
}

const columns = `id, public_id, account_id, origin, mode, amount_pence, credits, vat_basis_points, vat_pence, saves_card, state, failure,
  checkout_session_id, checkout_url, payment_intent_id, created_at, expires_at, paid_at, refunded_credits, disputed_credits`

export type Buyer = {
  public_id: string
  email: string
  state: string
  is_verified: boolean
  is_closed: boolean
  customer_id: string | null
  /** True if the customer's email address at Stripe is outdated and every attempt to update it has failed. */
  is_untold: boolean
}

const buyerSql = `SELECT a.public_id, a.email, a.state, a.email_verified_at IS NOT NULL AS is_verified, a.closed_at IS NOT NULL AS is_closed, c.customer_id,
    coalesce(c.is_stale AND c.attempts >= ${maxAttempts}, false) AS is_untold
  FROM account a LEFT JOIN payment_customer c ON c.account_id = a.id AND c.mode = $2 WHERE a.id = $1`

export async function readBuyer(db: Db, accountId: number, mode: PaymentMode): Promise<Buyer | undefined> {
  return (await db.query<Buyer>(buyerSql, [accountId, mode])).rows[0]
}

/** Locks and returns the buyer, so that purchases of one account start one after another. The lock allows ledger entries to reference the account. */
export async function lockBuyer(client: Transaction, accountId: number, mode: PaymentMode): Promise<Buyer | undefined> {
  return (await client.query<Buyer>(`${buyerSql} FOR NO KEY UPDATE OF a`, [accountId, mode])).rows[0]
}

/** Returns the purchase with this key. */
export async function findPurchase(db: Db, accountId: number, purchaseKey: string): Promise<TopUpRow | undefined> {
  const { rows } = await db.query<TopUpRow>(`SELECT ${columns} FROM top_up WHERE account_id = $1 AND purchase_key = $2`, [accountId, purchaseKey])
  return rows[0]
}

/** Expires checkouts whose time has run out or whose page was never created. If an expired checkout was paid after all, the event reopens it. */
export async function closeOverdue(db: Db, accountId: number): Promise<void> {
  await db.query(
    `UPDATE top_up SET state = 'expired' WHERE account_id = $1 AND state = 'open' AND origin = 'checkout'
       AND (expires_at < now() OR checkout_url IS NULL AND created_at < now() - interval '15 minutes')`,
    [accountId],
  )
}

/** Returns the open checkout for the same purchase, and the number of open checkouts. */
export async function findOpen(db: Db, accountId: number, like: { mode: PaymentMode; amountPence: number; savesCard: boolean }) {
  const { rows } = await db.query<TopUpRow & { is_same: boolean }>(
    `SELECT ${columns}, mode = $2 AND amount_pence = $3 AND saves_card = $4 AS is_same
     FROM top_up WHERE account_id = $1 AND state = 'open' AND origin = 'checkout' LIMIT 100`,
    [accountId, like.mode, like.amountPence, like.savesCard],
  )
  return { same: rows.find((row) => row.is_same), count: rows.length }
}

export type NewTopUp = {
  publicId: string
  accountId: number
  purchaseKey: string
  mode: PaymentMode
  amountPence: number
  credits: number
  vatBasisPoints: number | null
  vatPence: number
  savesCard: boolean
  checkoutSeconds: number
}

export async function insertTopUp(db: Db, row: NewTopUp): Promise<TopUpRow> {
  const { rows } = await db.query<TopUpRow>(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, vat_basis_points, vat_pence, saves_card, expires_at)
     VALUES ($1, $2, $3, 'checkout', $4, $5, $6, $7, $8, $9, date_trunc('second', now()) + make_interval(secs => $10)) RETURNING ${columns}`,
    [
      row.publicId,
      row.accountId,
      row.purchaseKey,
      row.mode,
      row.amountPence,
      row.credits,
      row.vatBasisPoints,
      row.vatPence,
      row.savesCard,
      row.checkoutSeconds,
    ],
  )
  const [inserted] = rows
  if (!inserted) throw new Error('INSERT INTO top_up returned no row.')
  return inserted
}

/** Saves the checkout of a top-up. Concurrent requests save the same one, because Stripe creates it only once. */
export async function saveCheckout(db: Db, id: string, session: string, url: string): Promise<void> {
  await db.query('UPDATE top_up SET checkout_session_id = coalesce(checkout_session_id, $2), checkout_url = $3 WHERE id = $1', [id, session, url])
}

/** Returns a top-up of the account. */
export async function findTopUp(db: Db, accountId: number, publicId: string): Promise<TopUpRow | undefined> {
  const { rows } = await db.query<TopUpRow>(`SELECT ${columns} FROM top_up WHERE account_id = $1 AND public_id = $2`, [accountId, publicId])
  return rows[0]
}

/** Returns a top-up of any account, for the simulated checkout page. Like Stripe's page, it is accessible to anyone who has its URL. */
export async function findAnyTopUp(db: Db, publicId: string): Promise<TopUpRow | undefined> {
  const { rows } = await db.query<TopUpRow>(`SELECT ${columns} FROM top_up WHERE public_id = $1`, [publicId])
  return rows[0]
}

/** Returns a page of the account's top-ups, newest first, leaving out those never paid. */
export async function readTopUps(db: Db, accountId: number, before: string | null, limit: number): Promise<TopUpRow[]> {
  const { rows } = await db.query<TopUpRow>(
    `SELECT ${columns} FROM top_up WHERE account_id = $1 AND state IN ('pending', 'paid', 'failed') AND ($2::bigint IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [accountId, before, limit],
  )
  return rows
}

type Applied = 'applied' | 'duplicate' | 'unknown'

const refusedState = 'SVC01'

const isRefusedChange = (error: unknown): error is Error => error instanceof Error && 'code' in error && error.code === refusedState

const toSourceValues = ({ event, isLive, at }: ChangeSource): unknown[] => [event?.id ?? null, event?.type ?? null, isLive, at]

/** Builds the parameters of `apply_payment`, with null for missing details. */
function toValues(source: ChangeSource, change: PaymentChange): unknown[] {
  const { topUp = null, session = null, intent = null, outcome = null, amountPence = null, failure = null, refundedPence = null } = change
  const dispute: Partial<DisputeChange> = change.dispute ?? {}
  const { id = null, amountPence: disputed = null, status = null, isTaken = null, stage = null } = dispute
  return [...toSourceValues(source), topUp, session, intent, outcome, amountPence, failure, refundedPence, id, disputed, status, isTaken, stage]
}

const paymentQuery = (source: ChangeSource, change: PaymentChange) => ({
  name: 'apply-payment',
  text: 'SELECT apply_payment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS applied',
  values: toValues(source, change),
})

const refundQuery = (source: ChangeSource, { intent }: PaymentChange, { id, amountPence, status, isGone, stage }: RefundChange) => ({
  name: 'apply-refund',
  text: 'SELECT apply_refund($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS applied',
  values: [...toSourceValues(source), intent, id, amountPence, status, isGone, stage],
})

/**
 * Applies payment details: writes the event, the purchase, the balance, the ledger entry and the notice in one statement. Returns `unknown` if the payment
 * belongs to no known purchase yet.
 * @throws RefusedChangeError if the details contradict the purchase; nothing is changed
 */
export async function applyPaymentChange(pool: Database, source: ChangeSource, change: PaymentChange): Promise<Applied> {
  try {
    const { rows } = await pool.query<{ applied: Applied }>(change.refund ? refundQuery(source, change, change.refund) : paymentQuery(source, change))
    return rows[0]?.applied ?? 'unknown'
  } catch (error) {
    if (isRefusedChange(error)) throw new RefusedChangeError(error.message)
    throw error
  }
}

export async function writeClosed(client: Transaction, accountId: number): Promise<void> {
  await client.query('SELECT close_billing($1)', [accountId])
}

type LeftOpen = { id: string; topUp: string; session: string | null; attempts: number; isOver: boolean }

/**
 * Returns checkouts that closed accounts left open and that should be closed now. A checkout whose page is still being created is returned once the page
 * exists, or after 15 minutes. `isOver` is true if the checkout has already expired at Stripe.
 */
export async function readLeftOpen(pool: Database, mode: PaymentMode, limit: number): Promise<LeftOpen[]> {
  const { rows } = await pool.query<LeftOpen>(
    `SELECT t.id, t.public_id AS "topUp", t.checkout_session_id AS session, t.attempts, coalesce(t.expires_at, t.created_at + interval '1 day') < now() AS "isOver"
     FROM top_up t JOIN account a ON a.id = t.account_id AND a.closed_at IS NOT NULL
     WHERE t.state = 'open' AND t.origin = 'checkout' AND t.mode = $1
       AND (t.checkout_session_id IS NOT NULL OR t.created_at < now() - interval '15 minutes') AND ${isDue('t')}
     ORDER BY t.not_before NULLS FIRST, t.id LIMIT $2`,
    [mode, limit],
  )
  return rows
}

/** Marks a checkout as expired. If it was paid after all, the event reopens it. */
export async function writeEnded(pool: Database, id: string): Promise<void> {
  await pool.query("UPDATE top_up SET state = 'expired' WHERE id = $1 AND state = 'open'", [id])
}
