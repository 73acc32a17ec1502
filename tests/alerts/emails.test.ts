/** Tests market alert emails: combining, rate limits, send times and one-click unsubscribe. */
import { afterEach, expect, test } from 'vitest'
import { alertEmails } from '#server/alerts/alert-emails.ts'
import { getEmailDueAt, getSlot } from '#server/alerts/email-times.ts'
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { createAlert } from '#server/alerts/manage-alerts.ts'
import { forgetAlerts, nextAlertEmailAt, queueAlertEmails } from '#server/alerts/queue-emails.ts'
import { readSubscription, unsubscribe, unsubscribeToken } from '#server/alerts/unsubscribe.ts'
import type { NewAlert } from '#server/api/contract/market-alerts.ts'
import { clock } from '#server/clock.ts'
import { renderContent } from '#server/email/email-content.ts'
import { createLog } from '#server/observability/log.ts'
import { type Line, product } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { makeAccount, type TestAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { addAlert, openAlerts, ownerOf, secret, take, takeProviders } from './support/alert-fixture.ts'

const database = ownDatabase({ prepare: (pool) => pool.query('TRUNCATE market_alert CASCADE; TRUNCATE market_alert_email CASCADE; TRUNCATE email') })
const publicUrl = 'https://api.example.test'
const realNow = clock.now
let made = 0

afterEach(() => {
  clock.now = realNow
})

const setTime = (iso: string) => {
  clock.now = () => Date.parse(iso)
}

const newKey = () => `emailed-product-${++made}`

async function open() {
  await takeProviders(database.pool)
  return openAlerts(database.pool)
}

/** Imports products and evaluates the alerts. */
async function change(deps: Awaited<ReturnType<typeof open>>, ...lines: Line[]) {
  await take(database.pool, ...lines)
  await evaluateAlerts(deps)
}

/** Renders the queued emails to an account, oldest first. */
async function getEmails({ email: recipient }: TestAccount) {
  const rows = await database.pool.email.findMany({ where: { kind: 'market-alert', recipient }, orderBy: { id: 'asc' } })
  const write = alertEmails({ pool: database.pool, secret })['market-alert']
  const contents = await Promise.all(rows.map(({ data }) => write({ publicUrl, recipient }, data as { id: string })))
  return contents.map((content) => content && { ...renderContent(content, publicUrl), unsubscribeUrl: content.unsubscribeUrl ?? '' })
}

const queueDue = () => queueAlertEmails({ pool: database.pool, log: createLog('silent') })

const getToken = (url: string): string => /\/alerts\/unsubscribe\/([^/]+)\/end$/.exec(url)?.[1] ?? ''

const harrow: Pick<NewAlert, 'kind' | 'providers' | 'filter'> = { kind: 'providers', providers: ['harrow'], filter: {} }

verifies('alerts/immediate-emails-combined', async () => {
  const deps = await open()
  setTime('2026-11-27T10:01:00Z')
  const { account } = await addAlert(deps, harrow)
  await change(deps, product(newKey()))
  await queueDue()
  for (const time of ['10:02', '10:05', '10:14']) {
    setTime(`2026-11-27T${time}:00Z`)
    await change(deps, product(newKey()))
    await queueDue()
  }
  expect(await getEmails(account)).toMatchObject([{ subject: 'Easy access above 4.6%: 1 change' }])
  expect(await nextAlertEmailAt(database.pool)).toEqual(new Date('2026-11-27T10:15:00Z'))
  setTime('2026-11-27T10:15:00Z')
  await Promise.all(Array.from({ length: 4 }, () => queueDue()))
  expect(await getEmails(account)).toMatchObject([{}, { subject: 'Easy access above 4.6%: 3 changes' }])
  expect(await nextAlertEmailAt(database.pool)).toBeNull()
})

verifies('alerts/daily-digest', async () => {
  const deps = await open()
  setTime('2026-11-26T07:35:00Z')
  const { account } = await addAlert(deps, { ...harrow, frequency: 'daily' })
  await createAlert(deps, ownerOf(account), { ...harrow, providers: ['brook'], name: 'Brook', frequency: 'daily', byEmail: true, byWebhook: false })
  await change(deps, product(newKey()))
  await change(deps, product(newKey()), product(newKey(), { providerSlug: 'brook' }))
  await queueDue()
  expect(await getEmails(account)).toEqual([])
  expect(await nextAlertEmailAt(database.pool)).toEqual(new Date('2026-11-26T08:00:00Z'))
  setTime('2026-11-26T08:00:01Z')
  await Promise.all(Array.from({ length: 4 }, () => queueDue()))
  expect(await getEmails(account)).toMatchObject([{ subject: 'Market alerts: 3 changes' }])
  await change(deps, product(newKey()))
  await queueDue()
  expect(await nextAlertEmailAt(database.pool)).toEqual(new Date('2026-11-27T08:00:00Z'))
})

test.each([
  ['2026-03-28T12:00:00Z', '2026-03-29T07:00:00Z', 'clocks go forward'],
  ['2026-03-29T00:30:00Z', '2026-03-29T07:00:00Z', 'before the change'],
  ['2026-03-29T07:00:00Z', '2026-03-30T07:00:00Z', 'exactly at the send time'],
  ['2026-10-24T12:00:00Z', '2026-10-25T08:00:00Z', 'clocks go back'],
  ['2026-10-25T00:30:00Z', '2026-10-25T08:00:00Z', 'in the repeated hour'],
  ['2026-10-25T07:59:59Z', '2026-10-25T08:00:00Z', 'a second before the send time'],
])('a daily notification of %s is emailed at %s (%s)', (at, due) => {
  expect(getEmailDueAt('daily', new Date(at))).toEqual(new Date(due))
  expect(getSlot('daily', Date.parse(at)).endsAt).toEqual(new Date(due))
  // The email begins a new slot, which lasts until the next email.
  expect(getSlot('daily', Date.parse(due)).name).toBe(`daily ${due.slice(0, 10)}`)
  expect(getSlot('daily', Date.parse(at)).name).not.toBe(`daily ${due.slice(0, 10)}`)
})

verifies('alerts/one-click-unsubscribe', "unsubscribes from one alert, or from all of a member's alerts, and rejects modified tokens", async () => {
  const deps = await open()
  const first = await addAlert(deps, harrow)
  const other = await createAlert(deps, ownerOf(first.account), { ...harrow, name: 'Second', frequency: 'immediate', byEmail: true, byWebhook: false })
  const unrelated = await addAlert(deps, harrow)
  await change(deps, product(newKey()))
  await queueDue()
  const [email] = await getEmails(first.account)
  const all = getToken(email?.unsubscribeUrl ?? '')
  const one = unsubscribeToken(secret, { alert: other.id })
  const auth = { pool: database.pool, secret }
  const forged = [
    all.replace(first.account.publicId, unrelated.account.publicId),
    one.replace(other.id, first.id),
    `${one}x`,
    one.slice(0, -1),
    '',
    'x'.repeat(99),
  ]
  for (const token of forged) expect([await readSubscription(auth, token), await unsubscribe(auth, token)]).toEqual([null, false])
  expect(await unsubscribe({ ...auth, secret: 'another secret of at least 32 characters' }, one)).toBe(false)
  expect(await readSubscription(auth, one)).toEqual({ names: ['Second'], isActive: true })
  const byEmail = async () => (await database.pool.marketAlert.findMany({ orderBy: { id: 'asc' } })).map((alert) => alert.byEmail)
  expect(await byEmail()).toEqual([true, true, true])
  for (let time = 0; time < 2; time++) expect(await unsubscribe(auth, one)).toBe(true)
  expect([await byEmail(), await readSubscription(auth, one)]).toEqual([[true, false, true], { names: ['Second'], isActive: false }])
  expect(await unsubscribe(auth, all)).toBe(true)
  expect(await byEmail()).toEqual([false, false, true])
  const entries = await database.pool.auditEntry.findMany({
    where: { accountId: first.account.id, action: 'market-alert.unsubscribe' },
    orderBy: { id: 'asc' },
  })
  expect(entries.map(({ subject }) => subject)).toEqual([other.id, first.id])
})

test("doesn't send a queued email after an unsubscribe, account closure or alert deletion", async () => {
  const deps = await open()
  const [stopped, closed, gone] = [await addAlert(deps, harrow), await addAlert(deps, harrow), await addAlert(deps, harrow)]
  await change(deps, product(newKey()))
  await queueDue()
  await unsubscribe({ pool: database.pool, secret }, unsubscribeToken(secret, { alert: stopped.id }))
  await database.pool.query('UPDATE account SET closed_at = now() WHERE id = $1', [closed.account.id])
  await database.pool.query('DELETE FROM market_alert WHERE public_id = $1', [gone.id])
  for (const { account } of [stopped, closed, gone]) expect(await getEmails(account)).toEqual([null])
})

test('does not queue emails of paused alerts and blocked accounts', async () => {
  const deps = await open()
  const [paused, blocked] = [await addAlert(deps, harrow), await addAlert(deps, harrow)]
  await change(deps, product(newKey()))
  await database.pool.query('UPDATE market_alert SET paused_at = now() WHERE public_id = $1', [paused.id])
  await database.pool.query("UPDATE account SET state = 'blocked' WHERE id = $1", [blocked.account.id])
  await queueDue()
  for (const { account } of [paused, blocked]) expect(await getEmails(account)).toEqual([])
  expect(await nextAlertEmailAt(database.pool)).toBeNull()
})

verifies('alerts/one-failure-blocks-no-other', async () => {
  const deps = await open()
  const [broken, whole] = [await addAlert(deps, harrow), await addAlert(deps, harrow)]
  await change(deps, product(newKey()))
  await database.pool.query(`CREATE FUNCTION break_email() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken on purpose'; END $$`)
  await database.pool.query(
    `CREATE TRIGGER break_email BEFORE INSERT ON market_alert_email FOR EACH ROW WHEN (new.account_id = ${broken.account.id}) EXECUTE FUNCTION break_email()`,
  )
  await expect(queueDue()).rejects.toThrow('Market alert emails that could not be queued: 1.')
  expect([(await getEmails(broken.account)).length, (await getEmails(whole.account)).length]).toEqual([0, 1])
  await database.pool.query('DROP FUNCTION break_email CASCADE')
  await queueDue()
  expect([(await getEmails(broken.account)).length, (await getEmails(whole.account)).length]).toEqual([1, 1])
})

verifies('alerts/emails-delay-no-others', async () => {
  const deps = await open()
  const { account } = await addAlert(deps, harrow)
  await database.pool.query(
    `INSERT INTO pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, deletion_seconds, partition, table_name)
     SELECT name, 'standard', 1, 1, false, 60, 60, 60, false, 'job' FROM unnest(ARRAY['mail.send', 'mail.send-mailings']) name ON CONFLICT DO NOTHING`,
  )
  await change(deps, product(newKey()))
  await queueDue()
  const { rows } = await database.pool.query(
    'SELECT j.name FROM pgboss.job j JOIN email e ON e.id::text = j.singleton_key WHERE e.recipient = $1 AND e.kind = $2',
    [account.email, 'market-alert'],
  )
  expect(rows).toEqual([{ name: 'mail.send-mailings' }])
})

test('escapes names in HTML and lists 20 changes per alert', async () => {
  const deps = await open()
  const { account } = await addAlert(deps, { ...harrow, name: '<img src=x onerror=alert(1)> & "more"' })
  await change(deps, product(newKey(), { accountName: 'Saver <b>' }), ...Array.from({ length: 24 }, () => product(newKey())))
  await queueDue()
  const [email] = await getEmails(account)
  expect(email?.subject).toBe('<img src=x onerror=alert(1)> & "more": 25 changes')
  expect(email?.html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;more&quot;: 25 changes')
  expect(email?.html).not.toMatch(/<img|<b>/)
  expect(email?.text).toContain('And 5 more in the portal.')
  expect(email?.text).toContain('New: 4.50%')
})

test('deletes old notifications and emails, and the alerts of closed accounts', async () => {
  const deps = await open()
  setTime('2026-06-01T10:00:00Z')
  const { account, id } = await addAlert(deps, harrow)
  await change(deps, product(newKey()))
  await queueDue()
  setTime('2026-09-10T10:00:00Z')
  const other = await makeAccount(database.pool)
  const kept = await addAlert(deps, harrow, other)
  await database.pool.query('UPDATE account SET closed_at = now() WHERE id = $1', [account.id])
  await forgetAlerts(database.pool)
  expect(await database.pool.marketAlert.findMany({ select: { publicId: true } })).toEqual([{ publicId: kept.id }])
  expect([await database.pool.marketAlertNotification.count(), await database.pool.marketAlertEmail.count()]).toEqual([0, 0])
  expect(id).not.toBe(kept.id)
})
