/** Tests that bulk emails reach every recipient once, even if workers are killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishChange } from '#server/admin/changelog/changelog.ts'
import { notifyKeyHolders } from '#server/admin/publishing/availability.ts'
import { getMailings, makeMails } from '#server/email/bulk-emails.ts'
import type { MailSending } from '#server/email/send-emails.ts'
import { type OutgoingEmail, smtpTransport } from '#server/email/transport.ts'
import { keyHolders } from '#server/keys/keys.ts'
import { createLog } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { Mailbox } from '../portal/support/mailbox.ts'
import { ownDatabase } from '../support/own-database.ts'
import { makeKeyHolders } from './support/key-holding-accounts.ts'
import { sendDueEmails } from './support/send-due-emails.ts'

const database = ownDatabase({ max: 12 })
const mailbox = new Mailbox()
let smtpUrl = ''

/** Number of recipients and gap between their account ids, large enough that the worker reads them in several batches. */
const [crowd, apart] = [400, 12]
const program = fileURLToPath(new URL('support/email-worker-process.ts', import.meta.url))
const pollOptions = { timeout: 60_000, interval: 100 } as const
const running = () => new AbortController().signal

beforeAll(async () => {
  smtpUrl = await mailbox.open()
})
afterAll(() => mailbox.close())

const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await database.pool.query<Row>(text, values)).rows
const publish = (title: string) => publishChange(database.pool, { kind: 'changed', title, body: 'Text.', endpointIds: [] }, notifyKeyHolders)
const count = async (where: string) => (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM email WHERE ${where}`))[0]?.n ?? 0

const getProgress = async (entry: string) => (await getMailings(database.pool, 'change', [entry])).get(entry)

/** Current worker; replaced after each kill. */
let worker: ChildProcess | null = null
const output: string[] = []

function startWorker(): void {
  worker = spawn(process.execPath, [program, JSON.stringify({ databaseUrl: database.url, smtpUrl })], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [worker.stdout, worker.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
}

async function kill(): Promise<void> {
  const child = worker
  worker = null
  if (child?.kill('SIGKILL')) await new Promise((resolve) => child.once('exit', resolve))
}
afterAll(kill)

/** Waits until the killed worker's queries have ended, expires its leases and starts another worker. */
async function restartWorker(): Promise<void> {
  await expect.poll(() => sql("SELECT 1 FROM pg_stat_activity WHERE application_name = 'mail-worker'"), pollOptions).toEqual([])
  await sql("UPDATE email SET due_at = now() WHERE state = 'waiting' AND due_at > now()")
  startWorker()
}

/** Kills the worker at the nth event of this kind, before it receives the mail server's reply. */
function killAt(event: 'announced' | 'taken', n: number): Promise<void> {
  let seen = 0
  return new Promise((resolve, reject) => {
    mailbox.meanwhile[event] = async () => {
      if (++seen !== n) return
      await kill().then(resolve, reject)
    }
  })
}

test(`emails ${crowd} accounts once each, even if the worker is killed while queueing or sending`, async () => {
  await makeKeyHolders(database.pool, crowd, 'crowd', apart)
  await sql("UPDATE api_key SET revoked_at = now() WHERE public_id = 'key_acc_crowd7'")
  // Blocks the worker in the middle of the second batch, so that it is killed at that point.
  const blocker = await database.pool.connect()
  await blocker.query('SELECT pg_advisory_lock(1)')
  await sql(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
    CREATE TRIGGER wait_here BEFORE INSERT ON email FOR EACH ROW WHEN (NEW.recipient = 'crowd${crowd - 50}@example.test') EXECUTE FUNCTION wait_here()`)
  const { entry, recipientCount } = await publish('Many recipients')
  expect(recipientCount).toBe(crowd - 1)
  expect(await count('true')).toBe(0)
  const announced = killAt('announced', 50)
  startWorker()
  await expect.poll(() => sql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"), pollOptions).toHaveLength(1)
  const made = await count('true')
  expect([made > 0, made < crowd]).toEqual([true, true])
  // The worker is killed at RCPT TO: no content was sent, so the email is sent later.
  await announced
  await blocker.query('SELECT pg_advisory_unlock(1)')
  blocker.release()
  await sql('DROP TRIGGER wait_here ON email')
  expect((await getProgress(entry.id))?.isMade).toBe(false)

  // The worker is killed after the server accepted an email, but before it received the reply. The email isn't sent again.
  const taken = killAt('taken', 70)
  await restartWorker()
  await taken
  const last = mailbox.received.at(-1)?.to ?? ''
  expect(await sql("SELECT 1 FROM email WHERE recipient = $1 AND state = 'waiting' AND handed_over_at IS NOT NULL", [last])).toHaveLength(1)
  const takenAgain = killAt('taken', 70)
  await restartWorker()
  await takenAgain
  await restartWorker()
  await expect.poll(async () => (await getProgress(entry.id))?.isMade, pollOptions).toBe(true)
  await expect.poll(() => count("state = 'waiting'"), pollOptions).toBe(0)
  await kill()

  const arrived = mailbox.received.map(({ to }) => to)
  expect(arrived.length, 'duplicate emails').toBe(new Set(arrived).size)
  const states = await sql<{ recipient: string; state: string }>('SELECT recipient, state FROM email')
  expect(states).toHaveLength(crowd - 1)
  const those = (state: string) => states.filter((row) => row.state === state).map(({ recipient }) => recipient)
  const [sent, unsure] = [those('sent'), those('unsure')]
  expect(sent.length + unsure.length).toBe(crowd - 1)
  expect(
    sent.filter((one) => !arrived.includes(one)),
    'marked sent but not delivered',
  ).toEqual([])
  // The result is unknown only for emails that were in flight when a worker was killed: at most one per connection, plus the email that triggered the kill.
  expect(unsure.length).toBeLessThanOrEqual(3 * 5)
  expect(unsure).toContain(last)
  expect(await getProgress(entry.id)).toEqual({ isMade: true, waiting: 0, sent: sent.length, failed: 0, unsure: unsure.length })
  expect(output).toEqual([])
}, 120_000)

