import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'
import { getIds, listAll, percent, plenty, type Row } from './support/history.ts'

/** Returns the ids that match a condition, in history order. */
async function storedIds(fixture: Fixture, condition: string, values: unknown[] = []): Promise<string[]> {
  const rows = await fixture.sql<{ seq: string }>(
    `SELECT seq FROM rate_change WHERE dataset = 'live' AND ${condition} ORDER BY effective_date DESC, rate_change.seq DESC`,
    values,
  )
  return rows.map(({ seq }) => `hst_${Number(seq).toString(36).padStart(9, '0')}`)
}

const fieldsOfHistory = [
  'id',
  'sourceKey',
  'provider',
  'providerSlug',
  'accountName',
  'accountType',
  'previousRate',
  'newRate',
  'rateChange',
  'direction',
  'effectiveDate',
  'detectedAt',
  'previousEffectiveDate',
  'daysSincePreviousChange',
  'bankRateAtChange',
  'providerLogoUrl',
]

type Stored = {
  before: number | null
  after: number | null
  direction: string
  day: string
  since: string | null
  colour: string | null
  slug: string
}

function signed(before: number | null, after: number | null): string | null {
  if (before === null || after === null) return null
  const sign = after < before ? '-' : '+'
  return `${after === before ? '' : sign}${percent(Math.abs(after - before))}`
}

const orNull = (bp: number | null) => (bp === null ? null : percent(bp))

/** Converts a database row to the expected API row. */
const expected = ({ before, after, direction, day, since, colour, slug }: Stored) => ({
  previousRate: orNull(before),
  newRate: orNull(after),
  rateChange: signed(before, after),
  direction,
  effectiveDate: day,
  previousEffectiveDate: since,
  daysSincePreviousChange: since === null ? null : (Date.parse(day) - Date.parse(since)) / 86_400_000,
  bankRateAtChange: '3.75',
  providerLogoUrl: colour === null ? null : `https://api.example.test/logos/live/${slug}.svg`,
})

