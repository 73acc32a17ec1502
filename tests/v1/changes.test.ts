import { expect } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'
import { list, listAll, plenty } from './support/history.ts'
import { marketChanged } from './support/operator.ts'

type Changed = { updatedAt: string; withdrawnAt: string | null }
type Product = Changed & { sourceKey: string; rate: string; matchReasons: string[] }

/** Withdraws a product, as a complete feed without it does. */
async function withdraw(fixture: Fixture, sourceKey: string): Promise<void> {
  await fixture.sql(`UPDATE product SET withdrawn_at = now(), updated_at = now() WHERE dataset = 'live' AND source_key = $1`, [sourceKey])
  await marketChanged(fixture)
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

onEachMount((fixture) => {
  const own = (name: string) => `changes-${fixture.mount}-${name}`

  /** Reads the changes to the products of this test file. Other files change products too. */
  const readOwn = async (since: string, more = ''): Promise<Product[]> => {
    const rows = (await listAll(
      fixture,
      await fixture.live(plenty),
      `/rates?updatedSince=${since}&q=changes%20${fixture.mount}${more}`,
    )) as unknown as Product[]
    return rows.filter(({ sourceKey }) => sourceKey.startsWith(own('')))
  }

  const getStoredTime = async (sourceKey: string): Promise<string> => {
    const [row] = await fixture.sql<{ at: Date }>(`SELECT updated_at AS at FROM product WHERE dataset = 'live' AND source_key = $1`, [sourceKey])
    return row?.at.toISOString() ?? ''
  }

  verifies('rates/updated-since', async () => {
    await list(fixture, own('a'), '1.00')
    await list(fixture, own('b'), '1.10')
    const since = await getStoredTime(own('a'))
    expect((await readOwn(since)).map(({ sourceKey }) => sourceKey)).toEqual([own('b')])
    const latest = await getStoredTime(own('b'))
    expect(await readOwn(latest)).toEqual([])
    await list(fixture, own('a'), '1.20')
    const [changed, ...others] = await readOwn(latest)
    expect([changed?.sourceKey, changed?.rate, changed?.withdrawnAt, others]).toEqual([own('a'), '1.20', null, []])
    expect(changed?.updatedAt).toBe(await getStoredTime(own('a')))
    // The rank is among all matching products, whether they changed or not.
    expect(changed?.matchReasons[0]).toMatch(/^Ranks 1st by rate of \d+ savings accounts that match the filters$/)
    const { key, account } = await fixture.live({ credits: 10 })
    const { body } = await fixture.get(`/rates?updatedSince=${new Date(Date.now() + 60_000).toISOString()}`, key)
    expect([body.data, body.meta.creditsCharged, await fixture.balance(account)]).toEqual([[], 0, 10])
  })

  verifies('rates/withdrawn', async () => {
    await list(fixture, own('gone'), '2.00')
    const since = await getStoredTime(own('gone'))
    await withdraw(fixture, own('gone'))
    expect((await readOwn(since)).map(({ sourceKey }) => sourceKey)).not.toContain(own('gone'))
    const rows = await readOwn(since, '&withdrawn=include')
    const gone = rows.find(({ sourceKey }) => sourceKey === own('gone'))
    expect(gone).toMatchObject({ rate: '2.00', withdrawnAt: await getStoredTime(own('gone')), updatedAt: await getStoredTime(own('gone')) })
    expect(gone?.matchReasons).toEqual([expect.stringMatching(/^Withdrawn on 20\d\d-\d\d-\d\d$/)])
    expectError(await fixture.get(`/rates/${own('gone')}`, (await fixture.live()).key), 404, 'not_found')
    await list(fixture, own('gone'), '2.00')
    expect((await readOwn(gone?.updatedAt ?? '', '&withdrawn=include')).find(({ sourceKey }) => sourceKey === own('gone'))).toMatchObject({ withdrawnAt: null })
  })

  verifies('rates/sync', async () => {
    const names = Array.from({ length: 12 }, (_, index) => own(`s${String(index).padStart(2, '0')}`))
    for (const [index, name] of names.entries()) await list(fixture, name, `3.${10 + index}`)
    const copy = new Map<string, Product>()
    const since = await getStoredTime(names[0] ?? '')
    const caller = await fixture.live(plenty)
    const filter = `q=changes%20${fixture.mount}`
    const changes = [
      () => list(fixture, names[10] ?? '', '1.01'),
      () => withdraw(fixture, names[9] ?? ''),
      () => list(fixture, names[1] ?? '', '4.00'),
      () => withdraw(fixture, names[2] ?? ''),
    ]
    const rows = (await listAll(fixture, caller, `/rates?${filter}&updatedSince=${since}&withdrawn=include&sort=updatedAt`, 3, async (page) => {
      await changes[page - 1]?.()
    })) as unknown as Product[]
    for (const row of rows) {
      if (row.withdrawnAt === null) copy.set(row.sourceKey, row)
      else copy.delete(row.sourceKey)
    }
    const listed = (await listAll(fixture, caller, `/rates?${filter}&updatedSince=${since}`)) as unknown as Product[]
    const getRates = (products: readonly Product[]) => products.map(({ sourceKey, rate }) => `${sourceKey} ${rate}`).toSorted()
    expect(getRates([...copy.values()])).toEqual(getRates(listed))
    expect(rows.map(({ updatedAt }) => updatedAt)).toEqual(rows.map(({ updatedAt }) => updatedAt).toSorted())
    expect(copy.has(names[9] ?? '')).toBe(false)
  })

  verifies('rates/withdrawn', 'returns the products of a provider as withdrawn once it is inactive, and as listed once it is active again', async () => {
    const slug = own('bank')
    const provider = (active: boolean) => {
      const line = {
        ...{
          kind: 'provider',
          slug,
          name: `Changes ${fixture.mount} bank`,
          legalName: 'Test plc',
          providerType: 'bank',
          website: 'https://bank.example.test/',
        },
        ...{ protectionScheme: 'Test', licenceGroup: slug, active },
      }
      return importFeed(fixture.pool, { source: `${JSON.stringify(line)}\n`, fileName: 'providers.ndjson', dataset: 'live', partial: true })
    }
    await provider(true)
    await list(fixture, own('moved'), '1.50')
    await fixture.sql(`UPDATE product SET provider_slug = $1 WHERE dataset = 'live' AND source_key = $2`, [slug, own('moved')])
    const since = new Date(Date.now() - 1_000).toISOString()
    await provider(false)
    const find = async () => (await readOwn(since, '&withdrawn=include')).find(({ sourceKey }) => sourceKey === own('moved'))
    expect((await find())?.withdrawnAt).toMatch(/Z$/)
    const { key } = await fixture.live()
    const providers = (await fixture.get(`/providers?updatedSince=${since}&withdrawn=include&limit=50`, key)).body.data as (Changed & {
      slug: string
      productCount: number
    })[]
    expect(providers.find((one) => one.slug === slug)).toMatchObject({ productCount: 0, withdrawnAt: expect.stringMatching(/Z$/) })
    // Filters by the provider and by its licence group return the withdrawn products, as long as they are kept.
    for (const filter of [`provider=${slug}`, `fscsGroup=${slug}`]) {
      const { body } = await fixture.get(`/rates?${filter}&updatedSince=${since}&withdrawn=include`, key)
      expect([filter, body.data?.map((row: Product) => [row.sourceKey, row.withdrawnAt !== null])]).toEqual([filter, [[own('moved'), true]]])
      expectError(await fixture.get(`/rates?${filter}`, key), 400, 'invalid_request')
    }
    expectError(await fixture.get(`/rates?provider=${slug}x&updatedSince=${since}&withdrawn=include`, key), 400, 'invalid_request')
    await provider(true)
    expect((await find())?.withdrawnAt).toBeNull()
  })

  verifies('rates/changes-errors', async () => {
    const { key, account } = await fixture.live()
    const cases: [string, RegExp][] = [
      ['updatedSince=9999-12-31T23:59:59-23:59', /^"updatedSince" must be an ISO 8601 time/],
      ['updatedSince=yesterday', /^"updatedSince" must be an ISO 8601 time with a time zone, such as 2026-11-21T06:00:00Z\.$/],
      ['updatedSince=2026-11-21', /^"updatedSince" must be /],
      ['withdrawn=include', /^"withdrawn" needs "updatedSince"\. Give the time of your last update, or omit "withdrawn"\.$/],
      [`withdrawn=include&updatedSince=${daysAgo(91)}`, /^With "withdrawn", "updatedSince" can be at most 90 days ago\. Fetch the whole list again/],
      [`withdrawn=only&updatedSince=${daysAgo(1)}`, /^"only" is not a valid "withdrawn"\./],
    ]
    for (const path of ['/rates', '/providers', '/switch-offers']) {
      for (const [query, message] of cases) {
        const answer = await fixture.get(`${path}?${query}`, key)
        expectError(answer, 400, 'invalid_request')
        expect(answer.body.message).toMatch(message)
      }
      expect((await fixture.get(`${path}?withdrawn=include&updatedSince=${daysAgo(0)}`, key)).status).toBe(200)
    }
    expect(await fixture.balance(account)).toBe(100)
  })

  verifies('offers/changes', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const [offer] = await fixture.sql<{ key: string }>(
      `SELECT offer_key AS key FROM switch_offer WHERE dataset = 'live' AND withdrawn_at IS NULL ORDER BY 1 LIMIT 1`,
    )
    const since = new Date(Date.now() - 1_000).toISOString()
    const read = async (more: string) =>
      ((await fixture.get(`/switch-offers?limit=50&updatedSince=${since}${more}`, key)).body.data as (Changed & { offerKey: string; status: string })[]).filter(
        ({ offerKey }) => offerKey === offer?.key,
      )
    const setWithdrawn = async (value: string) => {
      await fixture.sql(`UPDATE switch_offer SET withdrawn_at = ${value}, updated_at = now() WHERE dataset = 'live' AND offer_key = $1`, [offer?.key])
      await marketChanged(fixture)
    }
    await setWithdrawn('now()')
    try {
      expect(await read('')).toEqual([])
      expect(await read('&withdrawn=include')).toMatchObject([{ status: 'ended', withdrawnAt: expect.stringMatching(/Z$/) }])
    } finally {
      await setWithdrawn('NULL')
    }
    expect(await read('')).toMatchObject([{ withdrawnAt: null }])
  })
})
