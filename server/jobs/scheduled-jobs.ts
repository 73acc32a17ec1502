import { notifyExpiredViews } from '#server/admin/view-as/view-as.ts'
import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import { alertEmails } from '#server/alerts/alert-emails.ts'
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { forgetAlerts, nextAlertEmailAt, queueAlertEmails } from '#server/alerts/queue-emails.ts'
import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import { checkLedgerDaily, reconcileDaily } from '#server/billing/billing-checks.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { type DeliverNotice, deliverNotices, tidyBilling } from '#server/billing/billing-notices.ts'
import { closeCheckouts } from '#server/billing/close-checkouts.ts'
import { updateCustomerEmails } from '#server/billing/customers.ts'
import { noticeLowBalances } from '#server/billing/low-balance-alerts.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { sendJobs } from '#server/db/queues.sql.ts'
import { type EmailTemplates, enqueueEmail } from '#server/email/email.ts'
import { forgetMails } from '#server/email/send-emails.ts'
import { type MailTransport, outboxTransport, smtpTransport } from '#server/email/transport.ts'
import type { Env } from '#server/env.ts'
import { endLostApprovals } from '#server/keys/application-keys.ts'
import { fetchOrders } from '#server/market/admin/imports.ts'
import { endDueCorrections } from '#server/market/corrections/correct-product.ts'
import { moveSample, nextSampleMove } from '#server/market/sample-week/move-sample.ts'
import { addUpUsage, dropOldLog, maintainLog } from '#server/metering/usage.ts'
import type { Log } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { cleanUpAuth } from '#server/self-service/close-account.ts'
import { forgetOAuth } from '#server/self-service/oauth/oauth-clients.ts'
import { forgetPendingSubscriptions } from '#server/status/subscribers.ts'
import { tidyDeliveries } from '#server/webhooks/deliveries.ts'
import { DeliveryWorker } from '#server/webhooks/delivery-worker.ts'
import { type EventSource, fanOut, fanOutToOwners, nextDeliveryAt, nextResumptionAt, resumeHeld } from '#server/webhooks/fan-out.ts'
import { getReach } from '#server/webhooks/reach.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import { readServiceJob } from './read-service.job.ts'
import { type RefreshMarketOptions, refreshMarketJob, reportFetch } from './refresh-market.job.ts'
import type { Job, QueueJob } from './runner.ts'
import { makeMailsJob, sendEmailJobs } from './send-email.job.ts'
import { type ReadFiles, storeMarketDayJob } from './store-market-day.job.ts'

const now = () => clock.now()

/** Delay before checking again for work that another process is doing. */
const busyPauseMs = 10_000

/** Delivers events, then sends the automatic top-up job, because deliveries are charged. */
async function deliver(deps: WebhookDeps, signal: AbortSignal): Promise<void> {
  await new DeliveryWorker(deps, { reach: getReach(deps.settings), now }).runUntilIdle(signal)
  await sendJobs(deps.pool, ['billing.auto-top-up'])
}

/** Scheduled jobs for webhooks. Each coordinates through the database, so several processes can run it concurrently. */
export function webhookJobs(deps: WebhookDeps, source: EventSource, publicUrl: string): Job[] {
  return [
    { name: 'webhooks.fan-out', everyMinutes: 60, run: (pool, signal) => fanOut(pool, source, { signal }) },
    { name: 'webhooks.tell-owners', everyMinutes: 60, run: (pool, signal) => fanOutToOwners(pool, publicUrl, { signal }) },
    { name: 'webhooks.deliver', everyMinutes: 60, run: (_pool, signal) => deliver(deps, signal), nextAt: nextDeliveryAt },
    { name: 'webhooks.resume', everyMinutes: 60, run: (pool) => resumeHeld(pool), nextAt: nextResumptionAt },
    { name: 'webhooks.tidy', everyMinutes: 10, run: (_pool, signal) => tidyDeliveries(deps, signal) },
  ]
}

/**
 * Returns the time at which to end the next correction. One that is already due is being ended or is waiting for an import to finish, so it is checked again
 * after a pause.
 */
