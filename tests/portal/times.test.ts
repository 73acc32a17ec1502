import { expect, test } from 'vitest'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

/** Times around both clock changes in the UK, and their expected text. */
const clockChanges = [
  ['2026-03-29T00:59:00Z', '29 March 2026, 00:59 GMT'],
  ['2026-03-29T01:00:00Z', '29 March 2026, 02:00 BST'],
  ['2026-10-25T00:30:00Z', '25 October 2026, 01:30 BST'],
  ['2026-10-25T01:30:00Z', '25 October 2026, 01:30 GMT'],
] as const

test('shows times in the chosen zone with its abbreviation, and in UTC as a tooltip', async () => {
  const { visitor, id } = await fixture.member()
  for (const [at] of clockChanges)
    await fixture.sql("INSERT INTO audit_entry (account_id, at, actor, action) VALUES ($1, $2, 'account', 'name.change')", [id, at])
  const before = await visitor.open('/portal/settings')
  expect((await visitor.open('/portal/settings/account')).text).toContain('25 October 2026, 00:30 UTC')
  const refused = await visitor.submitForm(before, 'Save time zone', { timeZone: 'Europe/Londonn' })
  expect(refused.text).toContain('Choose UTC or a time zone from the list.')
  const saved = await visitor.submitForm(before, 'Save time zone', { timeZone: 'Europe/London' })
  expect(saved.status).toBe(200)
  const page = await visitor.open('/portal/settings/account')
  for (const [at, text] of clockChanges) {
    expect(page.text).toContain(text)
    const time = page.html.match(/<time[^>]*>/g)?.find((tag) => tag.includes(new Date(at).toISOString()))
    expect(time).toContain(`title="${Number(at.slice(8, 10))} ${at.includes('-03-') ? 'March' : 'October'} 2026, ${at.slice(11, 19)} UTC"`)
  }
  expect((await visitor.open('/portal/settings')).html).toMatch(/<option[^>]*value="Europe\/London"[^>]*selected/)
  const { lines } = getData(await visitor.call('profile.history', 'query', { before: null }))
  expect(lines[0]).toMatchObject({ action: 'time-zone.change', before: { timeZone: 'UTC' }, after: { timeZone: 'Europe/London' } })
  // Pages fall back to UTC for a zone unknown to this release.
  await fixture.sql("UPDATE account SET time_zone = 'Moon/Tranquillity' WHERE id = $1", [id])
  expect((await visitor.open('/portal/settings/account')).text).toContain('25 October 2026, 00:30 UTC')
  await expect(fixture.sql("UPDATE account SET time_zone = 'a zone' WHERE id = $1", [id])).rejects.toThrow('check constraint')
})

test('shows times in the chosen zone on every page, and billed days in UTC', async () => {
  const { visitor, id } = await fixture.member()
  await fixture.sql("UPDATE account SET time_zone = 'Pacific/Chatham' WHERE id = $1", [id])
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true)', [id])
  await fixture.sql(
    "INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits) VALUES ($1, $2, $1, 'checkout', 'simulated', 500, 50)",
    [`top_${String(id).padStart(16, '0')}`, id],
  )
  const key = getData(
    await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '2035-01-31' }),
  )
  const answer = await fetch(`${fixture.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key.key}` } })
  const endpoint = { url: 'https://hooks.example.com/', description: '', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '' }
  const webhook = getData(await visitor.call('webhooks.create', 'mutation', endpoint)).id
  const { delivery } = getData(await visitor.call('webhooks.test', 'mutation', { id: webhook, type: null }))
  const request = `/portal/requests/${answer.headers.get('x-svc-request-id')}`
  await expect.poll(async () => (await visitor.open(request)).status).toBe(200)
  const pages = ['/portal', `/portal/keys/${key.id}`, '/portal/usage', request, '/portal/billing']
  const more = [
    `/portal/billing/top-ups/top_${String(id).padStart(16, '0')}`,
    `/portal/webhooks/${webhook}`,
    `/portal/webhooks/${webhook}/deliveries/${delivery}`,
  ]
  const zoned = /\d\d:\d\d(?::\d\d)? GMT\+1[23]:45/
  /** The list of keys shows the days on which they expire; the list of requests states the zone in its heading. */
  const lists = { '/portal/keys': /31 January 2035/, '/portal/requests': /Time \(GMT\+1[23]:45\).* \d\d:\d\d:\d\d / }
  for (const [path, shown] of [...[...pages, ...more].map((path) => [path, zoned] as const), ...Object.entries(lists)]) {
    const page = await visitor.open(path)
    expect([path, page.status]).toEqual([path, 200])
    expect(page.text, path).toMatch(shown)
    expect(page.text, path).not.toMatch(/\d\d:\d\d(?::\d\d)? UTC/)
  }
  // Waits for the usage roll-up, after which the chart appears.
  const charts = { '/portal': 'Credits, last 24 hours', '/portal/usage': 'Days and the daily limit are in UTC.' }
  for (const [path, text] of Object.entries(charts)) await expect.poll(async () => (await visitor.open(path)).text, { timeout: 10_000 }).toContain(text)
  const month = new Date().toISOString().slice(0, 7)
  const statement = await visitor.open(`/portal/billing/statements/${month}`)
  expect(statement.text).toContain('Months and days are in UTC.')
  expect(statement.text).toMatch(/Balance on .{10,40} GMT\+1[23]:45/)
})
