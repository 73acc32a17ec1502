import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { percent } from './support/history.ts'

onEachMount((fixture) => {
  verifies(['market/rate-trends', 'logos/on-rate-trends'], async () => {
    const { key } = await fixture.test()
    const { status, body } = await fixture.get('/rate-trends?type=easy-access&days=60', key)
    expect(status).toBe(200)
    type Series = { seriesId: string; metric: string; points: { date: string; value: string }[]; first: string; last: string; change: string }
    const series = body.data as Series[]
    expect(series.map(({ seriesId }) => seriesId)).toEqual(['easy-access/best', 'easy-access/average', 'easy-access/median'])
    const days = await fixture.sql<{ date: string; best: number; sum: number; count: number; rates: number[] }>(
      `SELECT d::date::text AS date, max(rate_bp)::int AS best, sum(rate_bp)::int AS sum, count(*)::int AS count, array_agg(rate_bp ORDER BY rate_bp) AS rates
       FROM generate_series($1::date, $2::date, '1 day') d CROSS JOIN LATERAL (
         SELECT DISTINCT ON (source_key) source_key, rate_bp, account_type FROM rate_change
         WHERE dataset = 'sample' AND effective_date <= d ORDER BY source_key, effective_date DESC, rate_change.seq DESC) r
       WHERE rate_bp IS NOT NULL AND account_type = 'easy-access' GROUP BY d ORDER BY d`,
      [series[0]?.first, series[0]?.last],
    )
    expect(days).toHaveLength(61)
    const middle = ({ rates, count }: { rates: number[]; count: number }) =>
      ((rates[Math.floor((count - 1) / 2)] ?? 0) + (rates[Math.floor(count / 2)] ?? 0)) / 2
    const [best, average, median] = series.map(({ points }) => points)
    expect(best).toEqual(days.map((day) => ({ date: day.date, value: percent(day.best) })))
    expect(average).toEqual(days.map((day) => ({ date: day.date, value: percent(Math.floor(day.sum / day.count + 0.5)) })))
    expect(median).toEqual(days.map((day) => ({ date: day.date, value: percent(Math.floor(middle(day) + 0.5)) })))
    for (const { points, first, last, change } of series) {
      expect([first, last]).toEqual([points[0]?.date, points.at(-1)?.date])
      expect(Number(change)).toBeCloseTo(Number(points.at(-1)?.value) - Number(points[0]?.value), 6)
    }
    expect(body.data.every((one: object) => 'providerLogoUrl' in one)).toBe(true)
  })

  verifies('lists/fields-trim', 'trims each series to `fields`, and does not paginate', async () => {
    const { key } = await fixture.test()
    const whole = (await fixture.get('/rate-trends', key)).body
    const { status, body } = await fixture.get('/rate-trends?fields=seriesId,change', key)
    expect([status, body.meta.limit, body.meta.nextCursor]).toEqual([200, whole.data.length, null])
    expect(body.data).toEqual(whole.data.map(({ seriesId, change }: { seriesId: string; change: string }) => ({ seriesId, change })))
    expectError(await fixture.get('/rate-trends?fields=seriesid', key), 400, 'invalid_request')
    for (const paging of ['limit=5', 'cursor=x']) expectError(await fixture.get(`/rate-trends?${paging}`, key), 400, 'invalid_request')
  })

  verifies('market/rate-trends-about', async () => {
    const { key } = await fixture.test({}, {})
    const [product] = (await fixture.get('/rates?limit=1', key)).body.data
    const one = (await fixture.get(`/rate-trends?sourceKey=${product.sourceKey}`, key)).body.data
    expect(one).toHaveLength(1)
    expect(one[0]).toMatchObject({ metric: 'product', sourceKey: product.sourceKey, providerSlug: product.providerSlug, accountType: product.accountType })
    expect(one[0].points.at(-1).value).toBe(product.rate)
    expect(one[0].providerLogoUrl).toBe(product.providerLogoUrl)
    const own = (await fixture.get(`/rate-trends?provider=${product.providerSlug}&from=2025-06-01`, key)).body.data
    expect(own.length % 3).toBe(0)
    expect(own.every((series: { providerSlug: string; points: unknown[] }) => series.providerSlug === product.providerSlug && series.points.length < 105)).toBe(
      true,
    )
    const whole = (await fixture.get('/rate-trends', key)).body.data
    expect(whole).toHaveLength(27)
    for (const query of ['days=0', 'days=3654', 'days=30&from=2026-01-01', 'from=2099-01-01', 'provider=nobody']) {
      expectError(await fixture.get(`/rate-trends?${query}`, key), 400, 'invalid_request')
    }
  })
})
