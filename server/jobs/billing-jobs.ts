import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { checkLedgerDaily, reconcileDaily } from '#server/billing/checks.ts'
import { closeCheckouts } from '#server/billing/close-billing.ts'
import { readSavedCards } from '#server/billing/customer-pages.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { noticeLowBalances } from '#server/billing/low-balance-alerts.ts'
import { type DeliverNotice, deliverNotices, tidyBilling } from '#server/billing/notices.ts'
import { enqueueEmail } from '#server/email/email.ts'
import type { Job } from './job.ts'

/** Enqueues an email to each recipient of a notice, in the transaction that marks the notice as sent. */
const byMail: DeliverNotice = async (client, { recipients, at, ...news }) => {
  for (const recipient of recipients) await enqueueEmail(client, 'billing', recipient, { ...news, at: at.toISOString() })
}

/** Scheduled jobs for payments and the ledger. Each coordinates through the database, so several processes can run it concurrently. */
export function billingJobs(deps: BillingDeps): Job[] {
  return [
    { name: 'billing.auto-top-up', everyMs: 2_000, run: (_pool, signal) => beginAutoTopUps(deps, signal) },
    { name: 'billing.ask-after', everyMs: 60_000, run: (_pool, signal) => resolveAutoTopUps(deps, signal) },
    { name: 'billing.save-cards', everyMs: 5_000, run: (_pool, signal) => readSavedCards(deps, signal) },
    { name: 'billing.close-checkouts', everyMs: 5_000, run: (_pool, signal) => closeCheckouts(deps, signal) },
    { name: 'billing.tell-addresses', everyMs: 10_000, run: (_pool, signal) => updateCustomerEmails(deps, signal) },
    { name: 'billing.low-balance', everyMs: 5_000, run: noticeLowBalances },
    { name: 'billing.notices', everyMs: 2_000, run: (_pool, signal) => deliverNotices(deps, byMail, signal) },
    { name: 'billing.tidy', everyMs: 3_600_000, run: tidyBilling },
    { name: 'billing.check-ledger', everyMs: 600_000, run: () => checkLedgerDaily(deps) },
    { name: 'billing.reconcile', everyMs: 600_000, run: () => reconcileDaily(deps) },
  ]
}
