/** Tests the email queue: its size, recipients who change their email address, and failed logins to the mail server. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { publishChange } from '#server/admin/changelog/changelog.ts'
import { notifyKeyHolders } from '#server/admin/publishing/availability.ts'
import { readEmailQueue, readJobRuns } from '#server/db/queues.sql.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { getMailings, makeMails } from '#server/email/bulk-emails.ts'
import { type OutgoingEmail, smtpTransport } from '#server/email/transport.ts'
import { JobRunner } from '#server/jobs/runner.ts'
import { sendEmailJobs } from '#server/jobs/send-email.job.ts'
import { keyHolders } from '#server/keys/keys.ts'
import { createLog } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { Mailbox } from '../portal/support/mailbox.ts'
import { ownDatabase } from '../support/own-database.ts'
import { makeKeyHolders } from './support/key-holding-accounts.ts'
import { sendDueEmails } from './support/send-due-emails.ts'

const database = ownDatabase()

const sql = (text: string) => database.pool.query(text)
const running = () => new AbortController().signal

test('counts queued emails without scanning sent ones', async () => {
  await sql(`INSERT INTO email (kind, recipient, data, state, done_at) SELECT 'change', 'done@example.test', '{}', 'sent', now() FROM generate_series(1, 20000);
    INSERT INTO email (kind, recipient, data, due_at) VALUES ('change', 'now@example.test', '{}', '2026-11-21T12:00:00Z'), ('change', 'later@example.test', '{}', now() + interval '1 hour');
    WITH m AS (INSERT INTO bulk_email (kind, about, data, last_account_id) VALUES ('change', 'something', '{}', 1) RETURNING id)
      INSERT INTO email (kind, recipient, bulk_email_id, account_id) SELECT 'change', 'many@example.test', id, 1 FROM m;
    ANALYZE email`)
  const { queue, scans } = await inTransaction(database.pool, async (client) => {
    const read = await readEmailQueue(client)
    return { queue: read, scans: (await client.query("SELECT seq_scan::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'email'")).rows }
  })
  expect(queue).toEqual({ waiting: 3, oldest: new Date('2026-11-21T12:00:00Z') })
  expect(scans).toEqual([{ n: 0 }])
  await sql('DELETE FROM email')
})

test('sends a bulk email to the current address of each account', async () => {
  await makeKeyHolders(database.pool, 1, 'moved')
  await publishChange(database.pool, { kind: 'changed', title: 'One has moved', body: 'Text.', endpointIds: [] }, notifyKeyHolders)
  await makeMails(database.pool, keyHolders, running())
  await sql("UPDATE account SET email = 'elsewhere@example.test' WHERE public_id = 'acc_moved1'")
  const recipients: string[] = []
  const transport = { send: async ({ recipient }: OutgoingEmail) => void recipients.push(recipient), close: () => undefined }
  const writers = emailTemplates({ pool: database.pool })
  await sendDueEmails({ pool: database.pool, transport, writers, publicUrl: 'https://api.example.test', log: createLog('silent') }, 'bulk')
  expect(recipients).toEqual(['elsewhere@example.test'])
})

test('retries a bulk email after the SMTP login fails', async () => {
  const { pool } = database
  const mailbox = new Mailbox()
  const transport = smtpTransport((await mailbox.open()).replace('//', '//us:expired@'), 'no-reply@example.test')
  const sending = { pool, transport, writers: emailTemplates({ pool }), publicUrl: 'https://api.example.test', log: createLog('silent') }
  await sql('UPDATE api_key SET revoked_at = now() WHERE revoked_at IS NULL')
  await makeKeyHolders(pool, 12, 'locked')
  const { entry } = await publishChange(pool, { kind: 'changed', title: 'Nobody is let in', body: 'Text.', endpointIds: [] }, notifyKeyHolders)
  const progress = async () => (await getMailings(pool, 'change', [entry.id])).get(entry.id)
  const attempted = async () => (await sql("SELECT FROM email WHERE state = 'waiting' AND attempts > 0 AND recipient LIKE 'locked%'")).rowCount
  const retryNow = () =>
    sql("UPDATE email SET due_at = now() WHERE state = 'waiting'; UPDATE pgboss.job SET start_after = now() WHERE name LIKE 'mail.send%' AND state = 'retry'")
  mailbox.rejects.passwords = true
  const runner = await JobRunner.start(sendEmailJobs(sending), pool, createLog('silent'))
  // Waits for the queue's first run, which would otherwise take the place of an email in the first batch.
  const hasRun = async () => (await readJobRuns(pool)).some(({ name, okAt }) => name === 'mail.send-mailings' && okAt !== null)
  await expect.poll(hasRun, { timeout: 15_000 }).toBe(true)
  await makeMails(pool, keyHolders, running())
  // Each of the four connections attempts one email, and then waits before retrying.
  await expect.poll(attempted, { timeout: 10_000 }).toBe(4)
  await sleep(1_000)
  expect([await progress(), await attempted()]).toEqual([expect.objectContaining({ waiting: 12, failed: 0 }), 4])
  mailbox.rejects.passwords = false
  await expect
    .poll(
      async () => {
        await retryNow()
        return progress()
      },
      { timeout: 20_000 },
    )
    .toMatchObject({ waiting: 0, sent: 12 })
  await runner.stop()
  transport.close()
  await mailbox.close()
})
