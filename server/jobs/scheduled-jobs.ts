import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import { checkLedgerDaily, reconcileDaily } from '#server/billing/billing-checks.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { type DeliverNotice, deliverNotices, tidyBilling } from '#server/billing/billing-notices.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { noticeLowBalances } from '#server/billing/low-balance-alerts.ts'
import { closeCheckouts, readSavedCards } from '#server/billing/saved-cards.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { type MailTransport, outboxTransport, smtpTransport } from '#server/email/transport.ts'
import type { Env } from '#server/env.ts'
import { fetchOrders } from '#server/market/admin/imports.ts'
import { endDueCorrections } from '#server/market/corrections/correct-product.ts'
import type { Log } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { tidyDeliveries } from '#server/webhooks/deliveries.ts'
import { DeliveryWorker } from '#server/webhooks/delivery-worker.ts'
import { type EventSource, fanOut, fanOutToOwners, resumeHeld } from '#server/webhooks/fan-out.ts'
import { getReach } from '#server/webhooks/reach.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import { addUpUsageJob } from './add-up-usage.job.ts'
import { expiredViewsJob } from './expired-views.job.ts'
import { logJobs } from './keep-log.job.ts'
import { readServiceJob } from './read-service.job.ts'
import { type RefreshMarketOptions, refreshMarketJob, reportFetch } from './refresh-market.job.ts'
import type { Job } from './runner.ts'
import { makeMailsJob, sendEmailJobs } from './send-email.job.ts'
import { tidyJob } from './tidy.job.ts'

const now = () => clock.now()

/** Scheduled jobs for webhooks. Each coordinates through the database, so several processes can run it concurrently. */
export function webhookJobs(deps: WebhookDeps, source: EventSource, publicUrl: string): Job[] {
  const reach = getReach(deps.settings)
  return [
    { name: 'webhooks.fan-out', everyMs: 500, run: (pool, signal) => fanOut(pool, source, { signal }) },
    { name: 'webhooks.tell-owners', everyMs: 500, run: (pool, signal) => fanOutToOwners(pool, publicUrl, { signal }) },
    // Runs as long as the process; restarted only after a failure.
    { name: 'webhooks.deliver', everyMs: 1_000, run: (_pool, signal, succeeded) => new DeliveryWorker(deps, { reach, now }).run(signal, succeeded) },
    { name: 'webhooks.resume', everyMs: 1_000, run: (pool) => resumeHeld(pool) },
    { name: 'webhooks.tidy', everyMs: 600_000, run: (_pool, signal) => tidyDeliveries(deps, signal) },
  ]
}

/** Scheduled jobs for market data: the morning's imports, refetches requested by administrators, and ending corrections that are due. */
function marketJobs(options: RefreshMarketOptions): Job[] {
  const { sources, contact, log } = options
  return [
    refreshMarketJob(options),
    {
      name: 'market.orders',
      everyMs: 1_000,
      run: async (pool, signal) => {
        for (const one of await fetchOrders(pool, sources, { contact, now: () => clock.now(), signal })) reportFetch(log, one)
      },
    },
    { name: 'market.end-corrections', everyMs: 30_000, run: (pool, signal) => endDueCorrections(pool, clock.now(), signal) },
  ]
}

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

/** Creates the email transport of this process. Returns null if none is configured; emails then wait in the database. */
function createTransport(env: Env, pool: Database): MailTransport | null {
  if (env.smtp) return smtpTransport(env.smtp.url, env.smtp.from)
  return env.developmentFeatures ? outboxTransport(pool) : null
}

/** Dependencies of the jobs, except the database. */
export type WorkerDeps = { readonly billing: BillingDeps; readonly webhooks: WebhookDeps; readonly events: EventSource }

/** Returns the jobs of the worker role, and a function that closes the email transport. */
export function workerJobs(env: Env, { billing, webhooks, events }: WorkerDeps, pool: Database, log: Log): { jobs: Job[]; close: () => void } {
  const transport = createTransport(env, pool)
  if (!transport) log.info('SMTP_URL is not set: emails wait in the database and no one can sign up.')
  const mail = transport ? sendEmailJobs({ pool, transport, writers: emailTemplates({ pool }), publicUrl: env.publicUrl, log }) : []
  const market = marketJobs({ sources: env.marketSources, contact: env.publicUrl, log })
  return {
    jobs: [
      addUpUsageJob,
      ...logJobs(env.requestLogDays),
      ...market,
      tidyJob,
      readServiceJob(billing.address),
      expiredViewsJob,
      makeMailsJob,
      ...billingJobs(billing),
      ...webhookJobs(webhooks, events, env.publicUrl),
      ...mail,
    ],
    close: () => transport?.close(),
  }
}
