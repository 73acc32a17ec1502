import { percent } from '../decimal.ts'
import { type SurveyScore, surveyScores } from '../provider.ts'
import { listFields } from './card-schema.ts'
import type { FeedKind } from './feed-kind.ts'
import { minResponses, type ParsedRecord } from './feed-schema.ts'

/** Result of a cross-field rule for a record: [is broken, field, problem]. */
type Rule = readonly [broken: boolean, field: string, problem: string]

function productRules(product: ParsedRecord<'product'>): Rule[] {
  const { rate, baseRate, boostRate, boostDuration, minBalance, maxBalance, maxMonthlyDeposit, accountType } = product
  return [
    [rate !== baseRate + boostRate, 'rate', `must equal baseRate plus boostRate, ${percent(baseRate + boostRate)}, but is ${percent(rate)}`],
    [boostRate > 0 && boostDuration === null, 'boostDuration', 'is required with a bonus'],
    [boostRate === 0 && boostDuration !== null, 'boostDuration', 'must be omitted without a bonus'],
    [maxBalance !== null && maxBalance < minBalance, 'maxBalance', 'must not be less than minBalance'],
    [maxMonthlyDeposit === 0, 'maxMonthlyDeposit', 'must be more than 0.00'],
    [accountType === 'fixed-rate' && product.termMonths === null, 'termMonths', 'is required for fixed-rate accounts'],
    [accountType === 'notice' && product.noticeDays === null, 'noticeDays', 'is required for notice accounts'],
  ]
}

type CardRecord = ParsedRecord<'card'>

const needed = {
  rewards: ['rewardType', 'earnRate'],
  travel: ['atmFeePercent', 'atmFeeMinimum', 'exchangeRateSource', 'supportedCurrencies'],
} as const satisfies Record<CardRecord['list'], readonly (keyof CardRecord)[]>

const neededForCredit = {
  rewards: ['representativeApr', 'purchaseRate', 'representativeExample'],
  travel: ['representativeApr', 'cashInterestFromDay1'],
} as const satisfies Record<CardRecord['list'], readonly (keyof CardRecord)[]>

function cardRules(card: CardRecord): Rule[] {
  const { list, cardType } = card
  const other = list === 'rewards' ? 'travel' : 'rewards'
  const foreign = listFields[other].map(
    (name): Rule => [card[name as keyof CardRecord] !== null, name, `is only allowed for cards on the ${other} list, not the ${list} list`],
  )
  const missing = needed[list].map((name): Rule => [card[name] === null, name, `is required for cards on the ${list} list`])
  const missingForCredit = neededForCredit[list].map((name): Rule => [cardType === 'credit' && card[name] === null, name, 'is required for credit cards'])
  return [
    ...foreign,
    ...missing,
    ...missingForCredit,
    [list === 'travel' && cardType === 'charge', 'cardType', 'must be credit, debit or prepaid for cards on the travel list'],
    [cardType !== 'credit' && card.cashInterestFromDay1 !== null, 'cashInterestFromDay1', 'must be omitted; only credit cards charge interest'],
    [card.introRate !== null && card.introDurationMonths === null, 'introDurationMonths', 'is required with introRate'],
    [card.introRate === null && card.introDurationMonths !== null, 'introDurationMonths', 'must be omitted without introRate'],
  ]
}

const ends = (startDate: string, endDate: string | null): Rule => [endDate !== null && endDate < startDate, 'endDate', 'must not be before startDate']

function switchOfferRules(offer: ParsedRecord<'switch_offer'>): Rule[] {
  const { bonusAmount, totalValue, minPayIn } = offer
  return [
    [offer.bonusType === 'cash' && bonusAmount === 0, 'bonusAmount', 'must be more than 0.00 for a cash bonus'],
    [totalValue !== null && totalValue < bonusAmount, 'totalValue', 'must not be less than bonusAmount'],
    [minPayIn === null && offer.payInWithinDays !== null, 'payInWithinDays', 'must be omitted without minPayIn'],
    [minPayIn === null && offer.payInFrequency !== null, 'payInFrequency', 'must be omitted without minPayIn'],
    [offer.minDirectDebits === 0 && offer.directDebitsMustTransfer, 'directDebitsMustTransfer', 'must be omitted without minDirectDebits'],
    [offer.minCardPayments === 0 && offer.cardPaymentsWithinDays !== null, 'cardPaymentsWithinDays', 'must be omitted without minCardPayments'],
    [!offer.previousBonusExcluded && offer.previousBonusSince !== null, 'previousBonusSince', 'must be omitted unless previousBonusExcluded is true'],
    ends(offer.startDate, offer.endDate),
  ]
}

