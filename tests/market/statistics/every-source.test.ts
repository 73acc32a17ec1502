/**
 * Runs every adapter over HTTP with its publisher's real file and with invalid responses, which must cause a clear error and leave the stored data unchanged.
 */
import { describe, expect, test } from 'vitest'
import { type FetchLimits, usualLimits } from '#server/market/sources/fetch-source.ts'
import { sourceNamed, sources } from '#server/market/sources/sources.ts'
import { type RefreshReport, refreshSources } from '#server/market/statistics/refresh.ts'
import { breaksOff, drips, type Publisher, publisher, says } from '../sources/publisher.ts'
import { cutOff, type SampleName, sample, turnedRound, webPage } from '../sources/samples.ts'
import { marketVersion, readAttempts, readValues, statisticsDatabase } from './statistics-database.ts'

const database = statisticsDatabase()
const now = Date.parse('2026-11-21T12:00:00Z')

/** Function that reverses those parts of a file whose order doesn't matter: lines, XML elements or JSON entries. */
type Turn = (text: string) => string

const linesBehind =
  (head: number): Turn =>
  (text) =>
    turnedRound(text, head)

/** Reverses the order of the elements for individual currencies, each of which is on its own line. */
const turnedCubes: Turn = (text) => {
  const cubes = [...text.matchAll(/<Cube currency[^>]*>/g)].map(([cube]) => cube).reverse()
  return text.replace(/<Cube currency[^>]*>/g, () => cubes.shift() ?? '')
}

const turnedMonths: Turn = (text) => {
  const file = JSON.parse(text) as { months: unknown[] }
  return JSON.stringify({ ...file, months: file.months.toReversed() })
}

/** Treats JSON as text, so that the digits of numbers stay unchanged. */
const turnedPrices: Turn = (text) => {
  const prices = [...text.matchAll(/"[a-z]{3}": [\d.]+/g)].map(([price]) => price).reverse()
  return text.replace(/"[a-z]{3}": [\d.]+/g, () => prices.shift() ?? '')
}

/** Returns an ONS sample relabelled as another series. The ONS publishes all series in the same file format. */
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

test('has a case for every source', () => {
  expect([...new Set(files.map(([source]) => source))].toSorted()).toEqual(sources.map(({ name }) => name).toSorted())
})

const limits: FetchLimits = { ...usualLimits, attemptMs: 3_000, totalMs: 10_000, maximumBytes: 100_000, attempts: 1, backoffMs: 1 }

async function refresh(name: string, site: Publisher, given: Partial<FetchLimits> = {}): Promise<RefreshReport[]> {
  const source = sourceNamed(name)
  if (!source) throw new Error(`Unknown source ${name}.`)
  const options = { contact: 'https://api.example.test', now: () => now, limits: { ...limits, ...given } }
  return await refreshSources(database.pool, [{ source, url: site.url }], options)
}

const everything = async () => [await readValues(database.pool), await marketVersion(database.pool)]

describe.each(files)('%s, %s', (name, _file, text, turn) => {
  /** Imports a valid response from a publisher. Returns the publisher and the database's resulting state. */
  async function importValid() {
    const site = await publisher(says(text))
    const [report] = await refresh(name, site)
    expect(report).toMatchObject({ outcome: 'read', values: expect.any(Number) })
    const state = await everything()
    expect(state[0]).not.toEqual([])
    return { site, report, state }
  }

  test('changes nothing for the same data in a different order', async () => {
    const { site, report, state } = await importValid()
    const turned = turn(text)
    expect(turned).not.toBe(text)
    site.answer = says(turned)
    expect(await refresh(name, site)).toEqual([{ ...report, changed: 0 }])
    expect(await everything()).toEqual(state)
  })

  test('reports a clear error and keeps the stored data for truncated, aborted, HTML, endless and slow responses', async () => {
    const { site, state } = await importValid()
    const cuts = cutOff(text)
    const instead: readonly (readonly [Publisher['answer'], string | RegExp, Partial<FetchLimits>])[] = [
      ...[3, 20, -1].map((place) => [says(cuts.at(place) ?? ''), /[a-z].*\.$/, {}] as const),
      [breaksOff(text), 'closed the connection', {}],
      [says(webPage, { 'content-type': 'text/html' }), 'a web page instead of', {}],
      [drips(text.repeat(Math.ceil(60_000 / text.length)), 1), 'The response is larger than 100000 bytes.', {}],
      [drips(text.slice(0, 20), 20), 'did not respond within 0.15 seconds', { attemptMs: 150 }],
      [() => undefined, 'did not respond within 0.15 seconds', { attemptMs: 150 }],
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
