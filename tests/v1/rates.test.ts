import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'

type Row = {
  sourceKey: string
  provider: string
  providerSlug: string
  accountType: string
  rate: string
  boostRate: string
  baseRate: string
  boostDuration: string | null
  fscsDetails: string
  minBalance: number
  maxBalance: number | null
  matchReasons: string[]
}

type Page = { data: Row[]; meta: { nextCursor: string | null } }

/** Fetches all rows of a query, page by page. */
async function allRows(fixture: Fixture, query: string): Promise<Row[]> {
  const { key } = await fixture.live({ credits: 5_000 })
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: Page } = await fixture.get(`/rates?limit=50&${query}${cursor && `&cursor=${cursor}`}`, key)
    rows.push(...body.data)
    cursor = body.meta.nextCursor
  }
  return rows
}

/** Returns the keys of the listed products that match a condition, best rate first. */
async function storedKeys(fixture: Fixture, where = 'true', values: unknown[] = []): Promise<string[]> {
  const rows = await fixture.sql<{ source_key: string }>(
    `SELECT source_key FROM product WHERE dataset = 'live' AND withdrawn_at IS NULL AND ${where} ORDER BY rate_bp DESC, source_key COLLATE "C"`,
    values,
  )
  return rows.map((row) => row.source_key)
}

const getKeys = (rows: Row[]) => rows.map((row) => row.sourceKey)

/** Parses `Ranks joint 3rd by rate of 1,204 …`. */
function rankIn(reason: string): { joint: boolean; place: number; of: number } | null {
  const found = /^Ranks (joint )?([\d,]+)(?:st|nd|rd|th) by rate of ([\d,]+) /.exec(reason)
  const number = (text = '') => Number(text.replaceAll(',', ''))
  return found ? { joint: found[1] !== undefined, place: number(found[2]), of: number(found[3]) } : null
}

/** Checks that the match reasons of a row are correct, given all rows. */
function checkReasons(row: Row, rows: readonly Row[]): void {
  for (const reason of row.matchReasons) expect(reason).toMatch(/^\S.{5,}$/)
  const better = rows.filter((other) => Number(other.rate) > Number(row.rate)).length
  const same = rows.filter((other) => other.rate === row.rate).length
  expect(rankIn(row.matchReasons[0] ?? ''), row.matchReasons[0]).toEqual({ joint: same > 1, place: better + 1, of: rows.length })
  expect(row.matchReasons).toContain(row.fscsDetails)
  const bonus = row.matchReasons.filter((reason) => reason.includes('bonus'))
  expect(bonus).toEqual(row.boostRate === '0.00' ? [] : [`Includes a ${row.boostRate}% bonus for ${row.boostDuration}; ${row.baseRate}% after`])
}