async function nextCorrectionEnd(pool: Database): Promise<Date | null> {
  const where = { endedAt: null, endsAt: { not: null } } as const
  const next = await pool.productCorrection.findFirst({ where, orderBy: { endsAt: 'asc' }, select: { endsAt: true } })
  return next?.endsAt ? new Date(Math.max(next.endsAt.getTime(), now() + busyPauseMs)) : null
}

/** Scheduled jobs for market data: morning imports, refetches requested by administrators, the sample market, and the ending of due corrections. */
function marketJobs(options: RefreshMarketOptions): Job[] {
  const { sources, contact, log } = options
  return [
    refreshMarketJob(options),
    {
      name: 'market.orders',
      everyMinutes: 60,
      run: async (pool, signal) => {
        for (const one of await fetchOrders(pool, sources, { contact, now: () => clock.now(), signal })) reportFetch(log, one)
      },
    },
    // Moves the sample market on by a day at midnight UTC. A process that was down at that time catches up when it starts.
    { name: 'market.move-sample', everyMinutes: 60, run: (pool) => moveSample(pool, { log }), nextAt: nextSampleMove },
    { name: 'market.end-corrections', everyMinutes: 60, run: (pool, signal) => endDueCorrections(pool, clock.now(), signal), nextAt: nextCorrectionEnd },
  ]
}

/** Enqueues an email to each recipient of a notice, in the transaction that marks the notice as sent. */
const byMail: DeliverNotice = async (client, { recipients, at, ...news }) => {
  for (const recipient of recipients) await enqueueEmail(client, 'billing', recipient, { ...news, at: at.toISOString() })
}

async function nextNotice(pool: Database): Promise<Date | null> {
  const next = await pool.billingNotice.findFirst({ where: { sentAt: null }, orderBy: { notBefore: 'asc' }, select: { notBefore: true } })
  return next?.notBefore ?? null
}

/** Selects the next retry. */
const nextRetry = () => ({ where: { notBefore: { gt: new Date(now()) } }, orderBy: { notBefore: 'asc' }, select: { notBefore: true } }) as const

/** Period after a call during which the jobs that follow calls are repeated, and the pause between runs. */
const [recentMs, followUpMs] = [120_000, 5_000]

/**
 * Returns the time of the next run of a job that follows calls, or null if there have been no calls recently. Gateways send these jobs after calls, but a
 * gateway that is killed sends none for its last calls.
 */
async function afterRecentCalls(pool: Database): Promise<Date | null> {
  const recent = await pool.serviceTraffic.findFirst({ where: { grain: 'minute', at: { gt: new Date(now() - recentMs) } }, select: { at: true } })
  return recent && new Date(now() + followUpMs)
}

const nextAutoTopUpAt = async (pool: Database) => (await afterRecentCalls(pool)) ?? (await pool.autoTopUp.findFirst(nextRetry()))?.notBefore ?? null
const nextTopUpAt = async (pool: Database) => (await pool.topUp.findFirst(nextRetry()))?.notBefore ?? null
const nextCustomerAt = async (pool: Database) => (await pool.paymentCustomer.findFirst(nextRetry()))?.notBefore ?? null

/** Scheduled jobs for payments and the ledger. Each coordinates through the database, so several processes can run it concurrently. */
export function billingJobs(deps: BillingDeps): Job[] {
  return [
    { name: 'billing.auto-top-up', everyMinutes: 5, run: (_pool, signal) => beginAutoTopUps(deps, signal), nextAt: nextAutoTopUpAt },
    { name: 'billing.ask-after', everyMinutes: 5, run: (_pool, signal) => resolveAutoTopUps(deps, signal) },
    { name: 'billing.save-cards', everyMinutes: 60, run: (_pool, signal) => readSavedCards(deps, signal), nextAt: nextTopUpAt },
    { name: 'billing.close-checkouts', everyMinutes: 60, run: (_pool, signal) => closeCheckouts(deps, signal), nextAt: nextTopUpAt },
    { name: 'billing.tell-addresses', everyMinutes: 60, run: (_pool, signal) => updateCustomerEmails(deps, signal), nextAt: nextCustomerAt },
    { name: 'billing.low-balance', everyMinutes: 5, run: noticeLowBalances, nextAt: afterRecentCalls },
    { name: 'billing.notices', everyMinutes: 60, run: (_pool, signal) => deliverNotices(deps, byMail, signal), nextAt: nextNotice },
    { name: 'billing.tidy', everyMinutes: 60, run: tidyBilling },
    { name: 'billing.check-ledger', everyMinutes: 10, run: () => checkLedgerDaily(deps) },
    { name: 'billing.reconcile', everyMinutes: 10, run: () => reconcileDaily(deps) },
  ]
}

