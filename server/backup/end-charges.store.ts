import type { Client } from 'pg'

/**
 * Turns off automatic top-ups, notifying their owners, and removes saved cards. Charges made since the backup are missing from the restored data, so a spending
 * limit could be exceeded, or a card charged that its owner has removed. Returns the number of automatic top-ups turned off.
 */
export async function endCharges(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `WITH off AS (UPDATE auto_top_up SET is_on = false, off_reason = 'The service was restored from a backup.' WHERE is_on RETURNING account_id),
       forgotten AS (UPDATE payment_customer SET payment_method_id = NULL, card_brand = NULL, card_last4 = NULL, card_expires = NULL WHERE payment_method_id IS NOT NULL)
     SELECT tell(account_id, 'auto_top_up.stopped', jsonb_build_object('cause', 'restore')) FROM off`,
  )
  return rowCount ?? 0
}
