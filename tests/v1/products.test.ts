import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'
import { marketChanged } from './support/operator.ts'

type Row = Record<string, unknown> & { sourceKey: string; provider: string; providerSlug: string; rate: string; accountType: string; matchReasons: string[] }

type StoredRow = Record<string, string | number | boolean | Date | null> & { source_key: string; provider_slug: string; rate_bp: number; updated_at: Date }

const labels: Record<string, string> = {
  'easy-access': 'Easy access',
  'fixed-rate': 'Fixed rate',
  notice: 'Notice',
  'cash-isa': 'Cash ISA',
  'junior-isa': 'Junior ISA',
  'lifetime-isa': 'Lifetime ISA',
  'stocks-shares-isa': 'Stocks and shares ISA',
  'regular-saver': 'Regular saver',
  'childrens-savings': "Children's savings",
}

const isPercent = (value: unknown) => /^\d+\.\d\d$/.test(String(value)) && typeof value === 'string'
const getPercent = (bp: unknown) => `${Math.floor(Number(bp) / 100)}.${String(Number(bp) % 100).padStart(2, '0')}`
const getPounds = (pence: unknown) => (pence === null ? null : Number(pence) / 100)

/** Returns the best 150 products for an Enterprise account: several pages, with every label and with bonuses. */
async function getRows(fixture: Fixture): Promise<Row[]> {
  const { key } = await fixture.live({ credits: 1_000 })
  const rows: Row[] = []
  let cursor = ''
  for (let page = 0; page < 3; page++) {
    const { body } = await fixture.get(`/rates?limit=50${cursor}`, key)
    rows.push(...body.data)
    cursor = `&cursor=${body.meta.nextCursor}`
  }
  for (const type of ['lifetime-isa', 'regular-saver', 'stocks-shares-isa']) rows.push(...(await fixture.get(`/rates?type=${type}&limit=50`, key)).body.data)
  return rows
}

async function getStored(fixture: Fixture): Promise<Map<string, StoredRow>> {
  const stored = await fixture.sql<StoredRow>(
    `SELECT p.*, v.name AS provider_name, v.colour FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug WHERE p.dataset = 'live'`,
  )
  return new Map(stored.map((row) => [row.source_key, row]))
}

