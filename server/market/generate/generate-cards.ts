import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { type CardList, type CardType, cardTypes, rewardTypes } from '../cards.ts'
import profiles from '../data/card-profiles.json' with { type: 'json' }
import { grouped } from '../decimal.ts'
import { type GeneratedProvider, toSlug } from './generate-providers.ts'
import type { Random } from './random.ts'

/** Kind of reward card for the generator. Rates are in basis points, money in whole pounds; `with…` are percentages of cards; all values in a list are equally likely. */
const RewardProfile = z.strictObject({
  cardType: z.enum(cardTypes).default('credit'),
  rewardType: z.enum(rewardTypes),
  /** Possible names for the points or miles; empty for cashback. */
  currencyNames: z.array(z.string()).default([]),
  /** In basis points for cashback, otherwise in hundredths of a point per pound. */
  earnRates: z.array(z.int()),
  annualFees: z.array(z.int()),
  withTiers: z.number().default(0),
  withIntro: z.number().default(0),
  withBonus: z.number().default(0),
})
type RewardProfile = z.infer<typeof RewardProfile>

/** Kind of travel card for the generator. Rates in basis points, money in pence. */
const TravelProfile = z.strictObject({
  cardTypes: z.array(z.enum(cardTypes)),
  fxFees: z.array(z.int()),
  /** Rate and minimum of each fee. */
  atmFees: z.array(z.tuple([z.int(), z.int()])),
  withFreeCash: z.number(),
  withFewCurrencies: z.number(),
})
type TravelProfile = z.infer<typeof TravelProfile>

/** Profiles by the name of the card. */
const { rewards: rewardProfiles, travel: travelProfiles } = z
  .strictObject({ rewards: z.record(z.string(), RewardProfile), travel: z.record(z.string(), TravelProfile) })
  .parse(profiles)

/** Terms of a card, as fields of a card feed record. */
type GeneratedTerms = Readonly<Record<string, unknown>>

const money = (pounds: number) => `${pounds}.00`

/** Estimates the APR: the purchase rate plus about two and a half times the annual fee as a percentage of the assumed £1,200 limit. */
const calculateApr = (purchaseRate: number, annualFee: number) => purchaseRate + Math.round((annualFee * 25) / 12) * 10

function toExample(word: string, purchaseRate: number, annualFee: number, apr: number): string {
  const fee = annualFee === 0 ? '' : `, a fee of £${money(annualFee)} a year`
  const rates = `a purchase rate of ${twoDecimals(purchaseRate)}% a year (variable)${fee}`
  return `Invented ${word} card: on an assumed credit limit of £1,200.00 and ${rates}, the representative APR is ${twoDecimals(apr)}% (variable).`
}

function drawTiers(profile: RewardProfile, earnRate: number, random: Random) {
  const turn = random.pick([5_000, 10_000, 15_000])
  const more = random.pick([25, 50])
  if (!random.chance(profile.withTiers)) return []
  const tier = { cap: null, period: 'year' }
  return [
    { ...tier, spendFrom: '0.00', spendTo: money(turn), rate: twoDecimals(earnRate) },
    { ...tier, spendFrom: money(turn), spendTo: null, rate: twoDecimals(earnRate + more) },
  ]
}

const bonuses = [
  [500, 2_000],
  [1_000, 5_000],
  [2_000, 10_000],
  [3_000, 20_000],
] as const

function drawBonus({ withBonus, rewardType }: RewardProfile, random: Random) {
  const [spend, points] = random.pick(bonuses)
  if (!random.chance(withBonus)) return null
  const unit = rewardType === 'airmiles' ? 'miles' : 'points'
  const description = `${grouped(points)} ${unit} for a spend of £${grouped(spend)}.00 in the first 90 days`
  return { description, value: null, points, spendRequired: money(spend), withinDays: 90 }
}

function rewardTerms(profile: RewardProfile, word: string, random: Random): GeneratedTerms {
  const annualFee = random.pick(profile.annualFees)
  const purchaseRate = random.pick([2_390, 2_490, 2_590, 2_690, 2_790, 2_890])
  const earnRate = random.pick(profile.earnRates)
  const apr = calculateApr(purchaseRate, annualFee)
  const hasIntro = random.chance(profile.withIntro)
  const isCashback = profile.rewardType === 'cashback'
  return {
    network: random.pick(['visa', 'mastercard']),
    cardType: profile.cardType,
    annualFee: money(annualFee),
    representativeApr: twoDecimals(apr),
    fxFee: twoDecimals(random.pick([299, 299, 299, 295, 275, 0])),
    rewardType: profile.rewardType,
    rewardCurrencyName: isCashback ? null : random.pick(profile.currencyNames),
    earnRate: twoDecimals(earnRate),
    rewardTiers: drawTiers(profile, earnRate, random),
    introRate: hasIntro ? '5.00' : null,
    introDurationMonths: hasIntro ? random.pick([3, 3, 5]) : null,
    welcomeBonus: drawBonus(profile, random),
    firstYearFee: annualFee > 0 && random.chance(40) ? '0.00' : null,
    purchaseRate: twoDecimals(purchaseRate),
    minCreditLimit: random.pick(['250.00', '500.00', '1200.00', null]),
    cashAdvanceFee: { percent: random.pick(['3.00', '2.99', '5.00']), minimum: '3.00' },
    minAnnualIncome: random.pick([null, null, '10000.00', '20000.00', '35000.00']),
    // Estimated for £10,000 of spend, on which each hundredth of a percent earns £1. Null for points, whose value is unknown.
    estimatedAnnualValue: isCashback ? money(earnRate) : null,
    representativeExample: toExample(word, purchaseRate, annualFee, apr),
    newCustomersOnly: random.chance(30),
  }
}

