import { expect, test } from 'vitest'
import { readEmailQueue } from '#server/db/queues.sql.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { renderContent } from '#server/email/email-content.ts'
import { outboxTransport, smtpTransport } from '#server/email/transport.ts'
import { createLog } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { sendDueEmails } from '../admin/support/send-due-emails.ts'
import { ownDatabase } from '../support/own-database.ts'
import { startProcess } from '../support/service-process.ts'
import { Mailbox } from './support/mailbox.ts'

const database = ownDatabase()
const log = createLog('silent')
const facts = { at: '2026-11-21T09:41:00.000Z', address: '203.0.113.7' }

async function withMailbox(use: (mailbox: Mailbox, url: string) => Promise<void>): Promise<void> {
  const mailbox = new Mailbox()
  const url = await mailbox.open()
  try {
    await use(mailbox, url)
  } finally {
    await mailbox.close()
  }
}

function sending(url: string) {
  const { pool } = database
  return {
    pool,
    transport: smtpTransport(url, 'Savings Rates Data API <no-reply@example.test>'),
    writers: emailTemplates({ pool }),
    publicUrl: 'https://api.example.test',
    log,
  }
}

const states = async (recipient: string) =>
  (
    await database.pool.query<{ state: string; attempts: number; fault: string | null }>('SELECT state, attempts, fault FROM email WHERE recipient = $1', [
      recipient,
    ])
  ).rows

test('an email has the same content in text and HTML, and loads no resources', async () => {
  await withMailbox(async (mailbox, url) => {
    await enqueueEmail(database.pool, 'password-changed', 'plain@example.test', facts)
    await sendDueEmails(sending(url))
    const mail = await mailbox.next('plain@example.test')
    for (const words of ['all other devices were signed out.', '21 November 2026, 09:41 UTC', '203.0.113.7', 'https://api.example.test/reset']) {
      expect(mail.text).toContain(words)
      expect(mail.html).toContain(words)
    }
    expect(mail.html).not.toMatch(/<img|src=|@import|url\(/)
    expect(mail.raw).toContain('Auto-Submitted: auto-generated')
  })
})

test('escapes user input in HTML emails', () => {
  const message = { subject: 'x', parts: [{ kind: 'text', text: '<b onmouseover="x">&' } as const] }
  expect(renderContent(message, 'https://api.example.test').html).toContain('&lt;b onmouseover=&quot;x&quot;&gt;&amp;')
})

test('retries temporary SMTP errors but not permanent ones', async () => {
  await withMailbox(async (mailbox, url) => {
    mailbox.refusals.push(451, 550)
    await enqueueEmail(database.pool, 'password-changed', 'busy@example.test', facts)
    await sendDueEmails(sending(url))
    expect(await states('busy@example.test')).toEqual([{ state: 'waiting', attempts: 1, fault: expect.stringContaining('451') }])
    await enqueueEmail(database.pool, 'password-changed', 'gone@example.test', facts)
    await sendDueEmails(sending(url))
    expect(await states('gone@example.test')).toEqual([{ state: 'failed', attempts: 1, fault: expect.stringContaining('550') }])
    await database.pool.query("UPDATE email SET due_at = now() - interval '1 second' WHERE state = 'waiting'")
    await sendDueEmails(sending(url))
    expect(await states('busy@example.test')).toEqual([expect.objectContaining({ state: 'sent', attempts: 2 })])
    expect(mailbox.received).toHaveLength(1)
  })
})

test('tries an unreachable mail server ten times, and logs a warning from the third attempt', async () => {
  await enqueueEmail(database.pool, 'password-changed', 'away@example.test', facts)
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  for (let turn = 0; turn < 12; turn++) {
    await database.pool.query("UPDATE email SET due_at = now() - interval '1 second' WHERE state = 'waiting'")
    await sendDueEmails({ ...sending('smtp://127.0.0.1:9'), log })
    expect([turn, lines.some((line) => line.includes('the mail server is unreachable'))]).toEqual([turn, turn >= 2])
  }
  expect(await states('away@example.test')).toEqual([{ state: 'failed', attempts: 10, fault: expect.stringMatching(/ECONN|ESOCKET/) }])
})

test('keeps emails queued when the SMTP login or connection is rejected, and logs a warning', async () => {
  await withMailbox(async (mailbox, url) => {
    const lines: string[] = []
    const signedIn = { ...sending(url.replace('//', '//us:expired@')), log: createLog('warn', { write: (line) => void lines.push(line) }) }
    const goneOn = async (recipient: string) => {
      await enqueueEmail(database.pool, 'password-changed', recipient, facts)
      await sendDueEmails(signedIn)
      return (await states(recipient))[0]
    }
    mailbox.rejects.passwords = true
    expect(await goneOn('auth@example.test')).toEqual({ state: 'waiting', attempts: 1, fault: 'EAUTH 535' })
    mailbox.rejects.passwords = false
    mailbox.rejects.connections = true
    expect(await goneOn('shut@example.test')).toEqual({ state: 'waiting', attempts: 1, fault: expect.stringContaining('554') })
    mailbox.rejects.connections = false
    expect(lines.filter((line) => line.includes('Email could not be sent: the mail server is unreachable'))).toHaveLength(2)
    // Both emails will be retried later. The age of the queue is the age of its oldest email, even if that email isn't due yet.
    const since = async () => ((await readEmailQueue(database.pool)).oldest?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()
    await database.pool.query("UPDATE email SET created_at = now() - interval '1 hour' WHERE recipient = 'auth@example.test'")
    expect(await since()).toBeLessThan(-3_500_000)
    await database.pool.query("UPDATE email SET due_at = now() - interval '1 second' WHERE state = 'waiting'")
    await sendDueEmails(signedIn)
    expect(mailbox.received.map(({ to }) => to).toSorted()).toEqual(['auth@example.test', 'shut@example.test'])
    expect((await readEmailQueue(database.pool)).oldest).toBeNull()
  })
})

test('concurrent workers send each email once', async () => {
  await withMailbox(async (mailbox, url) => {
    for (let n = 0; n < 30; n++) await enqueueEmail(database.pool, 'password-changed', `crowd-${n}@example.test`, facts)
    await Promise.all(Array.from({ length: 5 }, () => sendDueEmails(sending(url))))
    expect(mailbox.received.map(({ to }) => to).toSorted()).toEqual(Array.from({ length: 30 }, (_, n) => `crowd-${n}@example.test`).toSorted())
  })
})

test('resends an email with the same Message-ID after the sending process died', async () => {
  await withMailbox(async (mailbox, url) => {
    await enqueueEmail(database.pool, 'password-changed', 'orphan@example.test', facts)
    const ids: string[] = []
    const send = async ({ messageId }: { messageId: string }) => {
      ids.push(messageId)
      await new Promise<never>(() => {})
    }
    const dying = { ...sending(url), transport: { send, close: () => undefined } }
    void sendDueEmails(dying)
    await expect.poll(() => ids.length).toBe(1)
    await sendDueEmails(sending(url))
    expect(mailbox.to('orphan@example.test')).toEqual([])
    await database.pool.query("UPDATE email SET due_at = now() WHERE recipient = 'orphan@example.test'")
    await sendDueEmails(sending(url))
    expect(mailbox.to('orphan@example.test')).toHaveLength(1)
    expect(mailbox.to('orphan@example.test')[0]?.raw).toContain(`Message-ID: ${ids[0]}`)
  })
})

test('stores no tokens in the mail queue', async () => {
  const { pool } = database
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO account (public_id, email, email_verified_at) VALUES ('acc_mail', 'token@example.test', now()) RETURNING id",
  )
  await enqueueEmail(pool, 'reset', 'token@example.test', {})
  await withMailbox(async (mailbox, url) => {
    await sendDueEmails(sending(url))
    const token = /\/reset\/(\S+)/.exec((await mailbox.next('token@example.test')).text)?.[1] ?? ''
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/)
    const dump = await pool.query<{ row: string }>(
      `SELECT row_to_json(m)::text AS row FROM email m UNION ALL SELECT row_to_json(t)::text FROM email_token t WHERE account_id = $1`,
      [rows[0]?.id],
    )
    expect(dump.rows.map(({ row }) => row).join()).not.toContain(token)
  })
})

