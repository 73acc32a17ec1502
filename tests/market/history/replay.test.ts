import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FeedError } from '#server/market/import/feed-faults.ts'
import { type Feed, type ImportReport, importFeed } from '#server/market/import/import-feed.ts'
import { type Line, ndjson, product, provider } from '../feeds.ts'
import { marketDatabase, readRows, readVersions } from '../market-database.ts'
import { checkHistory, eventsFor, storedChanges, storedEvents } from './stored-history.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

/** Only a few rates, so that products often keep their rate or return to an earlier one. */
const terms = fc.constantFrom(
  { rate: '4.00', baseRate: '4.00', boostRate: null, boostDuration: null },
  { rate: '4.25', baseRate: '4.25', boostRate: null, boostDuration: null },
  { rate: '4.25', baseRate: '3.00', boostRate: '1.25', boostDuration: '12 months' },
  { rate: '4.25', baseRate: '3.00', boostRate: '1.25', boostDuration: '6 months' },
  { rate: '3.10', baseRate: '3.10', boostRate: null, boostDuration: null },
)
const keys = ['a', 'b', 'c', 'd', 'e']
const listing = fc.record({
  sourceKey: fc.constantFrom(...keys),
  terms,
  providerSlug: fc.constantFrom('harrow', 'harrow', 'kestrel'),
  accountType: fc.constantFrom('easy-access', 'easy-access', 'easy-access', 'cash-isa'),
})
const listings = fc
  .uniqueArray(listing, { minLength: 1, maxLength: 5, selector: ({ sourceKey }) => sourceKey })
  .map((all) => all.map(({ sourceKey, terms: own, ...facts }) => product(sourceKey, { ...own, ...facts })))

/** Past changes of one product, valid or invalid. Most sequences end with the terms with which the product was first listed. */
const past = fc.record({
  sourceKey: fc.constantFrom(...keys, 'nowhere'),
  steps: fc.array(fc.option(terms, { freq: 5 }), { minLength: 1, maxLength: 4 }),
  year: fc.integer({ min: 2015, max: 2024 }),
  fits: fc.integer({ min: 0, max: 4 }).map((chance) => chance > 0),
})

type Past = { sourceKey: string; steps: (Line | null)[]; year: number; fits: boolean }

async function getLines({ sourceKey, steps, year, fits }: Past): Promise<Line[]> {
  const [first] = (await storedChanges(market.pool)).filter((change) => change.source_key === sourceKey)
  const percent = (bp: number | null) => ((bp ?? 0) / 100).toFixed(2)
  const end = first && {
    rate: percent(first.rate_bp),
    baseRate: percent(first.base_rate_bp),
    boostRate: first.boost_rate_bp ? percent(first.boost_rate_bp) : null,
    boostDuration: first.boost_duration,
  }
  const all = fits && end ? [...steps, end] : steps
  const kept = all.filter((step, index) => JSON.stringify(step) !== JSON.stringify(all[index - 1]) && (step !== null || index > 0))
  return kept.map((step, index) => ({
    kind: 'rate_history',
    sourceKey,
    effectiveDate: `${year}-0${index + 1}-15`,
    ...(step === null ? { withdrawn: true } : step),
  }))
}

type Step = { kind: 'products'; lines: Line[]; partial: boolean } | { kind: 'providers'; names: string[] } | { kind: 'past'; past: Past }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('products' as const), lines: listings, partial: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('providers' as const), names: fc.subarray(['harrow', 'kestrel'], { minLength: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('past' as const), past }) },
)

const everything = async () => [await readRows(market.pool), await readVersions(market.pool), await storedChanges(market.pool), await storedEvents(market.pool)]

/** Imports a feed twice and asserts that the second import changes nothing. A rejected feed must change nothing at all. */
async function takeTwice(lines: Line[], options: Partial<Feed>): Promise<ImportReport | null> {
  const before = await everything()
  try {
    const report = await take(lines, options)
    const after = await everything()
    expect(await take(lines, options)).toMatchObject({ added: 0, changed: 0, restored: 0, withdrawn: 0 })
    expect(await everything()).toEqual(after)
    return report
  } catch (fault) {
    if (!(fault instanceof FeedError)) throw fault
    expect(await everything()).toEqual(before)
    return null
  }
}

async function go(one: Step): Promise<string> {
  if (one.kind === 'products') return `products ${(await takeTwice(one.lines, { partial: one.partial })) !== null}`
  if (one.kind === 'providers') {
    return `providers ${
      (await takeTwice(
        one.names.map((name) => provider(name)),
        {},
      )) !== null
    }`
  }
  const lines = await getLines(one.past)
  return lines.length === 0 ? 'past none' : `past ${(await takeTwice(lines, {})) !== null}`
}

test('after any sequence of feeds, replaying the history reproduces the served market exactly', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      await market.pool.query('TRUNCATE market_event, rate_change, product, provider CASCADE')
      await take([provider('harrow'), provider('kestrel')])
      const described: string[] = []
      for (const one of steps) {
        const done = await go(one)
        described.push(done)
        await checkHistory(market.pool)
      }
      for (const done of described) seen.set(done, (seen.get(done) ?? 0) + 1)
      const known = new Map((await storedChanges(market.pool)).map((change) => [change.seq, change]))
      const events = await storedEvents(market.pool)
      // A product's first history row may have become a rate change, or been removed, after its event was written.
      const firstKept = events.filter(({ seq, type }) => known.has(seq ?? '') && (type !== 'product.added' || known.get(seq ?? '')?.direction === 'launched'))
      expect(firstKept.map(({ seq, type, subject, change }) => ({ seq, type, subject, change }))).toEqual(
        eventsFor(firstKept.flatMap(({ seq }) => known.get(seq ?? '') ?? [])),
      )
      const unlisted = [...known.values()].filter(({ seq }) => !events.some((event) => event.seq === seq))
      expect(unlisted.every(({ effective_date }) => effective_date < '2025')).toBe(true)
    }),
    { numRuns: 40 },
  )
  // Every kind of step must have occurred, and the feeds with past changes must have been both accepted and rejected.
  expect([...seen.keys()].toSorted()).toEqual(expect.arrayContaining(['past false', 'past true', 'products true', 'providers true']))
}, 120_000)