onEachMount((fixture) => {
  verifies('rates/lists-every-product', async () => {
    const rows = await allRows(fixture, '')
    const stored = await storedKeys(fixture)
    expect(stored.length).toBeGreaterThan(1_000)
    expect(getKeys(rows)).toEqual(stored)
  })

  verifies(['rates/type-filter', 'reference/account-types-accepted-by-rates'], async () => {
    const { key } = await fixture.live()
    const types = (await fixture.get('/reference/account-types', key)).body.data as { value: string; label: string }[]
    expect(types).toHaveLength(10)
    for (const { value, label } of types.filter((type) => type.value !== 'all' && !['easy-access', 'fixed-rate'].includes(type.value))) {
      const rows = await allRows(fixture, `type=${value}`)
      expect(getKeys(rows), value).toEqual(await storedKeys(fixture, 'account_type = $1', [value]))
      expect(new Set(rows.map((row) => row.accountType)), value).toEqual(new Set([label]))
    }
    for (const { value } of types) expect((await fixture.get(`/rates?type=${value}&limit=1`, key)).status, value).toBe(200)
  })

  verifies('rates/type-all', async () => {
    const all = await allRows(fixture, 'type=all')
    expect(getKeys(all)).toEqual(await storedKeys(fixture))
    expect(new Set(all.map((row) => row.accountType)).size).toBe(9)
  })

  verifies('rates/provider-filter', async () => {
    const providers = await fixture.sql<{ slug: string }>(
      `SELECT provider_slug AS slug FROM product WHERE dataset = 'live' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3`,
    )
    for (const { slug } of providers) {
      const rows = await allRows(fixture, `provider=${slug}`)
      expect(getKeys(rows), slug).toEqual(await storedKeys(fixture, 'provider_slug = $1', [slug]))
      expect(rows.length).toBeGreaterThan(0)
    }
    const [{ slug }] = providers as [{ slug: string }]
    expect(getKeys(await allRows(fixture, `provider=${slug}&type=easy-access`))).toEqual(
      await storedKeys(fixture, `provider_slug = $1 AND account_type = 'easy-access'`, [slug]),
    )
  })

  verifies('rates/amount-filter', async () => {
    for (const [amount, pence] of [
      ['0.01', 1],
      ['100', 10_000],
      ['85000', 8_500_000],
      ['2000000', 200_000_000],
    ] as const) {
      const rows = await allRows(fixture, `type=notice&amount=${amount}`)
      const where = `account_type = 'notice' AND min_balance_pence <= $1 AND (max_balance_pence IS NULL OR max_balance_pence >= $1)`
      expect(getKeys(rows), amount).toEqual(await storedKeys(fixture, where, [pence]))
    }
    const [edge] = await fixture.sql<{ source_key: string; min: string; max: string; type: string }>(
      `SELECT source_key, min_balance_pence AS min, max_balance_pence AS max, account_type AS type FROM product
       WHERE dataset = 'live' AND account_type = 'notice' AND max_balance_pence IS NOT NULL AND min_balance_pence > 0 LIMIT 1`,
    )
    const found = async (pence: number) => getKeys(await allRows(fixture, `type=notice&amount=${pence / 100}`)).includes(edge?.source_key ?? '')
    const [min, max] = [Number(edge?.min), Number(edge?.max)]
    expect([await found(min - 1), await found(min), await found(max), await found(max + 1)]).toEqual([false, true, true, false])
  })

  verifies(['rates/amount-explained', 'product/match-reasons-filters'], async () => {
    const { key } = await fixture.live()
    const [first] = (await fixture.get('/rates?limit=1&type=notice', key)).body.data as [Row]
    const { body } = await fixture.get(`/rates?type=notice&provider=${first.providerSlug}&amount=${first.minBalance}&limit=5`, key)
    expect(body.data.length).toBeGreaterThan(0)
    const money = (pounds: number) => `£${pounds.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
    for (const row of body.data as Row[]) {
      expect(row.matchReasons).toContain('Account type: Notice')
      expect(row.matchReasons).toContain(`Provider: ${first.provider}`)
      const top = row.maxBalance === null ? 'with no maximum' : `to ${money(row.maxBalance)}`
      expect(row.matchReasons).toContain(`Accepts a balance of ${money(first.minBalance)}: from ${money(row.minBalance)} ${top}`)
    }
    const plain = (await fixture.get('/rates?limit=5', key)).body.data as Row[]
    for (const row of plain) expect(row.matchReasons.join('\n')).not.toMatch(/Account type:|Provider:|Accepts a balance/)
  })

  verifies(['product/match-reasons', 'product/match-reasons-rank', 'product/match-reasons-bonus', 'product/match-reasons-fscs'], async () => {
    for (const query of ['type=regular-saver', 'type=lifetime-isa', 'type=notice&amount=5000']) {
      const rows = await allRows(fixture, query)
      for (const row of rows) checkReasons(row, rows)
    }
    const boosted = await fixture.sql<{ source_key: string }>(`SELECT source_key FROM product WHERE dataset = 'live' AND boost_rate_bp > 0 LIMIT 3`)
    const { key } = await fixture.live()
    for (const { source_key } of boosted) expect((await fixture.get(`/rates/${source_key}`, key)).body.data.matchReasons.join('\n')).toContain('bonus')
  })

  verifies('rates/single-product', async () => {
    const { key } = await fixture.live()
    const product = await fixture.productKey()
    const { status, body } = await fixture.get(`/rates/${product}`, key)
    expect([status, body.data.sourceKey, body.meta.creditsCharged, 'limit' in body.meta]).toEqual([200, product, 1, false])
    const [stored] = await fixture.sql<{ rate_bp: number; type: string }>(
      'SELECT rate_bp, account_type AS type FROM product WHERE dataset = $1 AND source_key = $2',
      ['live', product],
    )
    const among = await storedKeys(fixture, 'account_type = $1', [stored?.type])
    const better = await storedKeys(fixture, 'account_type = $1 AND rate_bp > $2', [stored?.type, stored?.rate_bp])
    expect(rankIn(body.data.matchReasons[0])).toMatchObject({ place: better.length + 1, of: among.length })
  })

  verifies(['rates/single-unknown-404', 'rates/link-unknown-404'], async () => {
    const { key, account } = await fixture.live()
    const sample = await fixture.productKey('sample')
    for (const product of ['none', sample, 'x'.repeat(200), 'a%20b', '%F0%9F%92%B0', 'a%2Fb']) {
      for (const path of [`/rates/${product}`, `/rates/${product}/link`]) expectError(await fixture.get(path, key), 404, 'not_found')
    }
    const test = await fixture.test()
    expectError(await fixture.get(`/rates/${await fixture.productKey()}`, test.key), 404, 'not_found')
    expect(await fixture.balance(account)).toBe(100)
  })

  verifies(['rates/link-single-object', 'rates/link-provider-page'], async () => {
    const { key } = await fixture.live()
    const product = await fixture.productKey()
    const { status, body } = await fixture.get(`/rates/${product}/link`, key)
    const [stored] = await fixture.sql<{ url: string; slug: string; site: string }>(
      `SELECT p.url, v.slug, v.website AS site FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug WHERE p.dataset = 'live' AND p.source_key = $1`,
      [product],
    )
    expect(status).toBe(200)
    expect(Object.keys(body.data).toSorted()).toEqual(['accountName', 'checkedAt', 'provider', 'providerSlug', 'sourceKey', 'url'])
    expect(body.data).toMatchObject({ sourceKey: product, providerSlug: stored?.slug, url: stored?.url })
    expect(body.data.url.startsWith(stored?.site)).toBe(true)
    expect(body.meta.creditsCharged).toBe(1)
  })
})
