import { expect, test } from 'vitest'
import { serviceStatus } from '#server/api/documents/site/service-status.ts'
import { noMovement } from '#server/market/figures/movement.ts'
import { MarketView } from '#server/market/market-view.ts'
import { Statistics } from '#server/market/statistics/statistics.ts'

const asOf = '2026-11-20'
const origin = { source: 'test', licence: 'none', fetchedAt: `${asOf}T07:00:00.000Z` }
const series = ['IUDBEDR', 'FM.D.U2.EUR.4F.KR.DFR.LEV', 'D7G7']

/** Returns the status `days` after the date of the latest figures, if rates last changed `ratesAfter` days after that date. */
function stateAfter(days: number, { ratesAfter = days, market = true } = {}) {
  const dayAfter = (count: number) => Date.parse(asOf) + count * 86_400_000
  const rows = {
    statistics: series.map((code) => ({ series: code, date: asOf, value: '4', ...origin })),
    fxDays: [{ date: asOf, rates: 'EUR 1.15', ...origin }],
    releases: [],
  }
  const movement = { ...noMovement, asOf: new Date(dayAfter(ratesAfter)).toISOString() }
  const live = new MarketView({ providers: [], products: [], cards: [], movement, statistics: new Statistics(rows, () => dayAfter(days)) })
  const facts = { publicUrl: 'https://api.example.test', licence: 'v2026-09', live, sample: live, overrides: new Map(), deprecation: null, sunset: null }
  return serviceStatus({ database: true, writable: true, migrated: true, market }, facts, dayAfter(days)).state
}

test('is operational only if everything works and all figures are recent', () => {
  expect(stateAfter(1)).toBe('working')
  expect(stateAfter(1, { market: false })).toBe('broken')
})

test('reports outdated figures or rates', () => {
  expect(stateAfter(6)).toBe('behind')
  expect(stateAfter(4, { ratesAfter: 0 })).toBe('behind')
  expect(stateAfter(400, { market: false })).toBe('broken')
})
