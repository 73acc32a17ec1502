import { describe, expect, test } from 'vitest'
import { type FetchLimits, usualLimits } from '../../../server/market/sources/fetch-source.ts'
import { sourceNamed, sources } from '../../../server/market/sources/sources.ts'
import { type RefreshReport, refreshSources } from '../../../server/market/statistics/refresh.ts'
import { breaksOff, drips, type Publisher, publisher, says } from '../sources/publisher.ts'
import { cutOff, type SampleName, sample, turnedRound, webPage } from '../sources/samples.ts'
import { marketVersion, readAttempts, readValues, statisticsDatabase } from './statistics-database.ts'

/** Every adapter, over HTTP, on its publisher's real file and on what may come instead of it: a clear error, and the old data stay. */

const database = statisticsDatabase()
const now = Date.parse('2026-11-21T12:00:00Z')

/** A file with all that can be in another order in the opposite one: lines, elements of XML, entries of JSON. */
type Turn = (text: string) => string

const linesBehind =
  (head: number): Turn =>
  (text) =>
    turnedRound(text, head)

/** Elements with one currency each, in the opposite order; each stands on a line of its own. */
const turnedCubes: Turn = (text) => {
  const cubes = [...text.matchAll(/<Cube currency[^>]*>/g)].map(([cube]) => cube).reverse()
  return text.replace(/<Cube currency[^>]*>/g, () => cubes.shift() ?? '')
}

const turnedMonths: Turn = (text) => {
  const file = JSON.parse(text) as { months: unknown[] }
  return JSON.stringify({ ...file, months: file.months.toReversed() })
}

/** As text, because the digits of a number have to stay as they are. */
const turnedPrices: Turn = (text) => {
  const prices = [...text.matchAll(/"[a-z]{3}": [\d.]+/g)].map(([price]) => price).reverse()
  return text.replace(/"[a-z]{3}": [\d.]+/g, () => prices.shift() ?? '')
}

/** The other series of an office come in files of the same form. */
const ofSeries = (name: SampleName, series: string) => sample(name).replaceAll('D7G7', series)

const files: readonly (readonly [source: string, name: SampleName, text: string, turn: Turn])[] = [
  ['boe-bank-rate', 'boe-iadb-IUDBEDR.csv', sample('boe-iadb-IUDBEDR.csv'), linesBehind(1)],
  ['boe-quoted-rates', 'boe-iadb-IUMWTFA.csv', sample('boe-iadb-IUMWTFA.csv'), linesBehind(1)],
  ['boe-effective-rates', 'boe-iadb-IUMWTFA.csv', sample('boe-iadb-IUMWTFA.csv').replace('IUMWTFA', 'CFMZ6IQ'), linesBehind(1)],
  ['ecb-key-rates', 'ecb-dfr.csv', sample('ecb-dfr.csv'), linesBehind(1)],
  ['ecb-fx-daily', 'eurofxref-daily.xml', sample('eurofxref-daily.xml'), turnedCubes],
  ['ecb-fx-recent', 'eurofxref-daily.xml', sample('eurofxref-daily.xml'), turnedCubes],
  ['ecb-fx-history', 'eurofxref-hist.csv', sample('eurofxref-hist.csv'), linesBehind(1)],
  ['ons-cpi', 'ons-d7g7-mm23.csv', sample('ons-d7g7-mm23.csv'), linesBehind(0)],
  ['ons-cpi', 'ons-d7g7-mm23.data.json', sample('ons-d7g7-mm23.data.json'), turnedMonths],
  ['ons-cpih', 'ons-d7g7-mm23.csv', ofSeries('ons-d7g7-mm23.csv', 'L55O'), linesBehind(0)],
  ['ons-rpi', 'ons-d7g7-mm23.data.json', ofSeries('ons-d7g7-mm23.data.json', 'CZBH'), turnedMonths],
  ['currency-api', 'npm-currency-api-gbp.json', sample('npm-currency-api-gbp.json'), turnedPrices],
]

test('no source is left out', () => {
  expect([...new Set(files.map(([source]) => source))].toSorted()).toEqual(sources.map(({ name }) => name).toSorted())
})

const limits: FetchLimits = { ...usualLimits, attemptMs: 3_000, totalMs: 10_000, maximumBytes: 100_000, attempts: 1, backoffMs: 1 }

async function refresh(name: string, site: Publisher, given: Partial<FetchLimits> = {}): Promise<RefreshReport[]> {
  const source = sourceNamed(name)
  if (!source) throw new Error(`There is no source ${name}.`)
  const options = { contact: 'https://api.example.test', now: () => now, limits: { ...limits, ...given } }
  return await refreshSources(database.pool, [{ source, url: site.url }], options)
}

const everything = async () => [await readValues(database.pool), await marketVersion(database.pool)]

describe.each(files)('%s, %s', (name, _file, text, turn) => {
  /** A publisher whose good answer has been taken in, and the state that this left. */
  async function taken() {
    const site = await publisher(says(text))
    const [report] = await refresh(name, site)
    expect(report).toMatchObject({ outcome: 'read', values: expect.any(Number) })
    const state = await everything()
    expect(state[0]).not.toEqual([])
    return { site, report, state }
  }

  test('in another order it says the same, and nothing changes', async () => {
    const { site, report, state } = await taken()
    const turned = turn(text)
    expect(turned).not.toBe(text)
    site.answer = says(turned)
    expect(await refresh(name, site)).toEqual([{ ...report, changed: 0 }])
    expect(await everything()).toEqual(state)
  })

  test('cut off, broken off, a web page, without end, slow: a clear error, and the old data stay', async () => {
    const { site, state } = await taken()
    const cuts = cutOff(text)
    const instead: readonly (readonly [Publisher['answer'], string | RegExp, Partial<FetchLimits>])[] = [
      ...[3, 20, -1].map((place) => [says(cuts.at(place) ?? ''), /[a-z].*\.$/, {}] as const),
      [breaksOff(text), 'broke off its answer', {}],
      [says(webPage, { 'content-type': 'text/html' }), 'a web page instead of', {}],
      [drips(text.repeat(Math.ceil(60_000 / text.length)), 1), 'The answer is larger than 100000 bytes.', {}],
      [drips(text.slice(0, 20), 20), 'did not answer in full within 0.15 seconds', { attemptMs: 150 }],
      [() => undefined, 'did not answer in full within 0.15 seconds', { attemptMs: 150 }],
    ]
    for (const [answer, message, given] of instead) {
      site.answer = answer
      const [report] = await refresh(name, site, given)
      expect(report).toMatchObject({ source: name, outcome: 'failed' })
      expect(report?.outcome === 'failed' ? report.error : '').toMatch(message)
      expect(await everything()).toEqual(state)
    }
    const attempts = await readAttempts(database.pool)
    expect(attempts.map(({ error }) => error === null)).toEqual([true, ...instead.map(() => false)])
    site.answer = says(text)
    expect(await refresh(name, site)).toMatchObject([{ outcome: 'read', changed: 0 }])
  })
})
