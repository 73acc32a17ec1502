/** Tests that cached pages show changes made by another process, here the test's own. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { publishChange } from '#server/admin/changelog/changelog.ts'
import { availabilityChanger } from '../metering/change-availability.ts'
import { verifies } from '../requirements/verifies.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { configChanged, marketChanged } from '../v1/support/operator.ts'

/** Far below the promised 60 seconds. A process checks for changes whenever a page is requested, at most every 100 ms. */
const shownWithin = { timeout: 5_000, interval: 50 }

const setUps = [
  ['one process', 'next', {}],
  ['a separate pages process', 'lean', { ROLES: 'gateway,portal', PAGES_PER_MINUTE: '0' }],
] as const

describe.each(setUps)('with %s', (name, mount, env) => {
  const fixture = new Fixture(mount)
  beforeAll(() => fixture.open(env))
  afterAll(() => fixture.close())

  const get = async (path: string) => (await fetch(fixture.service.origin + path)).text()

  /** Checks that cached pages contain a given text after a change, but not before it. */
  async function expectChange(paths: readonly string[], text: string, change: () => Promise<unknown>): Promise<void> {
    for (const path of paths) {
      const response = await fetch(fixture.service.origin + path)
      expect([path, response.status, response.headers.has('etag'), (await response.text()).includes(text)]).toEqual([path, 200, true, false])
    }
    await change()
    for (const path of paths) await expect.poll(() => get(path), shownWithin).toContain(text)
  }

  verifies('published/pages-current', `pages show a changelog entry (${name})`, () =>
    expectChange(['/changelog', '/changelog?kind=added', '/changelog.xml'], 'A fresh entry', () =>
      publishChange(fixture.pool, { kind: 'added', title: 'A fresh entry', body: 'Text.', endpointIds: [] }, async () => 0),
    ),
  )

  verifies('published/pages-current', `pages show a change to the market (${name})`, async () => {
    const product = await fixture.productKey()
    await expectChange([`/products/${product}`], 'Renamed saver', async () => {
      await fixture.sql(`UPDATE product SET account_name = 'Renamed saver' WHERE dataset = 'live' AND source_key = $1`, [product])
      await marketChanged(fixture)
    })
  })

  verifies('published/pages-current', `the price list shows an endpoint that was opened (${name})`, async () => {
    const change = await availabilityChanger(fixture.pool)
    const before = await get('/docs/prices.md')
    await change('market.overview', 'test-only', 'open')
    await expect.poll(() => get('/docs/prices.md'), shownWithin).not.toBe(before)
    const html = await get('/docs/prices')
    await change('market.overview', 'open', 'test-only')
    await expect.poll(() => get('/docs/prices'), shownWithin).not.toBe(html)
  })

  verifies('published/pages-current', `pages show a new version of the Data Licence (${name})`, () =>
    expectChange(['/llms.txt', '/'], 'v2098-01', async () => {
      await fixture.sql(
        `INSERT INTO licence_version (label, published_at, grace_ends_at, body) VALUES ('v2098-01', now(), now() + interval '30 days', 'Text of the licence.')`,
      )
      await configChanged(fixture)
    }),
  )
})
