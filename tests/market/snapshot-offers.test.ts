import { expect, test } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { openTestPool } from '../support/test-pool.ts'
import { accountOffer, card, type Line, ndjson, provider, survey, switchOffer, travelCard } from './feeds.ts'
import { marketDatabase } from './market-database.ts'

const market = marketDatabase()

const take = (...lines: Line[]) => importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live' })
const live = async () => (await loadSnapshot(market.pool)).dataset('live')

const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('reads reward and travel cards with their specific terms', async () => {
  await take(provider('harrow'))
  await take(
    card('r', {
      rewardTiers: [{ spendTo: '10000', rate: '0.25', cap: '15', period: 'month' }],
      welcomeBonus: { description: 'A voucher', value: 20, spendRequired: '500.00', withinDays: 90 },
      cashAdvanceFee: { percent: '3.00', minimum: '3.00' },
      estimatedAnnualValue: '50.00',
      firstYearFee: 0,
    }),
    travelCard('t', { supportedCurrencies: ['USD', 'EUR'], atmFreeLimit: { amount: '200', period: 'month' }, weekendFxFee: '2.00', providerSlug: null }),
  )
  const view = await live()
  const issuer = { provider: 'Harrow Bank', providerSlug: 'harrow', logoPath: '/logos/live/harrow.svg', colour: '#1f3a5f', updatedAt: time }
  expect(view.rewardCards()).toEqual([
    {
      ...issuer,
      sourceKey: 'r',
      list: 'rewards',
      name: 'Cashback Card',
      imagePath: '/card-images/live/r.svg',
      network: 'visa',
      cardType: 'credit',
      annualFeePence: 2_500,
      representativeAprBp: 2_990,
      fxFeeBp: 299,
      rewardType: 'cashback',
      rewardCurrencyName: null,
      earnRateHundredths: 50,
      rewardTiers: [{ spendFromPence: 0, spendToPence: 1_000_000, rateHundredths: 25, capPence: 1_500, period: 'month' }],
      introRateBp: null,
      introDurationMonths: null,
      welcomeBonus: { description: 'A voucher', valuePence: 2_000, points: null, spendRequiredPence: 50_000, withinDays: 90 },
      firstYearFeePence: 0,
      purchaseRateBp: 2_490,
      minCreditLimitPence: null,
      cashAdvanceFee: { percentBp: 300, minimumPence: 300 },
      minAnnualIncomePence: null,
      estimatedAnnualValuePence: 5_000,
      representativeExample: 'Test card: the representative APR is 29.90% (variable).',
      newCustomersOnly: false,
    },
  ])
  expect(view.travelCards()).toEqual([
    {
      ...issuer,
      providerSlug: null,
      logoPath: null,
      colour: null,
      sourceKey: 't',
      list: 'travel',
      name: 'Travel Card',
      imagePath: '/card-images/live/t.svg',
      network: 'mastercard',
      cardType: 'debit',
      annualFeePence: 0,
      representativeAprBp: null,
      fxFeeBp: 100,
      weekendFxFeeBp: 200,
      atmFeeBp: 0,
      atmFeeMinimumPence: 0,
      atmFreeLimit: { amountPence: 20_000, period: 'month' },
      cashInterestFromDay1: null,
      cashRateBp: null,
      exchangeRateSource: 'mastercard',
      supportedCurrencies: ['USD', 'EUR'],
      foreignRewardBp: null,
    },
  ])
  expect(view.cards().map(({ sourceKey }) => sourceKey)).toEqual(['r', 't'])
  expect([view.card('t')?.name, view.card('x')]).toEqual(['Travel Card', undefined])
  expect([view.travelCards('EUR').length, view.travelCards('JPY').length]).toEqual([1, 0])
})

test('reads offer dates unchanged in any database time zone', async () => {
  await take(provider('harrow'))
  // This time zone is so far ahead of UTC that a date parsed as a time would fall on another day.
  const ahead = openTestPool({ connectionString: market.pool.options.connectionString, options: '-c timezone=Pacific/Kiritimati', max: 1 })
  const takeAhead = (line: Line) => importFeed(ahead, { source: ndjson(line), fileName: 'feed.ndjson', dataset: 'live' })
  await takeAhead(
    switchOffer('s', { endDate: '2027-01-31', excludedIfHeldSince: '2025-10-26', minPayIn: '1500.00', eligibility: ['Be 18 or over'], totalValue: '225' }),
  )
  await takeAhead(accountOffer('a', { cashbackRate: '1.00', cashbackCategories: ['Energy'], cashbackCap: '5.00', monthlyFee: '3', overdraftRate: '39.90' }))
  const view = (await loadSnapshot(ahead)).dataset('live')
  await ahead.end()
  expect(view.switchOffers()).toMatchObject([
    {
      offerKey: 's',
      provider: 'Harrow Bank',
      providerSlug: 'harrow',
      logoPath: '/logos/live/harrow.svg',
      bonusPence: 17_500,
      totalValuePence: 22_500,
      minPayInPence: 150_000,
      minDirectDebits: 0,
      startDate: '2026-09-07',
      endDate: '2027-01-31',
      excludedIfHeldSince: '2025-10-26',
      previousBonusSince: null,
      eligibility: ['Be 18 or over'],
      exclusions: [],
      updatedAt: time,
    },
  ])
  expect(view.accountOffers()).toMatchObject([
    { offerKey: 'a', cashbackBp: 100, cashbackCategories: ['Energy'], cashbackCapPence: 500, monthlyFeePence: 300, overdraftBp: 3_990, endDate: null },
  ])
})

test("excludes withdrawn offers, and an inactive provider's surveys and slug", async () => {
  await take(provider('harrow'), provider('kestrel'))
  await take(switchOffer('a'), switchOffer('b', { bonusAmount: '200.00', providerSlug: 'kestrel' }), switchOffer('c', { bonusAmount: '200.00' }))
  await take(survey('kestrel', 'NI'), survey('kestrel', 'GB'), survey('harrow', 'GB', { overall: { percent: 50, rank: 9, rankOf: 17 } }))
  expect((await live()).switchOffers().map(({ offerKey }) => offerKey)).toEqual(['b', 'c', 'a'])
  expect((await live()).serviceQuality('kestrel').map(({ region }) => region)).toEqual(['GB', 'NI'])
  await take(switchOffer('a'), switchOffer('b', { bonusAmount: '200.00', providerSlug: 'kestrel' }))
  await take(provider('harrow'), provider('kestrel', { active: false }))
  const view = await live()
  expect(view.switchOffers().map(({ offerKey, providerSlug, logoPath }) => [offerKey, providerSlug, logoPath])).toEqual([
    ['b', null, null],
    ['a', 'harrow', '/logos/live/harrow.svg'],
  ])
  expect(view.serviceQuality('kestrel')).toEqual([])
  expect(view.serviceQuality('harrow')).toMatchObject([{ overall: { percent: 50, rank: 9, jointRank: false, rankOf: 17 }, branch: null, sampleSize: null }])
})

test('reads provider review scores in tenths, and omits them if there are none', async () => {
  await take(provider('harrow', { trustScore: '4.3', trustReviewCount: 12, trustSource: 'Test reviews', trustAsOf: '2026-11-01' }), provider('kestrel'))
  const view = await live()
  expect(view.provider('harrow')?.trust).toEqual({ scoreTenths: 43, reviewCount: 12, source: 'Test reviews', asOf: '2026-11-01' })
  expect(view.provider('kestrel')).not.toHaveProperty('trust')
})
