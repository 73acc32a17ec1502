import type { PoolClient } from 'pg'
import type { BillingDeps } from './billing-deps.ts'
import { postponeTopUp } from './retries.store.ts'
import { readLeftOpen, writeClosed, writeEnded } from './top-ups.store.ts'

/** Ends automatic top-ups and deletes the saved card, within the transaction that closes the account. */
export function closeBilling(client: PoolClient, accountId: number): Promise<void> {
  return writeClosed(client, accountId)
}

const batchSize = 20
const failedToClose = 'Failed to close the payment page of a closed account; retrying.'
const expiredFirst =
  'The payment page of a closed account expired before it could be closed. If someone paid on it, administrators are notified: refund that payment at Stripe.'

/** Expires the Stripe checkouts that closed accounts left open. If this keeps failing, the checkouts expire at Stripe within a day. */
export async function closeCheckouts({ pool, payments, log }: BillingDeps, signal: AbortSignal): Promise<void> {
  if (!payments) return
  for (const { id, topUp, session, attempts, isOver } of await readLeftOpen(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    try {
      if (session !== null && !isOver) await payments.closeCheckout({ topUp, session })
      await writeEnded(pool, id)
      if (isOver && attempts > 0) log.error({ topUp }, expiredFirst)
    } catch (error) {
      log.warn({ err: error, topUp }, failedToClose)
      await postponeTopUp(pool, topUp)
    }
  }
}
