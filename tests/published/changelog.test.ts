import { expect, test } from 'vitest'
import { publishChange } from '#server/admin/changelog/changelog.ts'
import { changelogFeed } from '#server/api/documents/atom-feed.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import type { Database } from '#server/db/prisma.ts'
import { enqueueBulkEmail } from '#server/email/bulk-emails.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { smtpTransport } from '#server/email/transport.ts'
import { createPartnerKey, revokeKey } from '#server/keys/keys.ts'
import { createLog } from '#server/observability/log.ts'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { sendDueEmails } from '../admin/support/send-due-emails.ts'
import { Mailbox, type ReceivedEmail } from '../portal/support/mailbox.ts'
import { verifies } from '../requirements/verifies.ts'
import { publicUrl } from '../support/service-process.ts'
import { type Fixture, onEachMount } from '../v1/support/fixture.ts'
import { configChanged } from '../v1/support/operator.ts'
import { runCli } from './support/run-cli.ts'

const feed = '/changelog.xml'

/** Publishes an entry with the CLI. */
const publish = async (fixture: Fixture, title: string, ...more: string[]) =>
  JSON.parse(await runCli(fixture.databaseUrl, 'changelog', 'publish', '--kind', 'added', '--title', title, ...more, '--json'))

/** Waits until the worker has enqueued the emails. It cannot send them, because no mail server is configured. */
const mailsAreMade = (pool: Database) =>
  expect.poll(async () => (await pool.query('SELECT FROM bulk_email WHERE done_at IS NULL')).rowCount, { timeout: 15_000 }).toBe(0)

/** Sends pending emails to a test mail server, as the worker would, and returns those received. */
async function deliver({ pool }: Fixture): Promise<ReceivedEmail[]> {
  const mailbox = new Mailbox()
  const transport = smtpTransport(await mailbox.open(), 'Savings Rates Data API <no-reply@example.test>')
  try {
    await mailsAreMade(pool)
    await sendDueEmails({ pool, transport, writers: emailTemplates({ pool }), publicUrl, log: createLog('silent') })
  } finally {
    transport.close()
    await mailbox.close()
  }
  return mailbox.received
}

type Row = { public_id: string; title: string; body: string; kind: string; endpoint_ids: string[]; published_at: Date }

// Announcements are emailed to every account, so this file must not share accounts with other tests.
const alone = { env: {} }

