import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkRecord } from '#server/market/checks/check-record.ts'
import { RelationChecks } from '#server/market/checks/check-relations.ts'
import { generateMarket } from '#server/market/generate/generate-market.ts'
import { isFeedKind } from '#server/market/import/feed-kind.ts'
import { importFeed, rehearseFeeds } from '#server/market/import/import-feed.ts'
import { sampleFiles } from '#server/market/seed.ts'
import { type Line, ndjson, product, provider, readWhole, switchOffer } from './feeds.ts'
import { marketDatabase } from './market-database.ts'

const market = marketDatabase()

const day = '2026-11-27'
const sampleFolder = new URL('../../prisma/seed/sample/', import.meta.url)
const sample = sampleFiles.map((fileName) => ({ fileName, text: readFileSync(new URL(fileName, sampleFolder), 'utf8') }))

/** Returns the contradictions in the records of a feed. */
async function checkFeed(text: string, fileName: string, relations = new RelationChecks(new Map())): Promise<string[]> {
  const { kind, values } = await readWhole(text, fileName)
  if (!isFeedKind(kind)) throw new Error(`Unknown kind: ${kind}.`)
  return values.flatMap((record) =>
    [...checkRecord(kind, record, day), ...relations.check(kind, record)].map(
      (problem) => `${record['sourceKey'] ?? record['offerKey'] ?? record['slug']} ${problem}`,
    ),
  )
}

test.each([
  ['demonstration', generateMarket({ products: 1500, days: 30, seed: 2026 })],
  ['large', generateMarket({ products: 20_000, days: 0, seed: 7 })],
  ['sample', sample],
])('finds no contradiction in the %s market', async (_name, files) => {
  const relations = new RelationChecks(new Map())
  for (const { fileName, text } of files) expect(await checkFeed(text, fileName, relations)).toEqual([])
})

const check = (line: Line) => checkFeed(ndjson(line), 'feed.ndjson')

const saver = { accountType: 'regular-saver', accountName: 'Regular Saver', maxMonthlyDeposit: '250.00', minBalance: '1.00' }

test.each<[string, Line, string]>([
  ['a maximum balance above a year of deposits', { ...saver, termMonths: 12, maxBalance: '15000.00' }, 'takes £250.00 a month for 12 months, £3,000.00 in all'],
  [
    'a maximum balance above the deposits before the first withdrawal',
    { ...saver, access: 'No withdrawals for 12 months', withdrawalsPerYear: 0, maxBalance: '15000.00' },
    '£3,000.00 in all',
  ],
  ['a regular saver without a monthly limit', { ...saver, maxMonthlyDeposit: null }, 'without a monthly limit'],
  ['a minimum above the monthly limit', { ...saver, minBalance: '251.00', maxBalance: null }, 'above its monthly limit'],
  ['easy access with notice', { noticeDays: 30 }, 'has a notice period'],
  ['easy access with a term', { termMonths: 12 }, 'has a term'],
  ['easy access without withdrawals', { access: 'Locked', withdrawalsPerYear: 0 }, 'allows no withdrawals'],
  ['unlimited access with a limit', { withdrawalsPerYear: 3 }, 'but limits withdrawals to 3 a year'],
  ['a stated number of withdrawals', { access: 'Up to 4 withdrawals a year', withdrawalsPerYear: 3 }, 'but withdrawalsPerYear is 3'],
  ['no stated withdrawals', { access: 'No withdrawals before maturity' }, 'but withdrawalsPerYear is missing'],
  ['a term in the name', { accountType: 'fixed-rate', accountName: '2 Year Bond', interestType: 'Fixed', termMonths: 12 }, 'a term of 24 months'],
  ['notice in the name', { accountType: 'notice', accountName: '90 Day Notice', noticeDays: 60 }, 'a notice period of 90 days'],
  ['notice in the withdrawal terms', { accountType: 'notice', access: "95 days' notice", noticeDays: 90 }, 'states "95 days\' notice", but noticeDays is 90'],
  ['a fixed term with access at any time', { accountType: 'fixed-rate', interestType: 'Fixed', termMonths: 12 }, 'but states "Withdraw at any time"'],
  ['interest at maturity without a term', { interestPaid: 'At maturity' }, 'pays interest at maturity, but has no term'],
  ['a bonus longer than the term', { termMonths: 6, boostDuration: '12 months' }, 'a bonus for 12 months, longer than its term of 6 months'],
  ['an account that has matured', { accountType: 'fixed-rate', termMonths: 12, maturityDate: '2026-11-27' }, 'matured on 2026-11-27'],
  ['a variable fixed rate', { accountType: 'fixed-rate', accountName: 'Bond', termMonths: 12 }, 'its rate is variable'],
  ['an ISA with a minimum above the yearly allowance', { accountType: 'lifetime-isa', minBalance: '5000.00' }, '£4,000.00 that can be paid in a tax year'],
  ['an outdated limit', { fscsDetails: 'Protected by the FSCS up to £85,000 per person.' }, 'the FSCS limit is £120,000'],
])('reports %s', async (_name, facts, problem) => {
  expect(await check(product('a', facts))).toContainEqual(expect.stringContaining(problem))
})

