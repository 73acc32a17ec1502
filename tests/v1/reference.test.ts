import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'
import { marketChanged } from './support/operator.ts'

const six = ['products', 'providers', 'cards', 'currencies', 'account-types', 'fscs'].map((name) => `/reference/${name}`)

type Brand = Record<string, unknown> & {
  brand: string
  sharesLicenceWith: string[]
  providerSlug: string | null
  isBank: boolean
  scheme: string
  licenceGroup: string
}

async function getBrands(fixture: Fixture): Promise<Brand[]> {
  const { key } = await fixture.live()
  const { status, body } = await fixture.get('/reference/fscs', key)
  expect(status).toBe(200)
  expect(body.data.length).toBeGreaterThan(100)
  return body.data
}

const shapes = (rows: object[]) => new Set(rows.map((row) => Object.keys(row).toSorted().join()))

onEachMount((fixture) => {
  verifies('reference/products-items', async () => {
    const { key } = await fixture.live()
    const { body } = await fixture.get('/reference/products', key)
    const stored = await fixture.sql(
      `SELECT p.source_key AS "sourceKey", p.account_name AS name, v.name AS provider, v.slug AS "providerSlug" FROM product p
       JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug WHERE p.dataset = 'live' ORDER BY p.source_key COLLATE "C"`,
    )
    expect(body.data.map(({ accountType, ...row }: { accountType: string }) => row)).toEqual(stored)
    expect(new Set(body.data.map((row: { accountType: string }) => row.accountType)).size).toBe(9)
    const rate = (await fixture.get(`/rates/${body.data[7].sourceKey}`, key)).body.data
    expect(body.data[7]).toEqual({
      sourceKey: rate.sourceKey,
      name: rate.accountName,
      provider: rate.provider,
      providerSlug: rate.providerSlug,
      accountType: rate.accountType,
    })
  })

  verifies(['reference/products-type-filter', 'reference/products-provider-filter'], async () => {
    const { key } = await fixture.live()
    const [{ slug }] = (await fixture.sql<{ slug: string }>(
      `SELECT provider_slug AS slug FROM product WHERE dataset = 'live' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    )) as [{ slug: string }]
    const count = async (where: string) =>
      Number((await fixture.sql<{ n: string }>(`SELECT count(*) AS n FROM product WHERE dataset = 'live' AND ${where}`))[0]?.n)
    const queries: [string, string][] = [
      ['type=cash-isa', `account_type = 'cash-isa'`],
      ['type=all', 'true'],
      [`provider=${slug}`, `provider_slug = '${slug}'`],
      [`provider=${slug}&type=easy-access`, `provider_slug = '${slug}' AND account_type = 'easy-access'`],
    ]
    for (const [query, where] of queries) {
      const { body } = await fixture.get(`/reference/products?${query}`, key)
      expect([query, body.data.length, body.meta.creditsCharged]).toEqual([query, await count(where), 1])
    }
    for (const query of ['type=isa', 'provider=none', 'amount=3', 'limit=3'])
      expectError(await fixture.get(`/reference/products?${query}`, key), 400, 'invalid_request')
  })

  verifies(['reference/products-whole-list', 'reference/others-whole-list'], async () => {
    const { key, account } = await fixture.live({ credits: 6 })
    let balance = 6
    for (const path of six) {
      const { status, body, headers } = await fixture.get(path, key)
      balance -= 1
      expect([path, status, body.meta.creditsCharged, body.meta.creditsBalance]).toEqual([path, 200, 1, balance])
      expect([path, body.meta.nextCursor, body.meta.limit, headers.get('x-svc-limit-reduced')]).toEqual([path, null, body.data.length, null])
    }
    expect(await fixture.balance(account)).toBe(0)
  })

  verifies('reference/others-no-parameters', async () => {
    const { key } = await fixture.live()
    for (const path of six.slice(1)) {
      for (const query of ['limit=3', 'cursor=x', 'fields=name', 'type=all', 'provider=x']) {
        const answer = await fixture.get(`${path}?${query}`, key)
        expectError(answer, 400, 'invalid_request')
        expect(answer.body.message).toContain('This endpoint takes no parameters.')
      }
    }
  })

  verifies('reference/providers-items', async () => {
    const { key } = await fixture.live()
    const { data } = (await fixture.get('/reference/providers', key)).body
    expect(shapes(data)).toEqual(new Set(['name,slug']))
    const stored = await fixture.sql<{ slug: string; name: string }>(`SELECT slug, name FROM provider WHERE dataset = 'live'`)
    const bySlug = (a: { slug: string }, b: { slug: string }) => (a.slug < b.slug ? -1 : 1)
    expect(data.toSorted(bySlug)).toEqual(stored.toSorted(bySlug))
  })

  verifies('reference/providers-active-only', async () => {
    const { key } = await fixture.live()
    const before = (await fixture.get('/reference/providers', key)).body.data
    const gone = before[3]
    await fixture.sql(`UPDATE provider SET active = false WHERE dataset = 'live' AND slug = $1`, [gone.slug])
    await marketChanged(fixture)
    try {
      const after = (await fixture.get('/reference/providers', key)).body.data
      expect(after).toEqual(before.filter((row: { slug: string }) => row.slug !== gone.slug))
      const products = (await fixture.get('/reference/products', key)).body.data as { providerSlug: string }[]
      expect(products.some((row) => row.providerSlug === gone.slug)).toBe(false)
      expectError(await fixture.get(`/rates?provider=${gone.slug}`, key), 400, 'invalid_request')
    } finally {
      await fixture.sql(`UPDATE provider SET active = true WHERE dataset = 'live'`)
      await marketChanged(fixture)
    }
  })

  verifies('reference/cards-items', async () => {
    const { key } = await fixture.live()
    const { data } = (await fixture.get('/reference/cards', key)).body
    const stored = await fixture.sql(
      `SELECT source_key AS "sourceKey", name, provider_name AS provider, provider_slug AS "providerSlug", list FROM card WHERE dataset = 'live' ORDER BY source_key COLLATE "C"`,
    )
    expect(data).toEqual(stored)
    expect(new Set(data.map((row: { list: string }) => row.list))).toEqual(new Set(['rewards', 'travel']))
  })

  verifies('reference/currencies-items', async () => {
    const { key } = await fixture.live()
    const { data } = (await fixture.get('/reference/currencies', key)).body
    expect(shapes(data)).toEqual(new Set(['code,name,region']))
    for (const row of data) expect([/^[A-Z]{3}$/.test(row.code), row.name.length > 2, row.region.length > 2]).toEqual([true, true, true])
    const codes = data.map((row: { code: string }) => row.code)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).toEqual(expect.arrayContaining(['EUR', 'USD', 'JPY', 'CHF', 'AUD']))
  })

  verifies(['reference/account-types-items', 'reference/account-types-values'], async () => {
    const { key } = await fixture.live()
    const { data } = (await fixture.get('/reference/account-types', key)).body
    expect(data.map((row: { value: string }) => row.value)).toEqual([
      'all',
      'easy-access',
      'fixed-rate',
      'notice',
      'cash-isa',
      'junior-isa',
      'lifetime-isa',
      'stocks-shares-isa',
      'regular-saver',
      'childrens-savings',
    ])
    for (const row of data) expect([typeof row.label, row.description.length > 15]).toEqual(['string', true])
  })

  verifies(['reference/fscs-legal-name', 'reference/fscs-scheme', 'reference/fscs-country', 'reference/fscs-owner'], async () => {
    for (const row of await getBrands(fixture)) {
      for (const name of ['brand', 'legalName', 'scheme', 'country', 'owner', 'ownerCountry']) expect(row[name], `${row.brand} ${name}`).toMatch(/^\S.+$/)
    }
  })

  verifies('reference/fscs-shared-licence', async () => {
    const brands = await getBrands(fixture)
    const byName = new Map(brands.map((row) => [row.brand, row]))
    expect(byName.size).toBe(brands.length)
    for (const row of brands) {
      const group = brands.filter((other) => other.licenceGroup === row.licenceGroup && other !== row).map((other) => other.brand)
      expect(row.sharesLicenceWith.toSorted(), row.brand).toEqual(group.toSorted())
      for (const other of row.sharesLicenceWith) expect(byName.get(other)?.sharesLicenceWith).toContain(row.brand)
    }
    // These two brands are publicly known to share the licence of Bank of Scotland plc.
    expect(byName.get('Halifax')?.sharesLicenceWith).toContain('Bank of Scotland')
  })

  verifies('reference/fscs-provider-slug', async () => {
    const [provider] = await fixture.sql<{ slug: string; name: string }>(`SELECT slug, name FROM provider WHERE dataset = 'live' ORDER BY slug LIMIT 1`)
    for (const row of await getBrands(fixture)) expect(row.providerSlug).toBeNull()
    const rename = async (name: string | undefined) => {
      await fixture.sql(`UPDATE provider SET name = $2 WHERE dataset = 'live' AND slug = $1`, [provider?.slug, name])
      await marketChanged(fixture)
    }
    try {
      for (const [name, brand] of [
        ['Halifax', 'Halifax'],
        ['Nationwide Building Society', 'Nationwide'],
      ]) {
        await rename(name)
        const slugs = (await getBrands(fixture)).filter((row) => row.providerSlug !== null).map((row) => [row.brand, row.providerSlug])
        expect(slugs).toEqual([[brand, provider?.slug]])
      }
    } finally {
      await rename(provider?.name)
    }
  })

  verifies('reference/fscs-limits-as-numbers', async () => {
    for (const row of await getBrands(fixture)) {
      expect(row).toMatchObject({ fscsLimit: 120_000, fscsJointLimit: 240_000, temporaryHighBalanceLimit: 1_400_000, temporaryHighBalanceMonths: 6 })
      expect(row['limit'] === null || typeof row['limit'] === 'number').toBe(true)
      if (row.scheme === 'FSCS' && row.isBank) expect([row.brand, row['limit'], row['limitCurrency']]).toEqual([row.brand, 120_000, 'GBP'])
    }
  })

  verifies(
    [
      'reference/fscs-covers-uk-banks',
      'reference/fscs-covers-ns-and-i',
      'reference/fscs-covers-eu-and-offshore',
      'reference/fscs-covers-platforms-and-e-money',
    ],
    async () => {
      const brands = await getBrands(fixture)
      expect(brands.filter((row) => row.isBank && row.scheme === 'FSCS' && row['country'] === 'United Kingdom').length).toBeGreaterThan(100)
      expect(brands.find((row) => row.brand === 'NS&I')).toMatchObject({ isBank: true, limit: null })
      const abroad = brands.filter((row) => row.isBank && row['country'] !== 'United Kingdom')
      const countries = new Set(abroad.map((row) => row['country']))
      for (const country of ['Jersey', 'Guernsey', 'Isle of Man', 'Germany', 'Ireland']) expect(countries.has(country), country).toBe(true)
      for (const row of abroad) expect(row.scheme).not.toBe('FSCS')
      expect(brands.filter((row) => !row.isBank).length).toBeGreaterThan(3)
    },
  )

  verifies('decision/reference-true-for-test-keys', async () => {
    const { key } = await fixture.live()
    const test = await fixture.test()
    for (const name of ['account-types', 'currencies', 'fscs']) {
      const [live, sample] = [await fixture.get(`/reference/${name}`, key), await fixture.get(`/reference/${name}`, test.key)]
      expect(sample.body.data, name).toEqual(live.body.data)
    }
    const sample = (await fixture.get('/reference/products', test.key)).body.data
    expect(sample).toHaveLength(40)
    expect(sample).not.toEqual((await fixture.get('/reference/products', key)).body.data)
  })
})
