import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import providerNames from '#server/market/data/provider-names.json' with { type: 'json' }
import { type FeedFile, generateMarket } from '#server/market/generate/generate-market.ts'
import { fscsLimits } from '#server/market/reference/fscs.ts'
import { sampleFiles } from '#server/market/seed.ts'
import { readWhole } from './feeds.ts'
import realNames from './real-names.json' with { type: 'json' }

const demonstration = generateMarket({ products: 1500, days: 730, seed: 2026 })
const sampleFolder = new URL('../../prisma/seed/sample/', import.meta.url)
const sample = sampleFiles.map((fileName) => ({
  fileName,
  text: readFileSync(new URL(fileName, sampleFolder), 'utf8'),
}))

const soldTypes = accountTypeValues.filter((type) => type !== 'all')

async function getRows(files: readonly FeedFile[], fileName: string) {
  const text = files.find((file) => file.fileName === fileName)?.text ?? ''
  return (await readWhole(text, fileName)).values
}

const invented = [
  ['demonstration', demonstration],
  ['sample', sample],
] as const

/** Returns the distinctive words of a firm's name. */
function distinctive(name: string): string {
  const plain = /^(?:the|and|of|bank|banking|savings|building|society|credit|union|cash|platform|money|plc|limited|ltd|uk|company|co|group|fictional)$/
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.filter((word) => !plain.test(word)).join(' ')
}

test('generates the same market only for the same seed', () => {
  expect(generateMarket({ products: 1500, days: 730, seed: 2026 })).toEqual(demonstration)
  expect(generateMarket({ products: 1500, days: 730, seed: 2027 })[1]?.text).not.toBe(demonstration[1]?.text)
})

test('generates a valid demonstration market with 120 providers and 1,500 products of all nine types', async () => {
  const providers = await getRows(demonstration, 'providers.ndjson')
  const products = await getRows(demonstration, 'products.ndjson')
  expect(providers).toHaveLength(120)
  expect(products).toHaveLength(1500)
  expect([...new Set(products.map(({ accountType }) => accountType))].sort()).toEqual([...soldTypes].sort())
  expect(new Set(products.map(({ providerSlug }) => providerSlug)).size).toBe(120)
  expect(new Set(providers.map(({ licenceGroup }) => licenceGroup)).size).toBeLessThan(120)
  expect(await getRows(demonstration, 'cards.ndjson')).toHaveLength(28)
})

test.each([
  ['easy-access', null, 248, 460],
  ['notice', null, 342, 455],
  ['fixed-rate', 12, 385, 466],
  ['cash-isa', null, 269, 450],
  ['cash-isa', 12, 379, 446],
])('generates %s rates (term: %s) with a mean near %i and a maximum of %i basis points', async (type, term, mean, top) => {
  const products = await getRows(demonstration, 'products.ndjson')
  const rates = products.filter((p) => p.accountType === type && p.termMonths === term).map(({ rate }) => Number(rate))
  const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  expect(Math.abs(average - mean)).toBeLessThan(15)
  expect(Math.max(...rates)).toBeLessThanOrEqual(top)
})

test('generates a best easy-access rate of about 4.5%', async () => {
  const products = await getRows(demonstration, 'products.ndjson')
  const best = Math.max(...products.filter(({ accountType }) => accountType === 'easy-access').map(({ rate }) => Number(rate)))
  expect(best).toBeGreaterThanOrEqual(440)
})

test('sets monthly limits, terms, notice periods and bonuses by account type', async () => {
  const products = await getRows(demonstration, 'products.ndjson')
  const of = (type: string) => products.filter(({ accountType }) => accountType === type)
  expect(of('regular-saver').every(({ maxMonthlyDeposit }) => maxMonthlyDeposit !== null)).toBe(true)
  expect(of('fixed-rate').every(({ termMonths }) => termMonths !== null)).toBe(true)
  expect(of('notice').every(({ noticeDays }) => noticeDays !== null)).toBe(true)
  expect(of('easy-access').filter(({ boostRate }) => boostRate !== 0).length).toBeGreaterThan(40)
})

test("never uses a real firm's name, and shares no name between the two markets", () => {
  const names = [...providerNames.demonstration, ...providerNames.sample]
  expect(providerNames.demonstration).toHaveLength(120)
  expect(new Set(names.map(distinctive)).size).toBe(130)
  const taken = names.filter((name) => real.some((other) => other.includes(` ${distinctive(name)} `)))
  expect(taken).toEqual([])
})

