import type { Pool, PoolClient } from 'pg'
import type { PaymentMode, SavedCard } from './payments.ts'

type Db = Pool | PoolClient

/** Keeps the customer of an account; returns the one that counts, which is another one when somebody was quicker. */
export async function keepCustomer(db: Db, accountId: number, mode: PaymentMode, customer: string): Promise<string> {
  const { rows } = await db.query<{ customer_id: string }>(
    `INSERT INTO payment_customer AS c (account_id, mode, customer_id) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, mode) DO UPDATE SET customer_id = c.customer_id RETURNING customer_id`,
    [accountId, mode, customer],
  )
  return rows[0]?.customer_id ?? customer
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

/** Paid top-ups whose customer asked to save the card, which has not been read from Stripe yet. */
export async function readCardsToRead(db: Db, mode: PaymentMode, limit: number): Promise<CardToRead[]> {
  const { rows } = await db.query<CardToRead>(
    `SELECT id, account_id, payment_intent_id FROM top_up
     WHERE saves_card AND state = 'paid' AND card_read_at IS NULL AND mode = $1 AND paid_at > now() - interval '7 days' ORDER BY id LIMIT $2`,
    [mode, limit],
  )
  return rows
}

/** Keeps the card of a payment, or that it left none, and that it was looked at. A card of an older payment does not replace one of a newer. */
export async function keepCard(db: Db, topUp: CardToRead, mode: PaymentMode, card: SavedCard | null): Promise<void> {
  await db.query(
    `WITH seen AS (UPDATE top_up SET card_read_at = now() WHERE id = $1 RETURNING id, account_id)
     UPDATE payment_customer c SET payment_method_id = $3, card_brand = $4, card_last4 = $5, card_expires = $6
     FROM seen WHERE c.account_id = seen.account_id AND c.mode = $2 AND $3::text IS NOT NULL
       AND NOT EXISTS (SELECT FROM top_up n WHERE n.account_id = seen.account_id AND n.id > seen.id AND n.card_read_at IS NOT NULL AND n.mode = $2)`,
    [topUp.id, mode, card?.method ?? null, card?.brand ?? null, card?.last4 ?? null, card?.expires ?? null],
  )
}

/** Forgets the saved card, which also ends automatic top-ups. */
export async function forgetCard(db: Db, accountId: number, mode: PaymentMode): Promise<void> {
  await db.query(
    `WITH off AS (UPDATE auto_top_up SET is_on = false, off_reason = 'The saved card was removed.' WHERE account_id = $1 AND is_on)
     UPDATE payment_customer SET payment_method_id = NULL, card_brand = NULL, card_last4 = NULL, card_expires = NULL WHERE account_id = $1 AND mode = $2`,
    [accountId, mode],
  )
}
