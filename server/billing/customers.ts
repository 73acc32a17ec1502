import { holdWallet } from '#server/accounts/accounts.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { NoCustomerError, type Payments } from './billing-deps.ts'
import { markEmailUpdated, postponeEmailUpdate, readStale, replaceCustomer, saveCustomer } from './customers.store.ts'

/** Account with its Stripe customer, or null if it has none yet. */
export type Payer = { readonly accountId: number; readonly publicId: string; readonly email: string; readonly customer: string | null }

async function createCustomer({ pool }: BillingDeps, payments: Payments, { accountId, publicId, email }: Payer): Promise<string> {
  return saveCustomer(pool, accountId, payments.mode, await payments.makeCustomer({ publicId, email, instead: null }))
}

/** Runs `work` with the Stripe customer of an account, creating it if there is none. A customer deleted at Stripe is replaced once. */
export async function withCustomer<Result>(deps: BillingDeps, payments: Payments, payer: Payer, work: (customer: string) => Promise<Result>): Promise<Result> {
  const customer = payer.customer ?? (await createCustomer(deps, payments, payer))
  try {
    return await work(customer)
  } catch (error) {
    if (!(error instanceof NoCustomerError)) throw error
    deps.log.warn({ account: payer.publicId, customer }, 'Stripe no longer has the customer of an account; replacing it.')
    const next = await payments.makeCustomer({ publicId: payer.publicId, email: payer.email, instead: customer })
    const current = await inTransaction(deps.pool, async (client) => {
      await holdWallet(client, payer.accountId)
      return replaceCustomer(client, payer.accountId, payments.mode, customer, next)
    })
    return work(current)
  }
}

const batchSize = 20

const failedToUpdate = 'Failed to update the email address of a Stripe customer; retrying.'
const givenUp =
  'The email address of a Stripe customer was still not updated after a day of retries. The update is retried when the address changes or with the next purchase. If Stripe rejects the address, ask the customer for another one.'

/** Updates the email addresses of Stripe customers whose accounts have changed theirs, so that invoices and receipts reach them. */
export async function updateCustomerEmails(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool, payments, log } = deps
  if (!payments) return
  for (const stale of await readStale(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    const { account_id: accountId, account: publicId, email, customer } = stale
    try {
      await withCustomer(deps, payments, { accountId: Number(accountId), publicId, email, customer }, (current) => payments.updateCustomer(current, email))
      await markEmailUpdated(pool, stale)
    } catch (error) {
      const fields = { err: error, account: publicId }
      if (await postponeEmailUpdate(pool, stale)) log.error(fields, givenUp)
      else log.warn(fields, failedToUpdate)
    }
  }
}
