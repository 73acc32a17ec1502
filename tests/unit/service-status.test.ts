import { expect, test } from 'vitest'
import type { Incident } from '#server/api/contract/incidents.ts'
import { dataFreshness, serviceStatus } from '#server/api/documents/site/service-status.ts'
import { noMovement } from '#server/market/figures/movement.ts'
import { MarketView } from '#server/market/market-view.ts'
import { Statistics } from '#server/market/statistics/statistics.ts'

const asOf = '2026-11-20'
const origin = { source: 'test', licence: 'none', fetchedAt: `${asOf}T07:00:00.000Z` }
const series = ['IUDBEDR', 'FM.D.U2.EUR.4F.KR.DFR.LEV', 'D7G7']

/** Returns the freshness `days` after the date of the latest figures, if rates last changed `ratesAfter` days after that date. */
function freshnessAfter(days: number, ratesAfter = days) {
  const dayAfter = (count: number) => Date.parse(asOf) + count * 86_400_000
  const rows = {
    statistics: series.map((code) => ({ series: code, date: asOf, value: '4', ...origin })),
    fxDays: [{ date: asOf, rates: 'EUR 1.15', ...origin }],
    releases: [],
  }
  const movement = { ...noMovement, asOf: new Date(dayAfter(ratesAfter)).toISOString() }
  const live = new MarketView({ providers: [], products: [], cards: [], movement, statistics: new Statistics(rows, () => dayAfter(days)) })
  const config = { overrides: new Map(), deprecation: null, sunset: null, supportEmail: null }
  const facts = { publicUrl: 'https://api.example.test', licence: 'v2026-09', live, sample: live, ...config }
  const { isRatesOld, sources } = dataFreshness(facts, dayAfter(days))
  return [isRatesOld, sources.some(({ isStale }) => isStale)]
}

const ready = { database: true, writable: true, migrated: true, market: true }
const incident = { id: 'inc_1', title: 'Late', startedAt: new Date(asOf), resolvedAt: null, updates: [] } as const
const getState = (...incidents: Incident[]) => serviceStatus(ready, incidents).state

test('is operational if everything works, regardless of the age of the data', () => {
  expect(getState()).toBe('working')
  expect(serviceStatus({ ...ready, market: false }, []).state).toBe('broken')
  expect(serviceStatus({ ...ready, writable: null }, []).state).toBe('broken')
})

test('has the state of the worst open incident, unless a check fails', () => {
  const [minor, major] = [{ ...incident, impact: 'maintenance' } as const, { ...incident, impact: 'outage' } as const]
  expect([getState(minor), getState(minor, major)]).toEqual(['maintenance', 'outage'])
  expect(getState({ ...major, resolvedAt: new Date(asOf) }, { ...incident, impact: 'degraded' })).toBe('degraded')
  expect(serviceStatus({ ...ready, database: false }, [minor]).state).toBe('broken')
})

test('reports outdated rates and outdated statistics separately', () => {
  expect(freshnessAfter(1)).toEqual([false, false])
  expect(freshnessAfter(4, 0)).toEqual([true, expect.any(Boolean)])
  expect(freshnessAfter(6)).toEqual([false, true])
})
