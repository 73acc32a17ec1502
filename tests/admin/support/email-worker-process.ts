/**
 * Worker in a separate process that queues and sends bulk emails. Tests kill it at arbitrary times.
 *
 * node email-worker-process.ts '{"databaseUrl", "smtpUrl"}'
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { smtpTransport } from '#server/email/transport.ts'
import { makeMailsJob, sendEmailJobs } from '#server/jobs/send-email.job.ts'
import { createLog } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { openTestPool } from '../../support/test-pool.ts'

const { databaseUrl, smtpUrl } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string; smtpUrl: string }
const pool = openTestPool({ connectionString: databaseUrl, max: 8, application_name: 'mail-worker' })
const transport = smtpTransport(smtpUrl, 'Savings Rates API <no-reply@example.test>')
const sending = { pool, transport, writers: emailTemplates({ pool }), publicUrl: 'https://api.example.test', log: createLog('error') }
const jobs = [makeMailsJob, ...sendEmailJobs(sending)]
const never = new AbortController().signal

const again = async ({ run }: (typeof jobs)[number]) => {
  for (;;) {
    await run(pool, never)
    await sleep(20)
  }
}

await Promise.all(jobs.map(again))