test.each<[Line, string | null]>([
  [{}, null],
  [{ protectionLimit: '85000.00' }, 'the FSCS limit is £120,000.00'],
  [{ protectionScheme: 'Jersey Bank Depositors Compensation Scheme', protectionLimit: '50000.00' }, null],
  [{ protectionScheme: 'Jersey Bank Depositors Compensation Scheme' }, 'differs from the limit of its protection scheme'],
  [{ providerType: 'e-money' }, 'which the FSCS does not protect directly'],
  [{ providerType: 'e-money', protectionScheme: 'Safeguarding (not FSCS)', protectionLimit: '0.00' }, null],
  [{ providerType: 'government', protectionScheme: 'HM Treasury guarantee', protectionLimit: null }, null],
])('compares the limit of a provider with its protection scheme (%#)', async (facts, problem) => {
  expect(await check(provider('harrow', facts))).toEqual(problem === null ? [] : [expect.stringContaining(problem)])
})

test('reports switch offers that exclude earlier customers but are not limited to new ones', async () => {
  const facts = { newCustomersOnly: false, excludedIfHeldSince: '2026-01-01', startDate: '2026-03-02' }
  expect(await check(switchOffer('a', facts))).toEqual(['a excludes earlier customers, but is not for new customers only'])
})

/** Provider that the test offers name. */
const named = (facts: Line = {}) => provider('harrow', { name: 'Harrow Bank', ...facts })
const eMoney = { providerType: 'e-money', protectionScheme: 'Safeguarding (not FSCS)', protectionLimit: '0.00' }
const fscs = { fscsDetails: 'Protected by the FSCS up to £120,000 per person.' }

test.each<[string, Line[], string | null]>([
  ['a product that states the cover of its provider', [named(), product('a', fscs)], null],
  ['FSCS protection at an e-money firm', [named(eMoney), product('a', fscs)], 'a states FSCS protection, but the scheme of Harrow Bank is "Safeguarding'],
  ['protection by a partner bank', [named(eMoney), product('a', { fscsDetails: 'Held at a partner bank, FSCS limit applies.' })], null],
  ['a statement that there is no FSCS protection', [named(eMoney), product('a', { fscsDetails: 'Not protected by the FSCS.' })], null],
  ['no FSCS protection at a bank', [named(), product('a', { fscsDetails: 'Not protected.' })], 'a does not state FSCS protection'],
  ['a product of an inactive provider', [named({ active: false }), product('a', fscs)], 'a is a product of Harrow Bank, which is not active'],
  ['an offer with another name', [named(), switchOffer('o', { provider: 'Harrow' })], 'o names the provider "Harrow", but its name is "Harrow Bank"'],
  [
    'a switch-service offer of a bank outside the switch service',
    [named({ cassParticipant: false }), switchOffer('o', { provider: 'Harrow Bank', cassParticipant: true })],
    'o is for the Current Account Switch Service, but Harrow Bank does not take part in it',
  ],
  [
    'different protection under one licence',
    [named({ licenceGroup: 'one' }), provider('brook', { licenceGroup: 'one', protectionLimit: '85000.00' })],
    'brook shares the licence one with Harrow Bank, but has FSCS (test provider), £85,000.00 instead of FSCS (test provider), £120,000.00',
  ],
])('compares records with each other: %s', async (_name, lines, problem) => {
  const relations = new RelationChecks(new Map())
  const found: string[] = []
  for (const line of lines) found.push(...(await checkFeed(ndjson(line), 'feed.ndjson', relations)))
  expect(found.filter((text) => !text.includes('FSCS limit is'))).toEqual(problem === null ? [] : [expect.stringContaining(problem)])
})

test("compares an imported feed with its dataset's providers, including in a dry run of both", async () => {
  const take = (lines: Line[], dataset: 'live' | 'sample' = 'live', dryRun = false) =>
    importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset, dryRun })
  await take([named(eMoney)])
  await take([named()], 'sample')
  const problem = 'Line 1: a states FSCS protection, but the scheme of Harrow Bank is "Safeguarding (not FSCS)".'
  expect((await take([product('a', fscs)])).warnings).toEqual([problem])
  expect((await take([product('a', fscs)], 'sample')).warnings).toEqual([])
  const feeds = [named(), product('a', fscs)].map((line) => ({ source: ndjson(line), fileName: 'feed.ndjson', dataset: 'live' as const }))
  expect((await rehearseFeeds(market.pool, feeds)).map(({ warnings }) => warnings)).toEqual([[], []])
})

test('lists the first contradictions in the import report, and imports the feed anyway', async () => {
  const take = (lines: Line[], dryRun = false) => importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', dryRun })
  expect(await take([named()])).toMatchObject({ warnings: [] })
  const lines = Array.from({ length: 22 }, (_, index) => product(`p${index}`, index === 0 ? {} : { noticeDays: 30 }))
  for (const dryRun of [true, false]) {
    const { added, warnings } = await take(lines, dryRun)
    expect(added).toBe(22)
    expect(warnings).toHaveLength(21)
    expect(warnings[0]).toBe('Line 2: p1 is an easy-access account, but has a notice period.')
    expect(warnings.at(-1)).toBe('Further warnings: 1.')
  }
})
