import type { PoolClient } from 'pg'
import type { BillingRoom } from './billing-room.ts'
import { readLeftOpen, writeClosed, writeEnded } from './close-billing.store.ts'

/** Ends what takes money from an account, within the transaction that closes it: automatic top-ups and the saved card. */
export function closeBilling(client: PoolClient, accountId: number): Promise<void> {
  return writeClosed(client, accountId)
}

const atOnce = 20

/** Closes the payment pages that closed accounts left open at Stripe. */
export async function closeCheckouts({ pool, payments, log }: BillingRoom, signal: AbortSignal): Promise<void> {
  if (!payments) return
  for (const { id, topUp, session } of await readLeftOpen(pool, payments.mode, atOnce)) {
    if (signal.aborted) return
    try {
      if (session !== null) await payments.closeCheckout({ topUp, session })
      await writeEnded(pool, id)
    } catch (error) {
      log.warn({ err: error, topUp }, 'The payment page of a closed account could not be closed; it is tried again.')
    }
  }
}
