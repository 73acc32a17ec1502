import type { PoolClient } from 'pg'
import type { BillingRoom } from './billing-room.ts'
import { readLeftOpen, writeClosed, writeEnded } from './close-billing.store.ts'
import { putOffTopUp } from './retries.store.ts'

/** Ends what takes money from an account, within the transaction that closes it: automatic top-ups and the saved card. */
export function closeBilling(client: PoolClient, accountId: number): Promise<void> {
  return writeClosed(client, accountId)
}

const atOnce = 20
const leftOpen = 'The payment page of a closed account could not be closed; it is tried again.'
const ranOut =
  'The payment page of a closed account could not be closed before it ended by itself. Administrators are told if somebody paid on it: refund that payment at Stripe.'

/** Closes the payment pages that closed accounts left open at Stripe. Whatever keeps one from being closed, it ends there by itself within a day. */
export async function closeCheckouts({ pool, payments, log }: BillingRoom, signal: AbortSignal): Promise<void> {
  if (!payments) return
  for (const { id, topUp, session, attempts, isOver } of await readLeftOpen(pool, payments.mode, atOnce)) {
    if (signal.aborted) return
    try {
      if (session !== null && !isOver) await payments.closeCheckout({ topUp, session })
      await writeEnded(pool, id)
      if (isOver && attempts > 0) log.error({ topUp }, ranOut)
    } catch (error) {
      log.warn({ err: error, topUp }, leftOpen)
      await putOffTopUp(pool, topUp)
    }
  }
}
