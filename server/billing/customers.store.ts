import type { Db } from '#server/db/prisma.ts'
import type { PaymentMode, SavedCard } from './billing-deps.ts'
import { isDue, maxAttempts, nextAttempt } from './retries.store.ts'

/** Saves the Stripe customer of an account. Returns the customer in effect, which is a different one if a concurrent request was faster. */
export async function saveCustomer(db: Db, accountId: number, mode: PaymentMode, customer: string): Promise<string> {
  const { rows } = await db.query<{ customer_id: string }>(
    `INSERT INTO payment_customer AS c (account_id, mode, customer_id) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, mode) DO UPDATE SET customer_id = c.customer_id RETURNING customer_id`,
    [accountId, mode, customer],
  )
  return rows[0]?.customer_id ?? customer
}

/** Replaces a customer deleted at Stripe, along with its card. Of two concurrent replacements the first wins. Returns the customer in effect. */
export async function replaceCustomer(db: Db, accountId: number, mode: PaymentMode, gone: string, customer: string): Promise<string> {
  await db.query(
    `WITH moved AS (
       UPDATE payment_customer SET customer_id = $4, is_stale = false, attempts = 0, not_before = NULL, payment_method_id = NULL,
         card_brand = NULL, card_last4 = NULL, card_expires = NULL
       WHERE account_id = $1 AND mode = $2 AND customer_id = $3 RETURNING account_id)
     UPDATE auto_top_up s SET is_on = false, off_reason = 'The saved card can no longer be used.' FROM moved WHERE s.account_id = moved.account_id AND s.is_on`,
    [accountId, mode, gone, customer],
  )
  return (await findCustomer(db, accountId, mode))?.customer_id ?? customer
}

export type StaleCustomer = { account_id: string; account: string; email: string; customer: string }

/** Returns customers whose email address at Stripe is outdated and due for an update. */
export async function readStale(db: Db, mode: PaymentMode, limit: number): Promise<StaleCustomer[]> {
  const { rows } = await db.query<StaleCustomer>(
    `SELECT c.account_id, a.public_id AS account, a.email, c.customer_id AS customer FROM payment_customer c
       JOIN account a ON a.id = c.account_id AND a.closed_at IS NULL
     WHERE c.is_stale AND c.mode = $1 AND c.attempts < $3 AND ${isDue('c')} ORDER BY c.not_before NULLS FIRST, c.account_id LIMIT $2`,
    [mode, limit, maxAttempts],
  )
  return rows
}

/** Records that Stripe has the current email address, unless it has changed again. */
export async function markEmailUpdated(db: Db, { account_id: accountId, customer, email }: StaleCustomer): Promise<void> {
  await db.query(
    `UPDATE payment_customer c SET is_stale = false, attempts = 0, not_before = NULL FROM account a
     WHERE a.id = $1 AND a.email = $3 AND c.account_id = $1 AND c.customer_id = $2`,
    [accountId, customer, email],
  )
}

/** Postpones an email update. Returns true after the last attempt; the customer stays marked as outdated. */
export async function postponeEmailUpdate(db: Db, { account_id: accountId, customer }: StaleCustomer): Promise<boolean> {
  const { rows } = await db.query<{ is_last: boolean }>(
    `UPDATE payment_customer SET attempts = attempts + 1, not_before = ${nextAttempt} WHERE account_id = $1 AND customer_id = $2 AND is_stale
     RETURNING attempts >= $3 AS is_last`,
    [accountId, customer, maxAttempts],
  )
  return rows[0]?.is_last === true
}

/** Retries an email update after its last attempt failed. */
export async function retryEmailUpdate(db: Db, accountId: number, mode: PaymentMode): Promise<void> {
  await db.query('UPDATE payment_customer SET attempts = 0, not_before = NULL WHERE account_id = $1 AND mode = $2', [accountId, mode])
}

export type CustomerRow = {
  customer_id: string
  payment_method_id: string | null
  card_brand: string | null
  card_last4: string | null
  card_expires: string | null
}

export async function findCustomer(db: Db, accountId: number, mode: PaymentMode): Promise<CustomerRow | undefined> {
  const { rows } = await db.query<CustomerRow>(
    'SELECT customer_id, payment_method_id, card_brand, card_last4, card_expires FROM payment_customer WHERE account_id = $1 AND mode = $2',
    [accountId, mode],
  )
  return rows[0]
}

export type CardToRead = { id: string; account_id: string; payment_intent_id: string }

/** Returns paid top-ups of open accounts whose customer asked to save the card and whose card is due to be read from Stripe. */
export async function readCardsToRead(db: Db, mode: PaymentMode, limit: number): Promise<CardToRead[]> {
  const { rows } = await db.query<CardToRead>(
    `SELECT t.id, t.account_id, t.payment_intent_id FROM top_up t JOIN account a ON a.id = t.account_id AND a.closed_at IS NULL
     WHERE t.saves_card AND t.state = 'paid' AND t.card_read_at IS NULL AND t.mode = $1 AND t.paid_at > now() - interval '7 days' AND ${isDue('t')}
     ORDER BY t.not_before NULLS FIRST, t.id LIMIT $2`,
    [mode, limit],
  )
  return rows
}

/** Saves the card of a payment, if it can be reused, and marks the payment as read. The card of an older payment never replaces that of a newer one. */
export async function saveCard(db: Db, topUp: CardToRead, mode: PaymentMode, card: SavedCard | null): Promise<void> {
  await db.query(
    `WITH seen AS (UPDATE top_up SET card_read_at = now() WHERE id = $1 RETURNING id, account_id)
     UPDATE payment_customer c SET payment_method_id = $3, card_brand = $4, card_last4 = $5, card_expires = $6
     FROM seen WHERE c.account_id = seen.account_id AND c.mode = $2 AND $3::text IS NOT NULL
       AND EXISTS (SELECT FROM account a WHERE a.id = seen.account_id AND a.closed_at IS NULL)
       AND NOT EXISTS (SELECT FROM top_up n WHERE n.account_id = seen.account_id AND n.id > seen.id AND n.card_read_at IS NOT NULL AND n.mode = $2)`,
    [topUp.id, mode, card?.method ?? null, card?.brand ?? null, card?.last4 ?? null, card?.expires ?? null],
  )
}

/** Postpones reading a card. Returns true after the last attempt, after which the payment counts as read and no card is saved. */
export async function postponeCard(db: Db, topUp: CardToRead): Promise<boolean> {
  const { rows } = await db.query<{ is_last: boolean }>(
    `UPDATE top_up SET attempts = attempts + 1, not_before = ${nextAttempt}, card_read_at = CASE WHEN attempts + 1 >= $2 THEN now() END
     WHERE id = $1 AND card_read_at IS NULL RETURNING card_read_at IS NOT NULL AS is_last`,
    [topUp.id, maxAttempts],
  )
  return rows[0]?.is_last === true
}

/** Deletes the saved card, which also turns automatic top-ups off. */
export async function deleteCard(db: Db, accountId: number, mode: PaymentMode): Promise<void> {
  await db.query(
    `WITH off AS (UPDATE auto_top_up SET is_on = false, off_reason = 'The saved card was removed.' WHERE account_id = $1 AND is_on)
     UPDATE payment_customer SET payment_method_id = NULL, card_brand = NULL, card_last4 = NULL, card_expires = NULL WHERE account_id = $1 AND mode = $2`,
    [accountId, mode],
  )
}