/** Returns all user-visible strings in a value: no keys, URLs, dates, numbers or codes. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('[') || value.startsWith('{') ? textsIn(JSON.parse(value)) : [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const real = [...new Set(realNames.map(distinctive))].filter((name) => name !== '').map((name) => ` ${name} `)

test.each(invented)('names no real firm in cards, offers and surveys of the %s market', async (_word, files) => {
  const named: string[] = []
  for (const fileName of ['cards', 'switch-offers', 'account-offers', 'service-quality'].map((name) => `${name}.ndjson`)) {
    const rows = await getRows(files, fileName)
    expect(rows.length).toBeGreaterThan(3)
    // Skips the region, because the survey region GB matches the name of the real GB Bank.
    const texts = rows.flatMap(({ region: _, surveyKey: __, ...row }) => textsIn(row)).filter((text) => !text.startsWith('https://'))
    named.push(...texts.filter((text) => real.some((name) => ` ${distinctive(text)} `.includes(name))))
  }
  expect(named).toEqual([])
})

test.each(invented)(
  'in the %s market, offers of £100 to £200 and survey scores exist for banks with current accounts, and are labelled as fictional',
  async (word, files) => {
    const banks = (await getRows(files, 'providers.ndjson')).filter(({ cassParticipant }) => cassParticipant).map(({ slug }) => slug)
    const offers = await getRows(files, 'switch-offers.ndjson')
    for (const { providerSlug, bonusAmount, exclusions, termsUrl, note } of offers) {
      expect(banks).toContain(providerSlug)
      expect(Number(bonusAmount)).toBeGreaterThanOrEqual(10_000)
      expect(Number(bonusAmount)).toBeLessThanOrEqual(20_000)
      expect(exclusions).not.toMatch(/invented|fictional/i)
      expect(note).toBe(`Fictional offer from the ${word} market.`)
      expect(termsUrl).toMatch(/^https:\/\/[a-z-]+\.example\//)
    }
    for (const { headline, note } of await getRows(files, 'account-offers.ndjson')) {
      expect(headline).not.toMatch(/invented|fictional/i)
      expect(note).toBe(`Fictional offer from the ${word} market.`)
    }
    const surveys = await getRows(files, 'service-quality.ndjson')
    expect(surveys.filter(({ region }) => region === 'GB').map(({ providerSlug }) => providerSlug)).toEqual(banks)
    expect(surveys.filter(({ region }) => region === 'NI').length).toBeGreaterThan(0)
    for (const { survey, publisher } of surveys) expect([survey, publisher]).toEqual([expect.stringContaining('invented'), expect.stringContaining('Invented')])
  },
)

test('includes open-ended offers in every market, so that offers never run out', async () => {
  for (const [, files] of invented) {
    const offers = [...(await getRows(files, 'switch-offers.ndjson')), ...(await getRows(files, 'account-offers.ndjson'))]
    expect(offers.filter(({ endDate }) => endDate === null).length).toBeGreaterThan(offers.length / 4)
  }
})

test('generates the committed sample files', () => {
  expect(generateMarket({ products: 40, days: 730, seed: 255, cast: 'sample' })).toEqual(sample)
})

test.each(invented)('labels all protection and legal text of the %s market as fictional', async (word, files) => {
  const cover = `£${fscsLimits.deposit / 1000},000`
  for (const provider of await getRows(files, 'providers.ndjson')) {
    expect(provider.legalName).toContain('(fictional)')
    expect(provider.protectionScheme).toContain(word)
    expect(provider.website).toMatch(/^https:\/\/[a-z-]+\.example\/$/)
  }
  for (const { fscsDetails, url } of await getRows(files, 'products.ndjson')) {
    expect(String(fscsDetails).toLowerCase()).toMatch(new RegExp(`^${word} (?:provider|platform): .* would `))
    expect(url).toMatch(/^https:\/\/[a-z-]+\.example\//)
    if (String(fscsDetails).includes('bank would')) expect(fscsDetails).toContain(cover)
  }
})

test('the sample files have about 40 products of all nine types, 10 providers and 8 cards', async () => {
  const providers = await getRows(sample, 'providers.ndjson')
  const products = await getRows(sample, 'products.ndjson')
  const cards = await getRows(sample, 'cards.ndjson')
  expect(providers).toHaveLength(10)
  expect(new Set(providers.map(({ licenceGroup }) => licenceGroup)).size).toBe(9)
  expect(providers.filter(({ colour }) => colour === null)).toHaveLength(1)
  expect(products).toHaveLength(40)
  expect([...new Set(products.map(({ accountType }) => accountType))].sort()).toEqual([...soldTypes].sort())
  expect(cards.map(({ list }) => list).sort()).toEqual([...Array(4).fill('rewards'), ...Array(4).fill('travel')])
  expect(cards.some(({ providerSlug }) => providerSlug === null)).toBe(true)
})

test('generates 20,000 unique keys for 20,000 products', () => {
  const [, products] = generateMarket({ products: 20_000, days: 0, seed: 7 })
  expect(new Set(products?.text.match(/"sourceKey":"[^"]+"/g)).size).toBe(20_000)
})