test('drops old reset and email-change links, but still sends sign-up confirmations', async () => {
  const { pool } = database
  const made = await pool.query<{ id: string }>(
    `INSERT INTO account (public_id, email, email_verified_at) VALUES ('acc_late_reset', 'reset@example.test', now()), ('acc_late', 'late@example.test', NULL) RETURNING id`,
  )
  await enqueueEmail(pool, 'reset', 'reset@example.test', {})
  await enqueueEmail(pool, 'change-email', 'change@example.test', { accountId: Number(made.rows[0]?.id), version: 1 })
  await enqueueEmail(pool, 'sign-up', 'late@example.test', { accountId: Number(made.rows[1]?.id) })
  await pool.query("UPDATE email SET created_at = now() - interval '25 hours' WHERE state = 'waiting'")
  await withMailbox(async (mailbox, url) => {
    await sendDueEmails(sending(url))
    expect(mailbox.received.map(({ to }) => to)).toEqual(['late@example.test'])
    expect((await Promise.all(['reset@example.test', 'change@example.test'].map(states))).flat().map(({ state }) => state)).toEqual(['dropped', 'dropped'])
    await enqueueEmail(pool, 'reset', 'reset@example.test', {})
    await sendDueEmails(sending(url))
    expect(mailbox.to('reset@example.test')).toHaveLength(1)
  })
})

test('stores emails in the database if no mail server is configured', async () => {
  await enqueueEmail(database.pool, 'password-changed', 'outbox@example.test', facts)
  await sendDueEmails({ ...sending('smtp://127.0.0.1:9'), transport: outboxTransport(database.pool) })
  const { rows } = await database.pool.query<{ subject: string }>("SELECT subject FROM email_outbox WHERE recipient = 'outbox@example.test'")
  expect(rows).toEqual([{ subject: 'Your password was changed' }])
})

test("doesn't serve /dev/mail in production", async () => {
  const service = await startProcess({ databaseUrl: database.url, mount: 'next', dataDir: '/tmp', env: { ROLES: 'portal' } })
  try {
    expect((await fetch(`${service.origin}/dev/mail`)).status).toBe(404)
  } finally {
    await service.stop()
  }
}, 60_000)