/** Jobs of market alerts. Triggers send them when the market or an alert changes, and when an evaluation stores a notification. */
const alertJobs = (deps: AlertDeps): Job[] => [
  { name: 'alerts.evaluate', everyMinutes: 60, run: (_pool, signal) => evaluateAlerts(deps, signal) },
  { name: 'alerts.email', everyMinutes: 60, run: (_pool, signal) => queueAlertEmails(deps, signal), nextAt: nextAlertEmailAt },
  { name: 'alerts.tidy', everyMinutes: 60, run: forgetAlerts },
]

/** Jobs that maintain the request log. Old partitions are dropped only if REQUEST_LOG_DAYS is set. */
function logJobs(keptDays: number | null): Job[] {
  // Creates partitions ahead of time and deletes idempotency keys after ten minutes.
  const keep: Job = { name: 'log.keep', everyMinutes: 10, run: maintainLog }
  if (keptDays === null) return [keep]
  return [keep, { name: 'log.drop', everyMinutes: 10, run: async (pool, signal) => void (await dropOldLog(pool, keptDays, signal)), maxSeconds: 3_600 }]
}

/** Deletes expired authentication and authorisation data, old emails and unconfirmed subscriptions, and revokes keys whose approvers have lost access. */
async function tidy(pool: Database): Promise<void> {
  await endLostApprovals(pool)
  await cleanUpAuth(pool)
  await forgetOAuth(pool)
  await forgetMails(pool)
  await forgetPendingSubscriptions(pool)
}

/** Creates the email transport of this process. Returns null if none is configured; emails then wait in the database. */
function createTransport(env: Env, pool: Database): MailTransport | null {
  if (env.smtp) return smtpTransport(env.smtp.url, env.smtp.from)
  return env.developmentFeatures ? outboxTransport(pool) : null
}

/** Dependencies of the jobs, except the database. */
export type WorkerDeps = {
  readonly billing: BillingDeps
  readonly webhooks: WebhookDeps
  readonly events: EventSource
  readonly dailyFiles: ReadFiles
  readonly alerts: AlertDeps
}

/** Returns the jobs of the worker role, and a function that closes the email transport. */
export function workerJobs(
  env: Env,
  { billing, webhooks, events, dailyFiles, alerts }: WorkerDeps,
  pool: Database,
  log: Log,
): { jobs: (Job | QueueJob)[]; close: () => void } {
  const transport = createTransport(env, pool)
  if (!transport) log.info('SMTP_URL is not set: emails wait in the database and no one can sign up.')
  const writers: EmailTemplates = { ...emailTemplates({ pool }), ...alertEmails(alerts) }
  const mail = transport ? sendEmailJobs({ pool, transport, writers, publicUrl: env.publicUrl, log }) : []
  const market = marketJobs({ sources: env.marketSources, contact: env.publicUrl, log })
  return {
    jobs: [
      // Adds up usage, within two seconds of a call.
      { name: 'usage.add-up', everyMinutes: 5, run: addUpUsage, nextAt: afterRecentCalls },
      ...logJobs(env.requestLogDays),
      ...market,
      storeMarketDayJob({ read: dailyFiles, sources: env.marketSources, log }),
      { name: 'identity.tidy', everyMinutes: 10, run: tidy },
      readServiceJob(billing.address),
      // Writes an audit entry for view-as sessions that expired without being ended.
      { name: 'viewing.tell-lapsed', everyMinutes: 5, run: (pool) => notifyExpiredViews(pool) },
      makeMailsJob,
      ...billingJobs(billing),
      ...webhookJobs(webhooks, events, env.publicUrl),
      ...alertJobs(alerts),
      ...mail,
    ],
    close: () => transport?.close(),
  }
}
