/** Tests how administrators change the availability of endpoints. */
import { expect, test } from 'vitest'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { verifies } from '../requirements/verifies.ts'
import { call, makeKey } from '../support/accounts.ts'
import { notifiedAccounts, restoreSharedAfter } from './support/restore-shared.ts'

const fixture = portalFixture()
restoreSharedAfter(fixture)

const id = 'market.overview'
const path = '/market/overview'

/** Poll options for pages, which show a change only after their process has reloaded the shared configuration. */
const pageRefresh = { timeout: 15_000, interval: 500 }

const getChanges = () =>
  fixture.sql<{ action: string; reason: string; account_id: string | null; before: object; after: { entry: string } }>(
    "SELECT action, reason, account_id, before, after FROM audit_entry WHERE subject = $1 AND action LIKE 'availability.%' ORDER BY id",
    [id],
  )

test('lists every endpoint in the registry', async () => {
  const { visitor } = await fixture.administrator()
  const { text, html } = await visitor.open('/admin/endpoints')
  for (const { method, path: one } of allEndpoints) expect(text.replaceAll('/ ', '/')).toContain(`${method} ${one}`)
  expect(html.match(/<tr\b/g)).toHaveLength(allEndpoints.length + 1)
})

verifies(
  [
    'decision/availability-override',
    'decision/availability-override-audited',
    'decision/availability-override-in-changelog',
    'versioning/availability-can-change',
  ],
  'opening an endpoint updates calls, /me, documents and pages, emails key holders and is audited',
  async () => {
    const [admin, member] = [await fixture.administrator(), await fixture.member()]
    const { key } = await makeKey(fixture.pool, member)
    const api = `${fixture.origin}/v1`
    const availability = async () => {
      const { status, body } = await call(api, path, key)
      const me = (await call(api, '/me', key)).body.data.endpoints.find((row: { path: string }) => row.path === path)
      const openApi = (await (await fetch(`${fixture.origin}/api/developer/openapi.json`)).json()).paths[path].get
      const prices = await (await fetch(`${fixture.origin}/docs/prices.md`)).text()
      const line = prices.split('\n').find((one) => one.includes(`${path}\``) || one.includes(`${path}]`)) ?? prices
      return [status, body.error ?? null, me.callable, openApi['x-svc-availability'], /test only/i.test(line)]
    }
    expect(await availability()).toEqual([403, 'endpoint_restricted', false, 'test-only', true])

    const shown = await admin.visitor.open(`/admin/endpoints/${id}?to=open`)
    expect(shown.text).toContain('Before: Test only. After: Open.')
    const button = `Open to live keys and email ${await notifiedAccounts(fixture)}`
    const without = await admin.visitor.submitForm(shown, button)
    expect(without.text).toContain('Enter a reason.')
    expect(await getChanges()).toEqual([])
    const done = await admin.visitor.submitForm(shown, button, {
      title: 'Live keys see the `market`',
      body: 'All of it, from now on.',
      reason: 'The data are good.',
    })
    expect(done.status).toBe(200)
    expect((await admin.visitor.open(`/admin/endpoints/${id}`)).text).toContain('Now Open (override)')
    // The change applies to calls immediately, and to pages after the refresh interval of the process that renders them.
    expect((await availability()).slice(0, 4)).toEqual([200, null, true, 'open'])
    await expect.poll(availability, pageRefresh).toEqual([200, null, true, 'open', false])

    const [line] = await getChanges()
    const entry = line?.after.entry ?? ''
    expect(line).toMatchObject({ reason: 'The data are good.', account_id: null, before: { availability: 'test-only' }, after: { availability: 'open' } })
    expect((await fixture.visitor().open('/changelog')).html).toContain(`id="${entry}"`)
    expect(await (await fetch(`${fixture.origin}/changelog.xml`)).text()).toContain('Live keys see the `market`')
    expect(await fixture.sql('SELECT kind, endpoint_ids FROM changelog_entry WHERE public_id = $1', [entry])).toEqual([{ kind: 'added', endpoint_ids: [id] }])
    const mail = await fixture.mailbox.next(member.email)
    expect([mail.subject, mail.text.includes('All of it, from now on.')]).toEqual(['Changelog: Live keys see the market', true])

    // Restoring the default removes the override.
    const back = await admin.visitor.open(`/admin/endpoints/${id}?to=test-only`)
    expect(back.text).toContain('Restrict to test keys')
    await admin.visitor.submitForm(back, `Restrict to test keys and email ${await notifiedAccounts(fixture)}`, { reason: 'They are not.' })
    await expect.poll(availability, pageRefresh).toEqual([403, 'endpoint_restricted', false, 'test-only', true])
    expect(await fixture.sql('SELECT 1 FROM endpoint_override')).toEqual([])
    expect(await getChanges()).toHaveLength(2)
  },
  60_000,
)

test('rejects changes that have no effect, are outdated or affect planned endpoints, without notifying anyone', async () => {
  const { visitor } = await fixture.administrator()
  const mailings = () => fixture.sql('SELECT id FROM bulk_email')
  const before = await mailings()
  const ask = async (endpoint: string, from: string, to: string) => {
    const input = { endpoint, from, to, title: `About ${endpoint} ${to}`, body: 'Text.', reason: 'A test.' }
    return visitor.call('admin.endpoints.setAvailability', 'mutation', input)
  }
  const refused = async (...asked: Parameters<typeof ask>) => JSON.stringify((await ask(...asked)).body)
  expect(await refused(id, 'test-only', 'test-only')).toContain('This endpoint is already test only.')
  expect(await refused(id, 'open', 'coming-soon')).toContain('This endpoint is now test only.')
  expect(await refused('assistant', 'coming-soon', 'open')).toContain("isn't built yet")
  expect(await refused('market.nothing', 'open', 'test-only')).toContain('Endpoint not found.')
  expect((await visitor.open('/admin/endpoints/assistant?to=open')).text).toContain('so it can’t be enabled')
  expect((await visitor.open('/admin/endpoints/market.nothing')).status).toBe(404)
  // Of two identical concurrent changes, one is rejected.
  const both = await Promise.all([ask('rates.list', 'open', 'test-only'), ask('rates.list', 'open', 'test-only')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await mailings()).toHaveLength(before.length + 1)
  expect((await ask('rates.list', 'test-only', 'open')).status).toBe(200)
})
