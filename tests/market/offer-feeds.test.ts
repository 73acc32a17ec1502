import { expect, test } from 'vitest'
import { z } from 'zod'
import { FeedError } from '#server/market/import/feed-faults.ts'
import { feedKinds, kindOfFileName } from '#server/market/import/feed-kind.ts'
import { feedSchemas } from '#server/market/import/feed-schema.ts'
import { accountOffer, card, type Line, ndjson, provider, readWhole, survey, switchOffer, travelCard } from './feeds.ts'

async function read(text: string, fileName = 'feed.ndjson') {
  return (await readWhole(text, fileName)).values
}

async function getFaults(text: string, fileName?: string) {
  const error = await read(text, fileName).catch((fault: unknown) => fault)
  if (error instanceof FeedError) return error.faults
  throw new Error(`The feed was not rejected: ${String(error)}`)
}

const withDetails = {
  provider: (facts: Line) => provider('a', facts),
  rewards: (facts: Line) => card('a', facts),
  travel: (facts: Line) => travelCard('a', facts),
  switch: (facts: Line) => switchOffer('a', facts),
  account: (facts: Line) => accountOffer('a', facts),
  survey: (facts: Line) => survey('harrow', 'GB', facts),
}

const other = {
  provider: provider('z'),
  rewards: card('z'),
  travel: card('z'),
  switch: switchOffer('z'),
  account: accountOffer('z'),
  survey: survey('z', 'GB', { overall: null }),
}

const score = (facts: Line = {}) => ({ percent: 70, rank: 2, rankOf: 17, ...facts })

