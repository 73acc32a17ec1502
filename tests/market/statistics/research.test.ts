/**
 * Compares the original research files with the data that the service returns from its trimmed copies. The service must return every confirmed value, and no
 * unconfirmed value.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { loadStatistics } from '#server/market/statistics/statistics.ts'
import { statisticsDatabase } from './statistics-database.ts'

const database = statisticsDatabase()

const research = (name: string) => JSON.parse(readFileSync(new URL(`research/${name}.json`, import.meta.url), 'utf8'))

async function seeded() {
  await seedStatistics(database.pool)
  return await loadStatistics(database.pool, () => Date.parse('2026-11-21T12:00:00Z'))
}

const percent = (valueBp: number | null) => (valueBp === null ? null : (valueBp / 100).toFixed(2))
const isKnown = (confidence: string) => /^(stored|high|derived)/.test(confidence)

type Monthly = { month: string; value: string }

test('serves every Bank Rate change in the research data', async () => {
  const changes: { date: string; rate: string; change: string | null }[] = research('bank-rate-history').changes
  const { history = [] } = (await seeded()).bankRate() ?? {}
  expect(history.map(({ date, rateBp }) => ({ date, rate: percent(rateBp) }))).toEqual(changes.map(({ date, rate }) => ({ date, rate })).reverse())
  expect(history.map(({ changeBp }) => changeBp)).toEqual(changes.map(({ change }) => (change === null ? null : Math.round(Number(change) * 100))).reverse())
})

test('serves every confirmed ECB rate', async () => {
  type Row = { effectiveDate: string; depositFacility: string; mainRefinancing: string | null; marginalLending: string; confidence: string }
  const rows: Row[] = research('ecb-key-rates').rates
  const { history = [] } = (await seeded()).ecbRates() ?? {}
  const expected = rows.map(({ effectiveDate, depositFacility, mainRefinancing, marginalLending, confidence }) => {
    const isRemembered = confidence.includes('the others own knowledge')
    return { effectiveDate, depositFacility, mainRefinancing: isRemembered ? null : mainRefinancing, marginalLending: isRemembered ? null : marginalLending }
  })
  const served = history.map(({ effectiveDate, depositFacilityBp, mainRefinancingBp, marginalLendingBp }) => ({
    effectiveDate,
    depositFacility: percent(depositFacilityBp),
    mainRefinancing: percent(mainRefinancingBp),
    marginalLending: percent(marginalLendingBp),
  }))
  expect(served).toEqual(expected.reverse())
})

test.each([
  ['D7G7', 'cpiBp'],
  ['L55O', 'cpihBp'],
  ['CZBH', 'rpiBp'],
] as const)('serves every confirmed value of %s', async (series, field) => {
  const points: (Monthly & { confidence: string })[] = research('ons-inflation').series[series].points
  const { history = [] } = (await seeded()).inflation() ?? {}
  for (const { month, value, confidence } of points) {
    // The confidence note on the RPI says that only the value for December 2025 is stored.
    const isServed = isKnown(confidence) || (month === '2025-12' && confidence.includes('Dec 2025 = 4.2 stored'))
    expect(percent(history.find((row) => row.month === month)?.[field] ?? null), month).toBe(isServed ? Number(value).toFixed(2) : null)
  }
  expect(history.filter((row) => row[field] !== null).length).toBeLessThanOrEqual(points.length)
})

test('serves the quoted and effective rates', async () => {
  const series: Record<string, { points: Monthly[] }> = research('boe-quoted-household-rates').series
  const served = (await seeded()).quotedRates()
  expect(served.map((rate) => rate.series).sort()).toEqual(Object.keys(series).sort())
  for (const { series: code, points } of served) {
    expect(points.map(({ date, valueBp }) => ({ month: date.slice(0, 7), value: percent(valueBp) }))).toEqual(
      series[code]?.points.map(({ month, value }) => ({ month, value })),
    )
  }
})

test('serves exchange rates with exactly the digits in the research data', async () => {
  const statistics = await seeded()
  const text = readFileSync(new URL('research/fx-history-gbp.json', import.meta.url), 'utf8')
  // The rates are read from the text, because JSON numbers would lose digits.
  const days = text.split('"date": ').slice(1)
  expect(days).toHaveLength(19)
  for (const day of days) {
    const date = day.slice(1, 11)
    const rates = [...day.matchAll(/"([A-Z]{3})": ([0-9.]+)/g)].map(([, currency, rate]) => [currency, rate])
    const { rows } = statistics.fxHistory({ from: date, to: date, limit: 50 })
    expect(rows.map(({ currency, rate }) => [currency, rate])).toEqual(rates.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
  }
})
