import type { Pool } from 'pg'
import { emailTemplates } from '#server/auth/auth-emails.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { type MailTransport, outboxTransport, smtpTransport } from '#server/email/transport.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { EventSource } from '#server/webhooks/fan-out.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import { addUpUsageJob } from './add-up-usage.job.ts'
import { billingJobs } from './billing-jobs.ts'
import { expiredViewsJob } from './expired-views.job.ts'
import type { Job } from './job.ts'
import { logJobs } from './keep-log.job.ts'
import { marketJobs } from './market-jobs.ts'
import { readServiceJob } from './read-service.job.ts'
import { makeMailsJob, sendEmailJobs } from './send-email.job.ts'
import { tidyJob } from './tidy.job.ts'
import { webhookJobs } from './webhook-jobs.ts'

/** Creates the email transport of this process. Null if none is available; emails then wait in the database. */
function createTransport(env: Env, pool: Pool): MailTransport | null {
  if (env.smtp) return smtpTransport(env.smtp.url, env.smtp.from)
  return env.developmentFeatures ? outboxTransport(pool) : null
}

/** Dependencies of the jobs, except the database. */
export type WorkerDeps = { readonly billing: BillingDeps; readonly webhooks: WebhookDeps; readonly events: EventSource }

/** Jobs of the worker role. */
export function workerJobs(env: Env, { billing, webhooks, events }: WorkerDeps, pool: Pool, log: Log): { jobs: Job[]; close: () => void } {
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