test.each<[keyof typeof withDetails, Line, string, string | RegExp]>([
  ['provider', { trustScore: '5.1', trustSource: 'x', trustAsOf: '2026-11-01' }, 'trustScore', 'must be a score from 0.0 to 5.0 with one decimal, such as 4.3'],
  ['provider', { trustScore: '4.25', trustSource: 'x', trustAsOf: '2026-11-01' }, 'trustScore', /^must be a score/],
  ['provider', { trustScore: 4.3, trustAsOf: '2026-11-01' }, 'trustSource', 'is required with trustScore'],
  ['provider', { trustScore: 4.3, trustSource: 'x' }, 'trustAsOf', 'is required with trustScore'],
  ['rewards', { network: 'discover' }, 'network', 'must be one of visa, mastercard, amex'],
  ['rewards', { fxFee: null }, 'fxFee', 'is missing'],
  ['rewards', { representativeApr: '1000.01' }, 'representativeApr', 'must be a percentage from 0 to 1000 with at most two decimals, such as 4.50'],
  ['rewards', { rewardType: null }, 'rewardType', 'is required for cards on the rewards list'],
  ['rewards', { purchaseRate: null }, 'purchaseRate', 'is required for credit cards'],
  ['rewards', { introRate: '5.00' }, 'introDurationMonths', 'is required with introRate'],
  ['rewards', { introDurationMonths: 3 }, 'introDurationMonths', 'must be omitted without introRate'],
  ['rewards', { atmFeePercent: '0.00' }, 'atmFeePercent', 'is only allowed for cards on the travel list, not the rewards list'],
  ['rewards', { rewardTiers: [{ rate: '1.00', period: 'aeon' }] }, 'rewardTiers.0.period', 'must be one of day, week, month, quarter, year'],
  ['rewards', { rewardTiers: 'much' }, 'rewardTiers', /^must be an object or a list of objects, as documented/],
  ['rewards', { welcomeBonus: { value: '20.00' } }, 'welcomeBonus.description', 'is missing'],
  ['rewards', { welcomeBonus: { description: 'x', vaue: '20.00' } }, 'welcomeBonus.vaue', 'is not a field of a card feed.'],
  ['travel', { supportedCurrencies: ['USD', 'EUX'] }, 'supportedCurrencies.1', 'must be a code from /reference/currencies, but is "EUX". Did you mean "EUR"?'],
  ['travel', { supportedCurrencies: null }, 'supportedCurrencies', 'is required for cards on the travel list'],
  ['travel', { cardType: 'charge' }, 'cardType', 'must be credit, debit or prepaid for cards on the travel list'],
  ['travel', { cashInterestFromDay1: true }, 'cashInterestFromDay1', 'must be omitted; only credit cards charge interest'],
  ['travel', { earnRate: '1.00' }, 'earnRate', 'is only allowed for cards on the rewards list, not the travel list'],
  ['travel', { atmFreeLimit: { amount: '200', period: 'month', extra: 1 } }, 'atmFreeLimit.extra', 'is not a field of a card feed.'],
  ['switch', { bonusAmount: '0' }, 'bonusAmount', 'must be more than 0.00 for a cash bonus'],
  ['switch', { bonusAmount: 'lots' }, 'bonusAmount', /^must be an amount in pounds/],
  ['switch', { totalValue: '100.00' }, 'totalValue', 'must not be less than bonusAmount'],
  ['switch', { endDate: '2026-09-06' }, 'endDate', 'must not be before startDate'],
  ['switch', { startDate: '07/09/2026' }, 'startDate', /^must be an ISO 8601 date/],
  ['switch', { endDate: '2026-02-30' }, 'endDate', /^must be an ISO 8601 date/],
  ['switch', { payInWithinDays: 30 }, 'payInWithinDays', 'must be omitted without minPayIn'],
  ['switch', { directDebitsMustTransfer: true }, 'directDebitsMustTransfer', 'must be omitted without minDirectDebits'],
  ['switch', { cardPaymentsWithinDays: 30 }, 'cardPaymentsWithinDays', 'must be omitted without minCardPayments'],
  ['switch', { previousBonusSince: '2020-01-01' }, 'previousBonusSince', 'must be omitted unless previousBonusExcluded is true'],
  ['switch', { eligibility: ['ok', 7] }, 'eligibility.1', 'must be text'],
  ['switch', { status: 'live' }, 'status', 'is not a field of a switch_offer feed.'],
  ['switch', { bonusAmont: '1.00' }, 'bonusAmont', 'is not a field of a switch_offer feed. Did you mean "bonusAmount"?'],
  ['account', { accountType: 'savings' }, 'accountType', /^must be one of current-account, packaged/],
  ['account', { cashbackCap: '5.00' }, 'cashbackCap', 'must be omitted without cashbackRate'],
  ['account', { creditInterestMaxBalance: '5.00' }, 'creditInterestMaxBalance', 'must be omitted without creditInterestRate'],
  ['account', { termsUrl: 'ftp://x.example' }, 'termsUrl', 'must be an http or https URL'],
  ['survey', { region: 'EU' }, 'region', 'must be one of GB, NI'],
  ['survey', { overall: score({ percent: 101 }) }, 'overall.percent', 'must be a whole number from 0 to 100'],
  ['survey', { overall: score({ rank: 18 }) }, 'overall.rank', 'must not be above rankOf'],
  ['survey', { branch: score({ rankOf: 18 }) }, 'branch.rankOf', 'must not be above providersRanked'],
  ['survey', { overdraft: score({ answers: 99 }) }, 'overdraft.answers', /^must be a whole number from 100 /],
  ['survey', { sampleSize: 99 }, 'overall', 'must be omitted with fewer than 100 responses'],
  ['survey', { periodEnd: '2025-07-01' }, 'periodEnd', 'must be after periodStart'],
  ['survey', { publishedAt: '2026-06-01' }, 'publishedAt', 'must not be before periodEnd'],
  ['survey', { nextPublication: '2026-08-15' }, 'nextPublication', 'must be after publishedAt'],
])('rejects a %s with %j, and reports the line and the field %s', async (kind, facts, field, problem) => {
  const faults = await getFaults(ndjson(other[kind], withDetails[kind](facts)))
  expect(faults).toEqual([{ line: 2, field, problem: typeof problem === 'string' ? problem : expect.stringMatching(problem) }])
})

