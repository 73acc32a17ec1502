import { holdWallet } from '#server/accounts/wallets.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingRoom } from './billing-room.ts'
import { keepCustomer, putOffTelling, readStale, replaceCustomer, writeTold } from './customers.store.ts'
import { NoCustomerError, type Payments } from './payments.ts'

/** An account, and the customer that it is by now; null: none. */
export type Payer = { readonly accountId: number; readonly publicId: string; readonly email: string; readonly customer: string | null }

async function made({ pool }: BillingRoom, payments: Payments, { accountId, publicId, email }: Payer): Promise<string> {
  return keepCustomer(pool, accountId, payments.mode, await payments.makeCustomer({ publicId, email, instead: null }))
}

/** Does something with the customer of an account, which is made when there is none. One that is gone is made anew, once. */
export async function withCustomer<Done>(room: BillingRoom, payments: Payments, payer: Payer, work: (customer: string) => Promise<Done>): Promise<Done> {
  const customer = payer.customer ?? (await made(room, payments, payer))
  try {
    return await work(customer)
  } catch (error) {
    if (!(error instanceof NoCustomerError)) throw error
    room.log.warn({ account: payer.publicId, customer }, 'Stripe no longer has the customer of an account; another one takes its place.')
    const next = await payments.makeCustomer({ publicId: payer.publicId, email: payer.email, instead: customer })
    const counts = await inTransaction(room.pool, async (client) => {
      await holdWallet(client, payer.accountId)
      return replaceCustomer(client, payer.accountId, payments.mode, customer, next)
    })
    return work(counts)
  }
}

const atOnce = 20

const untold = 'The new address of an account could not be told to Stripe; it is tried again.'
const givenUp =
  'The new address of an account could not be told to Stripe for a day; it is told again when it changes or with the next purchase. If Stripe refuses the address, ask the account for another one.'

/** Tells Stripe of accounts that changed their address, so that invoices and receipts go to the one that they have. */
export async function tellAddresses(room: BillingRoom, signal: AbortSignal): Promise<void> {
  const { pool, payments, log } = room
  if (!payments) return
  for (const stale of await readStale(pool, payments.mode, atOnce)) {
    if (signal.aborted) return
    const { account_id: accountId, account: publicId, email, customer } = stale
    try {
      await withCustomer(room, payments, { accountId: Number(accountId), publicId, email, customer }, (current) => payments.updateCustomer(current, email))
      await writeTold(pool, stale)
    } catch (error) {
      const facts = { err: error, account: publicId }
      if (await putOffTelling(pool, stale)) log.error(facts, givenUp)
      else log.warn(facts, untold)
    }
  }
}