const fewCurrencies = ['AUD', 'CAD', 'CHF', 'EUR', 'JPY', 'NOK', 'NZD', 'PLN', 'SEK', 'THB', 'TRY', 'USD', 'ZAR']

function drawCurrencies(profile: TravelProfile, random: Random): 'all' | string[] {
  const count = random.between(6, fewCurrencies.length - 2)
  const others = random.shuffled(fewCurrencies.filter((code) => code !== 'EUR' && code !== 'USD'))
  if (!random.chance(profile.withFewCurrencies)) return 'all'
  return ['EUR', 'USD', ...others.slice(0, count - 2)].sort()
}

function creditTerms(cardType: CardType, random: Random) {
  const apr = twoDecimals(random.pick([1_990, 2_290, 2_490, 2_590]))
  const fromDay1 = random.chance(70)
  if (cardType !== 'credit') return { representativeApr: null, cashInterestFromDay1: null, cashRate: null }
  return { representativeApr: apr, cashInterestFromDay1: fromDay1, cashRate: apr }
}

function travelTerms(profile: TravelProfile, random: Random): GeneratedTerms {
  const cardType = random.pick(profile.cardTypes)
  const network = random.pick(['visa', 'mastercard'])
  const fxFee = random.pick(profile.fxFees)
  const [atmFee, atmMinimum] = random.pick(profile.atmFees)
  const weekend = cardType === 'prepaid' && random.chance(40)
  const freeCash = random.chance(profile.withFreeCash) ? { amount: random.pick(['200.00', '250.00', '500.00']), period: 'month' } : null
  return {
    network,
    cardType,
    annualFee: '0.00',
    fxFee: twoDecimals(fxFee),
    weekendFxFee: weekend ? twoDecimals(fxFee + 100) : null,
    atmFeePercent: twoDecimals(atmFee),
    atmFeeMinimum: twoDecimals(atmMinimum),
    atmFreeLimit: freeCash,
    ...creditTerms(cardType, random),
    exchangeRateSource: cardType === 'prepaid' ? 'interbank' : network,
    supportedCurrencies: drawCurrencies(profile, random),
    rewardOnForeignSpend: random.chance(20) ? random.pick(['0.25', '0.50', '1.00']) : null,
  }
}

/** Generates the terms of a card to match its name. `name` excludes the issuer. */
function drawTerms(list: 'rewards' | 'travel', name: string, word: string, random: Random): GeneratedTerms {
  const reward = list === 'rewards' ? rewardProfiles[name] : undefined
  if (reward) return rewardTerms(reward, word, random)
  const travel = travelProfiles[name]
  if (!travel) throw new RangeError(`No profile for card name ${name}.`)
  return travelTerms(travel, random)
}

const names: Record<CardList, readonly string[]> = {
  rewards: ['Cashback Credit Card', 'Rewards Card', 'Points Credit Card', 'Everyday Cashback Card', 'Miles Card', 'Premium Rewards Card'],
  travel: ['Travel Debit Card', 'Travel Credit Card', 'Prepaid Currency Card', 'Abroad Card', 'Travel Money Card', 'Fee-Free Travel Card'],
}

type Issuer = { readonly name: string; readonly slug: string | null }

/** Picks the issuer of a card. Every fourth card is issued by a firm without savings products, all others by the banks in rotation. */
function pickIssuer(index: number, banks: readonly Issuer[], outsiders: readonly Issuer[]): Issuer {
  const outside = index % 4 === 3 ? outsiders[Math.floor(index / 4) % outsiders.length] : undefined
  const issuer = outside ?? banks[index % banks.length]
  if (issuer === undefined) throw new RangeError('No bank available to issue a card.')
  return issuer
}

/** Returns a card as a feed record. */
function toCard(list: CardList, name: string, { name: provider, slug: providerSlug }: Issuer, terms: GeneratedTerms) {
  const full = `${provider} ${name}`
  return { kind: 'card', sourceKey: toSlug(full), list, name: full, provider, providerSlug, ...terms }
}

export type CardDraw = {
  readonly providers: readonly GeneratedProvider[]
  /** Names of issuers that aren't providers in the market. */
  readonly outsiders: readonly string[]
  readonly perList: number
  /** Kind of market (`demonstration` or `sample`), which is mentioned in legal wording. */
  readonly word: string
  /** Random source for the issuers. */
  readonly random: Random
  /** Random source for the terms. Separate from `random`, so that new terms don't change the issuers. */
  readonly termsRandom: Random
}

/** Generates cards sorted by key, the same number for each list. */
export function generateCards({ providers, outsiders, perList, word, random, termsRandom }: CardDraw) {
  const others = outsiders.map((name) => ({ name, slug: null }))
  const cards = (['rewards', 'travel'] as const).flatMap((list) => {
    const banks = random.shuffled(providers.filter(({ providerType }) => providerType === 'bank'))
    return Array.from({ length: perList }, (_, index) => {
      const name = names[list][index % names[list].length] ?? list
      return toCard(list, name, pickIssuer(index, banks, others), drawTerms(list, name, word, termsRandom))
    })
  })
  return cards.sort((a, b) => (a.sourceKey < b.sourceKey ? -1 : 1))
}
