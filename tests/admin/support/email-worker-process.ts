/**
 * Worker in a separate process that queues and sends bulk emails. Tests kill it at arbitrary times.
 *
 * node email-worker-process.ts '{"databaseUrl", "smtpUrl"}'
 */
import { smtpTransport } from '#server/email/transport.ts'
import { JobRunner } from '#server/jobs/runner.ts'
import { makeMailsJob, sendEmailJobs } from '#server/jobs/send-email.job.ts'
import { createLog } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { openTestPool } from '../../support/test-pool.ts'

const { databaseUrl, smtpUrl } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string; smtpUrl: string }
const pool = openTestPool({ connectionString: databaseUrl, max: 8, application_name: 'mail-worker' })
const transport = smtpTransport(smtpUrl, 'Savings Rates Data API <no-reply@example.test>')
const sending = { pool, transport, writers: emailTemplates({ pool }), publicUrl: 'https://api.example.test', log: createLog('error') }
await JobRunner.start([makeMailsJob, ...sendEmailJobs(sending)], pool, createLog('error'))