function accountOfferRules(offer: ParsedRecord<'account_offer'>): Rule[] {
  const { creditInterestRate, cashbackRate } = offer
  return [
    [creditInterestRate === null && offer.creditInterestMaxBalance !== null, 'creditInterestMaxBalance', 'must be omitted without creditInterestRate'],
    [cashbackRate === null && offer.cashbackCategories !== '[]', 'cashbackCategories', 'must be omitted without cashbackRate'],
    [cashbackRate === null && offer.cashbackCap !== null, 'cashbackCap', 'must be omitted without cashbackRate'],
    ends(offer.startDate, offer.endDate),
  ]
}

function serviceQualityRules(survey: ParsedRecord<'service_quality'>): Rule[] {
  const { periodStart, periodEnd, publishedAt, nextPublication, sampleSize, providersRanked } = survey
  const isSmall = sampleSize !== null && sampleSize < minResponses
  const scoreRules = surveyScores.flatMap((name): Rule[] => {
    const score = survey[name] === null ? null : (JSON.parse(survey[name]) as SurveyScore)
    if (score === null) return []
    return [
      [isSmall, name, `must be omitted with fewer than ${minResponses} responses`],
      [score.rank > score.rankOf, `${name}.rank`, 'must not be above rankOf'],
      [score.rankOf > providersRanked, `${name}.rankOf`, 'must not be above providersRanked'],
    ]
  })
  return [
    ...scoreRules,
    [periodEnd <= periodStart, 'periodEnd', 'must be after periodStart'],
    [publishedAt < periodEnd, 'publishedAt', 'must not be before periodEnd'],
    [nextPublication !== null && nextPublication <= publishedAt, 'nextPublication', 'must be after publishedAt'],
  ]
}

function rateHistoryRules(change: ParsedRecord<'rate_history'>): Rule[] {
  const { withdrawn, rate, baseRate, boostDuration, providerSlug, accountName, accountType } = change
  const boost = change.boostRate ?? 0
  const isPriced = rate !== null || baseRate !== null || change.boostRate !== null || boostDuration !== null
  const facts = [providerSlug, accountName, accountType].filter((fact) => fact !== null)
  if (withdrawn) return [[isPriced, 'withdrawn', 'must be false, or the rates omitted: a withdrawn product has no rate']]
  return [
    [rate === null, 'rate', 'is required unless the product is withdrawn'],
    [rate !== null && boost > rate, 'boostRate', 'must not be higher than rate'],
    [rate !== null && baseRate !== null && rate !== baseRate + boost, 'rate', `must equal baseRate plus boostRate, ${percent((baseRate ?? 0) + boost)}`],
    [boost > 0 && boostDuration === null, 'boostDuration', 'is required with a bonus'],
    [boost === 0 && boostDuration !== null, 'boostDuration', 'must be omitted without a bonus'],
    [facts.length === 1 || facts.length === 2, 'providerSlug', 'must be given together with accountName and accountType, or not at all'],
  ]
}

const rules: { readonly [Kind in FeedKind]: (record: ParsedRecord<Kind>) => Rule[] } = {
  provider: ({ trustScore, trustSource, trustAsOf }) => [
    [trustScore !== null && trustSource === null, 'trustSource', 'is required with trustScore'],
    [trustScore !== null && trustAsOf === null, 'trustAsOf', 'is required with trustScore'],
  ],
  product: productRules,
  card: cardRules,
  switch_offer: switchOfferRules,
  account_offer: accountOfferRules,
  service_quality: serviceQualityRules,
  rate_history: rateHistoryRules,
}

/** Returns the rules that a parsed record of this kind breaks. */
export function brokenRules<Kind extends FeedKind>(kind: Kind, record: unknown): (readonly [field: string, problem: string])[] {
  return rules[kind](record as ParsedRecord<Kind>)
    .filter(([broken]) => broken)
    .map(([, field, problem]) => [field, problem])
}

type Valued = { readonly line: number; readonly values: Readonly<Record<string, unknown>> }

type Place = { readonly line: number; readonly field: string; readonly place: string; readonly isJoint: boolean }

function findPlaces({ line, values }: Valued): Place[] {
  return surveyScores.flatMap((name) => {
    if (typeof values[name] !== 'string') return []
    const { rank, jointRank } = JSON.parse(values[name]) as SurveyScore
    return [{ line, field: `${name}.rank`, place: `${String(values['region'])} ${name} ${rank}`, isJoint: jointRank }]
  })
}

/** Finds ranks that two records of the same survey region share without both being marked as joint: [line, field, problem]. */
export function unsharedRanks(kind: FeedKind, records: readonly Valued[]): (readonly [line: number, field: string, problem: string])[] {
  if (kind !== 'service_quality') return []
  const holders = new Map<string, Place>()
  return records.flatMap(findPlaces).flatMap((one) => {
    const holder = holders.get(one.place)
    if (holder === undefined) holders.set(one.place, one)
    if (holder === undefined || (holder.isJoint && one.isJoint)) return []
    return [[one.line, one.field, `is also on line ${holder.line}; set jointRank on both`] as const]
  })
}
