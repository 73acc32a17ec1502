import type { Client } from 'pg'

/**
 * Ends what would take money from saved cards by itself: automatic top-ups, whose owners are told, and the cards. What was charged since the backup is not
 * among the rows, so a ceiling would be passed, and a card would be charged whose owner has removed it since. Returns how many automatic top-ups were on.
 */
export async function endCharges(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `WITH off AS (UPDATE auto_top_up SET is_on = false, off_reason = 'The service was restored from a backup.' WHERE is_on RETURNING account_id),
       forgotten AS (UPDATE payment_customer SET payment_method_id = NULL, card_brand = NULL, card_last4 = NULL, card_expires = NULL WHERE payment_method_id IS NOT NULL)
     SELECT tell(account_id, 'auto_top_up.stopped', jsonb_build_object('cause', 'restore')) FROM off`,
  )
  return rowCount ?? 0
}