test('identifies a survey by provider and region, and rejects a shared rank that is not marked as joint', async () => {
  const joint = { overall: score({ jointRank: true }) }
  expect(await read(ndjson(survey('a', 'GB', joint), survey('b', 'GB', joint), survey('a', 'NI')))).toMatchObject([
    { surveyKey: 'a/GB' },
    { surveyKey: 'b/GB' },
    { surveyKey: 'a/NI' },
  ])
  expect(await getFaults(ndjson(survey('a', 'GB'), survey('a', 'GB')))).toContainEqual({
    line: 2,
    field: 'providerSlug',
    problem: '"a GB" is already on line 1',
  })
  const faults = await getFaults(ndjson(survey('a', 'GB', joint), survey('b', 'GB', { overall: score() })))
  expect(faults).toEqual([{ line: 2, field: 'overall.rank', problem: 'is also on line 1; set jointRank on both' }])
})

test('treats omitted fields as null, and does not store the number of responses', async () => {
  const [offer] = await read(ndjson(switchOffer('a')))
  expect(offer).toMatchObject({
    bonusAmount: 17_500,
    monthlyFee: 0,
    minDirectDebits: 0,
    minPayIn: null,
    endDate: null,
    eligibility: '[]',
    newCustomersOnly: false,
  })
  const [scored] = await read(ndjson(survey('a', 'GB', { overall: score({ answers: 1_004 }), sampleSize: 1_004 })))
  expect(scored).toMatchObject({ overall: '{"percent":70,"rank":2,"jointRank":false,"rankOf":17}', overdraft: null })
})

test('reads the same rows from CSV as from NDJSON, with lists and objects in cells', async () => {
  const quoted = (row: Line) =>
    Object.values(row).map((value) => (value === null ? '' : `"${String(typeof value === 'object' ? JSON.stringify(value) : value).replaceAll('"', '""')}"`))
  const csv = (row: Line) => `${Object.keys(row).join(',')}\n${quoted(row).join(',')}\n`
  const offer = switchOffer('a', { extraBenefits: 'A voucher|A linked saver', minPayIn: '1000.00' })
  expect(await read(csv(offer), 'switch-offers.csv')).toEqual(await read(ndjson({ ...offer, extraBenefits: ['A voucher', 'A linked saver'] })))
  const scored = survey('a', 'GB', { overall: score({ jointRank: true }) })
  expect(await read(csv(scored), 'service-quality.csv')).toEqual(await read(ndjson(scored)))
  const currencies = travelCard('a', { supportedCurrencies: 'EUR|USD', atmFreeLimit: { amount: '200.00', period: 'month' } })
  expect(await read(csv(currencies), 'cards.csv')).toEqual(await read(ndjson({ ...currencies, supportedCurrencies: ['EUR', 'USD'] })))
  const tiers = card('a', { rewardTiers: [{ spendFrom: '0', rate: '0.5', period: 'year' }] })
  expect(await read(csv(tiers), 'cards.csv')).toEqual(await read(ndjson(tiers)))
  expect((await getFaults(csv(card('a', { welcomeBonus: '{"description"' })), 'cards.csv'))[0]).toMatchObject({ line: 2, field: 'welcomeBonus' })
})

test('infers the kind from the file name or the fields', async () => {
  expect(['switch-offers.ndjson', 'switch_offer.csv', 'Account-Offers-2026.csv', 'service-quality.json', 'service_quality.csv'].map(kindOfFileName)).toEqual([
    'switch_offer',
    'switch_offer',
    'account_offer',
    'service_quality',
    'service_quality',
  ])
  for (const [line, kind] of [
    [switchOffer('a'), 'switch_offer'],
    [accountOffer('a'), 'account_offer'],
    [survey('a', 'GB'), 'service_quality'],
  ] as const) {
    const text = ndjson({ ...line, kind: undefined })
    expect((await readWhole(text, 'export.ndjson')).kind).toBe(kind)
  }
})

test.each(feedKinds)('describes every field in the JSON Schema of %s feeds', (kind) => {
  const schema = z.toJSONSchema(feedSchemas[kind], { io: 'input' }) as { properties: Record<string, { description?: string }>; additionalProperties: boolean }
  expect(schema.additionalProperties).toBe(false)
  const undescribed = Object.entries(schema.properties).filter(([, { description }]) => !description)
  expect(undescribed).toEqual([])
})