onEachMount((fixture) => {
  verifies(
    [
      'product/provider',
      'product/account-name',
      'product/account-type',
      'product/interest-paid',
      'product/interest-type',
      'product/access',
      'product/fscs-details',
    ],
    async () => {
      const stored = await getStored(fixture)
      for (const row of await getRows(fixture)) {
        const at = stored.get(row.sourceKey)
        expect(row).toMatchObject({
          provider: at?.['provider_name'],
          providerSlug: at?.provider_slug,
          accountName: at?.['account_name'],
          accountType: labels[String(at?.['account_type'])],
          interestPaid: at?.['interest_paid'],
          interestType: at?.['interest_type'],
          access: at?.['access'],
          fscsDetails: at?.['fscs_details'],
        })
        for (const name of ['provider', 'accountName', 'accountType', 'interestPaid', 'interestType', 'access', 'fscsDetails'])
          expect(row[name]).toMatch(/^\S.*\S$/)
      }
    },
  )

  verifies(['product/rate', 'product/base-rate', 'product/boost-rate', 'product/boost-duration', 'formats/rates-two-decimal-strings'], async () => {
    const stored = await getStored(fixture)
    const rows = await getRows(fixture)
    for (const row of rows) {
      const at = stored.get(row.sourceKey)
      expect([isPercent(row.rate), isPercent(row['baseRate']), isPercent(row['boostRate'])]).toEqual([true, true, true])
      expect([row.rate, row['baseRate'], row['boostRate']]).toEqual([
        getPercent(at?.rate_bp),
        getPercent(at?.['base_rate_bp']),
        getPercent(at?.['boost_rate_bp']),
      ])
      expect(Number(row.rate)).toBeCloseTo(Number(row['baseRate']) + Number(row['boostRate']), 9)
      expect(row['boostDuration']).toEqual(row['boostRate'] === '0.00' ? null : expect.stringMatching(/^\d+ months?$/))
    }
    expect(rows.filter((row) => row['boostDuration'] !== null).length).toBeGreaterThan(3)
  })

  verifies(['product/min-balance', 'product/max-balance', 'product/max-monthly-deposit', 'product/new-customers-only', 'product/updated-at'], async () => {
    const stored = await getStored(fixture)
    const rows = await getRows(fixture)
    for (const row of rows) {
      const at = stored.get(row.sourceKey)
      expect(row).toMatchObject({
        minBalance: getPounds(at?.['min_balance_pence']),
        maxBalance: getPounds(at?.['max_balance_pence']),
        maxMonthlyDeposit: getPounds(at?.['max_monthly_deposit_pence']),
        newCustomersOnly: at?.['new_customers_only'],
        updatedAt: at?.updated_at.toISOString(),
      })
      expect(typeof row['minBalance']).toBe('number')
      expect(typeof row['newCustomersOnly']).toBe('boolean')
      expect(row['updatedAt']).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    }
    for (const name of ['maxBalance', 'maxMonthlyDeposit']) {
      expect(new Set(rows.map((row) => (row[name] === null ? 'null' : typeof row[name]))), name).toEqual(new Set(['number', 'null']))
    }
  })

  verifies('product/source-key', async () => {
    const { key } = await fixture.live()
    const { body } = await fixture.get('/rates?limit=5', key)
    for (const row of body.data as Row[]) {
      expect(row.sourceKey).toMatch(/^\S+$/)
      const single = (await fixture.get(`/rates/${encodeURIComponent(row.sourceKey)}`, key)).body.data
      const { matchReasons: _many, ...fromList } = row
      const { matchReasons: _one, ...alone } = single
      expect(alone).toEqual(fromList)
    }
  })

  verifies('product/source-key-is-stable', async () => {
    const { key } = await fixture.live()
    const product = await fixture.productKey()
    const before = (await fixture.get(`/rates/${product}`, key)).body.data
    await fixture.sql(
      `UPDATE product SET account_name = 'Another Name', rate_bp = rate_bp + 7, base_rate_bp = base_rate_bp + 7, access = 'By post' WHERE dataset = 'live' AND source_key = $1`,
      [product],
    )
    await marketChanged(fixture)
    const after = (await fixture.get(`/rates/${product}`, key)).body.data
    expect(after).toMatchObject({ sourceKey: before.sourceKey, accountName: 'Another Name', access: 'By post' })
    expect(Number(after.rate)).toBeCloseTo(Number(before.rate) + 0.07, 9)
    expect((await fixture.get(`/rates/${product}/link`, key)).body.data).toMatchObject({ sourceKey: before.sourceKey, accountName: 'Another Name' })
  })

  verifies('product/provider-slug', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const providers = (await fixture.get('/reference/providers', key)).body.data as { slug: string; name: string }[]
    const nameBySlug = new Map(providers.map(({ slug, name }) => [slug, name]))
    for (const row of await getRows(fixture)) expect([row.providerSlug, nameBySlug.get(row.providerSlug)]).toEqual([row.providerSlug, row.provider])
  })

  verifies('product/depositscout-url', async () => {
    for (const row of await getRows(fixture)) expect(row['depositscoutUrl']).toBe(`https://api.example.test/products/${row.sourceKey}`)
  })

  verifies('product/no-provider-page', async () => {
    const { key } = await fixture.live()
    const stored = await getStored(fixture)
    const { text, body } = await fixture.get('/rates?limit=20', key)
    for (const row of body.data as Row[]) expect(text).not.toContain(String(stored.get(row.sourceKey)?.['url']))
    const [first] = body.data as Row[]
    expect((await fixture.get(`/rates/${first?.sourceKey}`, key)).text).not.toContain('.example/')
    expect((await fixture.get(`/rates/${first?.sourceKey}/link`, key)).body.data.url).toBe(stored.get(first?.sourceKey ?? '')?.['url'])
  })

  verifies(['product/logo-on-enterprise', 'product/logo-omitted-on-other-plans', 'logos/on-rates', 'logos/on-single-rate'], async () => {
    const product = await fixture.productKey()
    for (const plan of ['hobby', 'business', 'enterprise'] as const) {
      const { key } = await fixture.live({ plan })
      const list = (await fixture.get('/rates?limit=10', key)).body.data as Row[]
      const single = (await fixture.get(`/rates/${product}`, key)).body.data as Row
      for (const row of [...list, single]) expect(Object.hasOwn(row, 'providerLogoUrl'), plan).toBe(plan === 'enterprise')
      const shape = Object.keys(single).filter((name) => name !== 'providerLogoUrl')
      expect(shape).toHaveLength(26)
    }
  })

  verifies(['logos/absolute-https', 'logos/null-without-logo'], async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const stored = await getStored(fixture)
    const [without] = await fixture.sql<{ slug: string }>(
      `SELECT slug FROM provider v WHERE dataset = 'live' AND colour IS NULL AND EXISTS (SELECT FROM product p WHERE p.dataset = 'live' AND p.provider_slug = v.slug) LIMIT 1`,
    )
    for (const path of ['/rates?limit=50', `/rates?provider=${without?.slug}&limit=5`]) {
      for (const row of (await fixture.get(path, key)).body.data as Row[]) {
        const hasLogo = stored.get(row.sourceKey)?.['colour'] !== null
        expect(row['providerLogoUrl']).toBe(hasLogo ? `https://api.example.test/logos/live/${row.providerSlug}.svg` : null)
      }
    }
    const bare = (await fixture.get(`/rates?provider=${without?.slug}&limit=1`, key)).body.data as Row[]
    expect(bare[0]?.['providerLogoUrl']).toBeNull()
  })

  // The lean mount serves only the API; logos come from the site.
  if (fixture.mount === 'next') {
    verifies('logos/absolute-https', 'serves an SVG at the logo URL', async () => {
      const { key } = await fixture.live()
      const [row] = (await fixture.get('/rates?limit=1', key)).body.data as Row[]
      const url = new URL(String(row?.['providerLogoUrl']))
      const logo = await fetch(fixture.service.origin + url.pathname)
      expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(await logo.text()).toContain('<svg')
    })
  }

  verifies('logos/sample-on-test-keys', async () => {
    const { key } = await fixture.test({ plan: 'hobby' })
    const slugs = new Set((await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'sample'`)).map(({ slug }) => slug))
    const rows = (await fixture.get('/rates?limit=50', key)).body.data as Row[]
    expect(rows.filter((row) => row['providerLogoUrl'] !== null).length).toBeGreaterThan(20)
    for (const row of rows) {
      expect(slugs.has(row.providerSlug)).toBe(true)
      if (row['providerLogoUrl'] !== null) expect(row['providerLogoUrl']).toBe(`https://api.example.test/logos/sample/${row.providerSlug}.svg`)
    }
  })
})