/** Starts an SMTP server that accepts emails but drops the connection instead of confirming receipt. */
async function silentServer(): Promise<{ url: string; taken: () => number; close: () => Promise<void> }> {
  let taken = 0
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('220 test\r\n')
    // The message content may arrive in any number of chunks.
    let tail = ''
    socket.on('data', (chunk: Buffer) => {
      const said = chunk.toString()
      tail = (tail + said).slice(-5)
      if (tail === '\r\n.\r\n') {
        taken++
        socket.destroy()
      } else if (/^(?:EHLO|MAIL|RCPT)/.test(said)) socket.write('250 ok\r\n')
      else if (said.startsWith('DATA')) socket.write('354 go on\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, taken: () => taken, close }
}

const sendingTo = (url: string): MailSending => {
  const { pool } = database
  const transport = smtpTransport(url, 'Savings Rates Data API <no-reply@example.test>')
  return { pool, transport, writers: emailTemplates({ pool }), publicUrl: 'https://api.example.test', log: createLog('silent') }
}

test('does not resend an email if the SMTP reply is lost, but retries after temporary errors and if the server is unreachable', async () => {
  await sql('UPDATE api_key SET revoked_at = now() WHERE revoked_at IS NULL')
  await makeKeyHolders(database.pool, 3, 'few')
  mailbox.received.length = 0
  const { entry } = await publish('Few recipients')
  await Promise.all([makeMails(database.pool, keyHolders, running()), makeMails(database.pool, keyHolders, running())])
  const of = () => getProgress(entry.id)
  const only = (recipient: string) =>
    sql("UPDATE email SET due_at = now() + CASE WHEN recipient = $1 THEN interval '0' ELSE interval '1 hour' END WHERE state = 'waiting'", [recipient])

  const silent = await silentServer()
  await only('few1@example.test')
  await sendDueEmails(sendingTo(silent.url), 'bulk')
  await silent.close()
  expect([silent.taken(), await of()]).toEqual([1, { isMade: true, waiting: 2, sent: 0, failed: 0, unsure: 1 }])
  mailbox.refusals.push(451)
  await only('few2@example.test')
  await sendDueEmails(sendingTo(smtpUrl), 'bulk')
  await only('few3@example.test')
  await sendDueEmails(sendingTo('smtp://127.0.0.1:9'), 'bulk')
  expect(await of()).toMatchObject({ waiting: 2, unsure: 1 })
  await sql("UPDATE email SET due_at = now() WHERE state = 'waiting'")
  await sendDueEmails(sendingTo(smtpUrl))
  expect(await of()).toEqual({ isMade: true, waiting: 0, sent: 2, failed: 0, unsure: 1 })
  expect(mailbox.received.map(({ to }) => to).toSorted()).toEqual(['few2@example.test', 'few3@example.test'])
  // Each result is counted once, and the counts remain after the messages are deleted. A bulk email isn't finished while messages are pending.
  await sql("UPDATE email SET state = 'waiting' WHERE recipient = 'few2@example.test'")
  await makeMails(database.pool, keyHolders, running())
  expect(await of()).toMatchObject({ waiting: 1, sent: 1 })
  await sql("UPDATE email SET state = 'sent' WHERE recipient = 'few2@example.test'")
  await makeMails(database.pool, keyHolders, running())
  await sql('DELETE FROM email')
  expect(await of()).toEqual({ isMade: true, waiting: 0, sent: 2, failed: 0, unsure: 1 })
})

test('does not send an email whose lease another worker now holds', async () => {
  await sql('UPDATE api_key SET revoked_at = now() WHERE revoked_at IS NULL')
  await makeKeyHolders(database.pool, 1, 'slow')
  const { entry } = await publish('One recipient')
  await makeMails(database.pool, keyHolders, running())
  let messages = 0
  const send = async ({ beforeEnd }: OutgoingEmail) => {
    await beforeEnd?.()
    messages++
  }
  const quick = { send, close: () => undefined }
  // The slow worker's lease expires, and the fast worker takes over and sends the email.
  const slow = {
    send: async (message: OutgoingEmail) => {
      await sql("UPDATE email SET due_at = now() WHERE state = 'waiting'")
      await sendDueEmails({ ...sendingTo(smtpUrl), transport: quick }, 'bulk')
      await quick.send(message)
    },
    close: () => undefined,
  }
  await sendDueEmails({ ...sendingTo(smtpUrl), transport: slow }, 'bulk')
  expect([messages, await getProgress(entry.id)]).toEqual([1, { isMade: true, waiting: 0, sent: 1, failed: 0, unsure: 0 }])
})

test('times out on an SMTP server that sends no greeting', async () => {
  const open = new Set<Socket>()
  const server = createServer((socket) => open.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = smtpTransport(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, 'no-reply@example.test', { greetingTimeout: 100 })
  const message = { recipient: 'x@example.test', messageId: '<x@example.test>', subject: 'x', text: 'x', html: 'x' }
  await expect(transport.send(message)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await expect(transport.send({ ...message, beforeEnd: async () => undefined })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  for (const socket of open) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('drops emails to closed accounts, and allows one bulk email per subject', async () => {
  await sql('UPDATE api_key SET revoked_at = now() WHERE revoked_at IS NULL')
  await makeKeyHolders(database.pool, 1, 'gone')
  const { entry } = await publish('No recipients')
  await makeMails(database.pool, keyHolders, running())
  await sql("UPDATE account SET closed_at = now() WHERE public_id = 'acc_gone1'")
  const transport = { send: () => Promise.reject(new Error('An email was sent to a closed account.')), close: () => undefined }
  await sendDueEmails({ ...sendingTo(smtpUrl), transport }, 'bulk')
  expect(await sql("SELECT state FROM email WHERE recipient = 'gone1@example.test'")).toEqual([{ state: 'dropped' }])
  await expect(sql("INSERT INTO bulk_email (kind, about, data, last_account_id) VALUES ('change', $1, '{}', 0)", [entry.id])).rejects.toThrow(
    'bulk_email_kind_about_key',
  )
})