onEachMount((fixture) => {
  verifies(['market/history-rows', 'market/history-newest-first', 'reference/account-types-accepted-by-history'], async () => {
    const caller = await fixture.live(plenty)
    const types = (await fixture.get('/reference/account-types', caller.key)).body.data as { value: string; label: string }[]
    expect(types).toHaveLength(10)
    for (const { value, label } of types.filter((type) => type.value !== 'all')) {
      const path = `/history?type=${value}&from=2026-09-01`
      const rows = await listAll(fixture, caller, path)
      expect(getIds(rows), value).toEqual(await storedIds(fixture, `account_type = $1 AND effective_date >= '2026-09-01'`, [value]))
      expect(new Set(rows.map(({ accountType }) => accountType)), value).toEqual(new Set([label]))
    }
    const all = await listAll(fixture, caller, '/history?type=all&from=2026-11-01')
    expect(getIds(all)).toEqual(await storedIds(fixture, `effective_date >= '2026-11-01'`))
    expect(getIds(all)).toEqual(getIds(await listAll(fixture, caller, '/history?from=2026-11-01', 7)))
    expect(all.map(({ effectiveDate }) => effectiveDate)).toEqual(
      all
        .map(({ effectiveDate }) => effectiveDate)
        .toSorted()
        .reverse(),
    )
  })

  verifies(['market/history-filters', 'product/source-key-in-history-and-simulate'], async () => {
    const caller = await fixture.live(plenty)
    const [product] = await fixture.sql<{ key: string; slug: string; type: string }>(
      `SELECT source_key AS key, provider_slug AS slug, account_type AS type FROM rate_change WHERE dataset = 'live' AND direction = 'withdrawn' ORDER BY rate_change.seq LIMIT 1`,
    )
    const { key, slug, type } = product ?? { key: '', slug: '', type: '' }
    expect(getIds(await listAll(fixture, caller, `/history?sourceKey=${key}`, 3))).toEqual(await storedIds(fixture, 'source_key = $1', [key]))
    expect(getIds(await listAll(fixture, caller, `/history?provider=${slug}`))).toEqual(await storedIds(fixture, 'provider_slug = $1', [slug]))
    const both = await storedIds(fixture, `provider_slug = $1 AND account_type = $2 AND effective_date BETWEEN '2025-01-01' AND '2025-12-31'`, [slug, type])
    expect(getIds(await listAll(fixture, caller, `/history?provider=${slug}&type=${type}&from=2025-01-01&to=2025-12-31`, 4))).toEqual(both)
    expect(both.length).toBeGreaterThan(4)
    expect((await fixture.get(`/history?sourceKey=${key}&type=all&from=2026-11-20&to=2026-11-20`, caller.key)).body.data).toEqual([])
    const [listed] = (await fixture.get('/rates?limit=1', caller.key)).body.data
    expect((await fixture.get(`/history?sourceKey=${listed.sourceKey}&limit=1`, caller.key)).body.data[0].newRate).toBe(listed.rate)
    expect((await fixture.get(`/simulate?sourceKey=${listed.sourceKey}&amount=${listed.minBalance}&months=6`, caller.key)).status).toBe(200)
    for (const query of ['provider=no-such-bank', 'sourceKey=no-such-product', 'from=2026-02-30', 'from=2026-02-02&to=2026-02-01', 'type=savings']) {
      expectError(await fixture.get(`/history?${query}`, caller.key), 400, 'invalid_request')
      expectError(await fixture.get(`/history/components?${query}`, caller.key), 400, 'invalid_request')
    }
  })

  verifies(['market/history-row-fields', 'logos/on-history'], async () => {
    const caller = await fixture.live(plenty)
    const rows = await listAll(fixture, caller, '/history?from=2026-08-01&to=2026-09-10')
    const stored = await fixture.sql<Stored>(
      `SELECT r.seq, previous_rate_bp AS before, rate_bp AS after, direction, effective_date::text AS day, previous_effective_date::text AS since, v.colour, v.slug
       FROM rate_change r JOIN provider v ON v.dataset = r.dataset AND v.slug = r.provider_slug
       WHERE r.dataset = 'live' AND effective_date BETWEEN '2026-08-01' AND '2026-09-10' ORDER BY effective_date DESC, r.seq DESC`,
    )
    expect(new Set(rows.map(({ direction }) => direction))).toEqual(new Set(['up', 'down', 'launched', 'withdrawn', 'unchanged']))
    expect(rows).toEqual(stored.map((one) => expect.objectContaining(expected(one))))
    for (const row of rows) expect(Object.keys(row)).toEqual(fieldsOfHistory)
    const test = await fixture.test()
    const [sample] = (await fixture.get('/history?limit=1', test.key)).body.data
    expect(sample.providerLogoUrl).toMatch(/^https:\/\/api\.example\.test\/logos\/sample\//)
  })

  verifies('market/history-component-rows', async () => {
    const caller = await fixture.live(plenty)
    const rows = await listAll(fixture, caller, '/history/components?type=easy-access')
    const stored = await fixture.sql<{ seq: string; base: number; boost: number; duration: string | null; from: string; to: string | null }>(
      `SELECT * FROM (SELECT seq, rate_bp, base_rate_bp AS base, boost_rate_bp AS boost, boost_duration AS duration, account_type, effective_date::text AS from,
         lead(effective_date) OVER (PARTITION BY source_key ORDER BY effective_date, seq)::text AS to FROM rate_change WHERE dataset = 'live') r
       WHERE account_type = 'easy-access' AND rate_bp IS NOT NULL ORDER BY r.from DESC, r.seq DESC`,
    )
    expect(rows).toHaveLength(stored.length)
    expect(rows.map((row) => [row['baseRate'], row['boostRate'], row['rate'], row['boostDuration'], row['effectiveFrom'], row['effectiveTo']])).toEqual(
      stored.map(({ base, boost, duration, from, to }) => [percent(base), percent(boost), percent(base + boost), duration, from, to]),
    )
    const bonus = rows.find((row) => row['boostDuration'] === '12 months' && row['effectiveFrom'] !== '2024-02-29')
    const [year, ...rest] = String(bonus?.['effectiveFrom']).split('-')
    expect(bonus?.['boostEndsOn']).toBe([Number(year) + 1, ...rest].join('-'))
    expect(rows.filter((row) => row['boostRate'] === '0.00').every((row) => row['boostEndsOn'] === null)).toBe(true)
    // The current components of a product must equal its listed rates.
    const listed = await listAll(fixture, caller, '/rates?type=easy-access')
    const current = rows.filter((row) => row['effectiveTo'] === null)
    const terms = (row: Row) => [row.sourceKey, row['rate'], row['baseRate'], row['boostRate'], row['boostDuration']].join()
    expect(current.map(terms).toSorted()).toEqual(listed.map(terms).toSorted())
  })
})