onEachMount((fixture) => {
  const rows = () => fixture.sql<Row>('SELECT * FROM changelog_entry ORDER BY published_at DESC, id DESC')

  test('the entries bundled with a release mention only existing endpoints', async () => {
    const known = allEndpoints.map(({ id }) => id)
    const entries = await rows()
    expect(entries.length).toBeGreaterThanOrEqual(4)
    for (const { public_id, endpoint_ids } of entries) expect([public_id, endpoint_ids.filter((id) => !known.includes(id))]).toEqual([public_id, []])
  })

  if (fixture.mount === 'next') {
    verifies(['published/changelog', 'versioning/changes-in-changelog'], 'the page and the feed show every published entry, newest first', async () => {
      const entries = await rows()
      const atom = await fixture.raw('GET', feed)
      expect([atom.status, atom.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
      const page = await fixture.raw('GET', '/changelog')
      expect(page.status).toBe(200)
      const ids = [...atom.text.matchAll(/<id>https:\/\/api\.example\.test\/changelog#([^<]+)<\/id>/g)].map(([, id]) => id)
      expect(ids).toEqual(entries.map(({ public_id }) => public_id))
      for (const { public_id, title } of entries) {
        expect(page.text).toContain(`id="${public_id}"`)
        expect(page.text).toContain(title)
      }
    })

    test('shows published entries in the feed and on the page, and hides entries with a future date', async () => {
      const insert = `INSERT INTO changelog_entry (public_id, published_at, kind, title, body) VALUES ($1, now() + make_interval(hours => $2), 'changed', $3, $4)`
      await fixture.sql(insert, ['test-now', 0, 'Rates & <bonuses>', 'Text with `code`, "quotes" & <marks>.'])
      await fixture.sql(insert, ['test-later', 1, 'Not yet', 'A draft.'])
      await configChanged(fixture)
      try {
        // Public documents may be up to a second old.
        await expect.poll(async () => (await fixture.raw('GET', feed)).text).toContain('<title>Rates &amp; &lt;bonuses&gt;</title>')
        const [atom, page] = [await fixture.raw('GET', feed), await fixture.raw('GET', '/changelog')]
        expect(atom.text).toContain('Text with `code`, &quot;quotes&quot; &amp; &lt;marks&gt;.')
        expect(page.text).toContain('Rates &amp; &lt;bonuses&gt;')
        for (const { text } of [atom, page]) expect(text).not.toContain('Not yet')
      } finally {
        await fixture.sql(`DELETE FROM changelog_entry WHERE public_id LIKE 'test-%'`)
        await configChanged(fixture)
      }
    })

    verifies(
      'versioning/changes-by-mail',
      'a published entry is on the page and in the feed, and is emailed once to each account with an active key',
      async () => {
        const [owner, tester, partner, ended, expired, closed] = await Promise.all([
          fixture.live(),
          fixture.test(),
          fixture.account(),
          fixture.live(),
          fixture.test(),
          fixture.live(),
          // An account without a key is not notified.
          fixture.account(),
        ])
        await fixture.getKey(owner.account, { mode: 'test' })
        await createPartnerKey(fixture.pool, { accountId: partner.id, name: '', addresses: [], expiresAt: null })
        await revokeKey(fixture.pool, ended.keyId)
        await fixture.sql("UPDATE api_key SET expires_at = now() - interval '1 second' WHERE public_id = $1", [expired.keyId])
        await fixture.sql('UPDATE account SET closed_at = now() WHERE id = $1', [closed.account.id])
        const body = 'Cards have `logoUrl`. See [prices](/docs/prices).\n\n- rewards\n- travel'
        const entry = await publish(fixture, 'Logos of `cards`', '--text', body, '--endpoint', 'cards.rewards,cards.travel')
        expect(entry).toMatchObject({ id: expect.stringMatching(/^20\d\d-\d\d-\d\d-logos-of-cards$/), kind: 'added', body, mails: 3, new: true })
        expect(entry.endpointIds).toEqual(['cards.rewards', 'cards.travel'])
        expect((await fixture.raw('GET', feed)).text).toContain(`<id>${publicUrl}/changelog#${entry.id}</id>`)
        expect((await fixture.raw('GET', '/changelog')).text).toContain(`id="${entry.id}"`)
        const listed = JSON.parse(await runCli(fixture.databaseUrl, 'changelog', 'list', '--json'))
        expect(listed.entries[0]).toMatchObject({ id: entry.id, title: 'Logos of `cards`', body })
        // A transactional email enqueued in the meantime is sent before the bulk emails.
        await enqueueEmail(fixture.pool, 'account-closed', 'urgent@example.test', { at: new Date().toISOString() })
        const mails = await deliver(fixture)
        expect(mails[0]?.to).toBe('urgent@example.test')
        const notified = mails.slice(1)
        expect(notified.map(({ to }) => to).toSorted()).toEqual([owner.account.email, tester.account.email, partner.email].toSorted())
        for (const { subject, text } of notified) {
          expect(subject).toBe('Changelog: Logos of cards')
          expect(text.replaceAll('\r', '')).toContain(`Cards have logoUrl. See prices (${publicUrl}/docs/prices).\n\n- rewards\n\n- travel\n\n`)
          expect(text).toContain(`${publicUrl}/changelog#${entry.id}`)
        }
      },
      60_000,
    )

    test('repeated or concurrent commands publish and notify once', async () => {
      const mails = async () => {
        await mailsAreMade(fixture.pool)
        return (await fixture.sql<{ n: number }>("SELECT count(*)::int AS n FROM email WHERE kind = 'change'"))[0]?.n ?? 0
      }
      const before = await mails()
      await fixture.live()
      const both = await Promise.all([publish(fixture, 'Twice', '--text', 'The same.'), publish(fixture, 'Twice', '--text', 'The same.')])
      const again = await publish(fixture, ' Twice ', '--text', 'The same.\n')
      expect(both.map((made) => made.new).toSorted()).toEqual([false, true])
      expect([...both, again].map(({ id }) => id)).toEqual(Array(3).fill(again.id))
      expect([again.new, again.mails]).toEqual([false, 0])
      const notified = both.reduce((sum, made) => sum + made.mails, 0)
      expect(notified).toBeGreaterThan(0)
      expect(await mails()).toBe(before + notified)
      const said = (title: string, ...more: string[]) => publish(fixture, title, ...more).catch(({ stdout }: { stdout: string }) => JSON.parse(stdout).error)
      expect(await said('Twice', '--text', 'Another.')).toMatch(/^Entry 20\S+-twice already exists with different text/)
      expect(await said('Two\nlines', '--text', 'x')).toContain('one line')
      expect(await said('Unknown', '--text', 'x', '--endpoint', 'rates.lst')).toContain('"rates.lst" is not an endpoint id')
      expect(await mails()).toBe(before + notified)
    }, 60_000)

    test('does not publish an entry if the emails cannot be enqueued', async () => {
      const before = await rows()
      const change = { kind: 'changed', title: 'Half', body: 'x', endpointIds: [] } as const
      const failing = publishChange(fixture.pool, change, async (client, { id }) => {
        await enqueueBulkEmail(client, 'change', id, { entry: id, title: 'Half', body: 'x' })
        throw new Error('The queue is down.')
      })
      await expect(failing).rejects.toThrow('The queue is down.')
      expect(await rows()).toEqual(before)
      expect(await fixture.sql("SELECT 1 FROM bulk_email WHERE about LIKE '%-half'")).toEqual([])
    })
  }
}, alone)

test('an empty changelog is a valid feed', () => {
  const text = changelogFeed([], 'https://api.example.test', new Date('2026-11-21T10:00:00Z'))
  expect(text).toContain('<updated>2026-11-21T10:00:00.000Z</updated>')
  expect(text).not.toContain('<entry>')
})
