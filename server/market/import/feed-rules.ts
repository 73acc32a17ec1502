import type { z } from 'zod'
import { percent } from '../decimal.ts'
import { type SurveyScore, surveyScores } from '../service-survey.ts'
import { type cardSchema, listFields } from './card-schema.ts'
import type { FeedKind } from './feed-kind.ts'
import type { providerSchema } from './feed-schema.ts'
import type { accountOfferSchema, switchOfferSchema } from './offer-schema.ts'
import type { rateHistorySchema } from './rate-history-schema.ts'
import { fewestAnswers, type serviceQualitySchema } from './survey-schema.ts'

/** What has to hold between the fields of one record: [is broken, field, problem]. Rules of products stand in `validate-feed.ts`. */
type Rule = readonly [broken: boolean, field: string, problem: string]

export type BrokenRule = readonly [field: string, problem: string]

function providerRules({ trustScore, trustSource, trustAsOf }: z.output<typeof providerSchema>): Rule[] {
  return [
    [trustScore !== null && trustSource === null, 'trustSource', 'is missing although there is a trustScore'],
    [trustScore !== null && trustAsOf === null, 'trustAsOf', 'is missing although there is a trustScore'],
  ]
}

type CardRecord = z.output<typeof cardSchema>

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
  const foreign = listFields[other].map((name): Rule => [card[name as keyof CardRecord] !== null, name, `is a field of the list ${other}, not of ${list}`])
  const missing = needed[list].map((name): Rule => [card[name] === null, name, `is missing; a card of the list ${list} has it`])
  const missingForCredit = neededForCredit[list].map((name): Rule => [cardType === 'credit' && card[name] === null, name, 'is missing; a credit card has it'])
  return [
    ...foreign,
    ...missing,
    ...missingForCredit,
    [list === 'travel' && cardType === 'charge', 'cardType', 'must be one of credit, debit, prepaid for a card of the list travel'],
    [cardType !== 'credit' && card.cashInterestFromDay1 !== null, 'cashInterestFromDay1', 'must be left out; only a credit card charges interest'],
    [card.introRate !== null && card.introDurationMonths === null, 'introDurationMonths', 'is missing although there is an introRate'],
    [card.introRate === null && card.introDurationMonths !== null, 'introDurationMonths', 'must be left out when there is no introRate'],
  ]
}

const ends = (startDate: string, endDate: string | null): Rule => [endDate !== null && endDate < startDate, 'endDate', 'must not be before startDate']

function switchOfferRules(offer: z.output<typeof switchOfferSchema>): Rule[] {
  const { bonusAmount, totalValue, minPayIn } = offer
  return [
    [offer.bonusType === 'cash' && bonusAmount === 0, 'bonusAmount', 'must be more than 0.00 for a bonus in cash'],
    [totalValue !== null && totalValue < bonusAmount, 'totalValue', 'must not be below bonusAmount'],
    [minPayIn === null && offer.payInWithinDays !== null, 'payInWithinDays', 'must be left out when there is no minPayIn'],
    [minPayIn === null && offer.payInFrequency !== null, 'payInFrequency', 'must be left out when there is no minPayIn'],
    [offer.minDirectDebits === 0 && offer.directDebitsMustTransfer, 'directDebitsMustTransfer', 'must be left out when there are no minDirectDebits'],
    [offer.minCardPayments === 0 && offer.cardPaymentsWithinDays !== null, 'cardPaymentsWithinDays', 'must be left out when there are no minCardPayments'],
    [!offer.previousBonusExcluded && offer.previousBonusSince !== null, 'previousBonusSince', 'must be left out when no previous bonus excludes'],
    ends(offer.startDate, offer.endDate),
  ]
}

function accountOfferRules(offer: z.output<typeof accountOfferSchema>): Rule[] {
  const { creditInterestRate, cashbackRate } = offer
  return [
    [
      creditInterestRate === null && offer.creditInterestMaxBalance !== null,
      'creditInterestMaxBalance',
      'must be left out when there is no creditInterestRate',
    ],
    [cashbackRate === null && offer.cashbackCategories !== '[]', 'cashbackCategories', 'must be left out when there is no cashbackRate'],
    [cashbackRate === null && offer.cashbackCap !== null, 'cashbackCap', 'must be left out when there is no cashbackRate'],
    ends(offer.startDate, offer.endDate),
  ]
}

type SurveyRecord = z.output<typeof serviceQualitySchema>

function serviceQualityRules(survey: SurveyRecord): Rule[] {
  const { periodStart, periodEnd, publishedAt, nextPublication, sampleSize, providersRanked } = survey
  const isSmall = sampleSize !== null && sampleSize < fewestAnswers
  const scoreRules = surveyScores.flatMap((name): Rule[] => {
    const score = survey[name] === null ? null : (JSON.parse(survey[name]) as SurveyScore)
    if (score === null) return []
    return [
      [isSmall, name, `must be left out with fewer than ${fewestAnswers} answers`],
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

function rateHistoryRules(change: z.output<typeof rateHistorySchema>): Rule[] {
  const { withdrawn, rate, baseRate, boostDuration, providerSlug, accountName, accountType } = change
  const boost = change.boostRate ?? 0
  const isPriced = rate !== null || baseRate !== null || change.boostRate !== null || boostDuration !== null
  const facts = [providerSlug, accountName, accountType].filter((fact) => fact !== null)
  if (withdrawn) return [[isPriced, 'withdrawn', 'must be false, or the rates left out: what was withdrawn pays nothing']]
  return [
    [rate === null, 'rate', 'is missing; only a product that was withdrawn has none'],
    [rate !== null && boost > rate, 'boostRate', 'must not be above rate'],
    [rate !== null && baseRate !== null && rate !== baseRate + boost, 'rate', `must be baseRate and boostRate together, ${percent((baseRate ?? 0) + boost)}`],
    [boost > 0 && boostDuration === null, 'boostDuration', 'is missing although there is a bonus'],
    [boost === 0 && boostDuration !== null, 'boostDuration', 'must be left out when there is no bonus'],
    [facts.length === 1 || facts.length === 2, 'providerSlug', 'goes with accountName and accountType: give all three or none'],
  ]
}

function rulesFor(kind: FeedKind, record: unknown): Rule[] {
  switch (kind) {
    case 'provider':
      return providerRules(record as z.output<typeof providerSchema>)
    case 'card':
      return cardRules(record as CardRecord)
    case 'switch_offer':
      return switchOfferRules(record as z.output<typeof switchOfferSchema>)
    case 'account_offer':
      return accountOfferRules(record as z.output<typeof accountOfferSchema>)
    case 'service_quality':
      return serviceQualityRules(record as SurveyRecord)
    case 'rate_history':
      return rateHistoryRules(record as z.output<typeof rateHistorySchema>)
    default:
      return []
  }
}

/** The rules that a record of the kind breaks; the record is what its schema made of it. */
export function brokenRules(kind: FeedKind, record: unknown): BrokenRule[] {
  return rulesFor(kind, record)
    .filter(([broken]) => broken)
    .map(([, field, problem]) => [field, problem])
}

type Valued = { readonly line: number; readonly values: Readonly<Record<string, unknown>> }

type Place = { readonly line: number; readonly field: string; readonly place: string; readonly isJoint: boolean }

function placesOf({ line, values }: Valued): Place[] {
  return surveyScores.flatMap((name) => {
    if (typeof values[name] !== 'string') return []
    const { rank, jointRank } = JSON.parse(values[name]) as SurveyScore
    return [{ line, field: `${name}.rank`, place: `${String(values['region'])} ${name} ${rank}`, isJoint: jointRank }]
  })
}

/** Ranks of a survey that two providers of a region hold without both being joint: [line, field, problem]. */
export function unsharedRanks(kind: FeedKind, records: readonly Valued[]): (readonly [line: number, field: string, problem: string])[] {
  if (kind !== 'service_quality') return []
  const holders = new Map<string, Place>()
  return records.flatMap(placesOf).flatMap((one) => {
    const holder = holders.get(one.place)
    if (holder === undefined) holders.set(one.place, one)
    if (holder === undefined || (holder.isJoint && one.isJoint)) return []
    return [[one.line, one.field, `is held by line ${holder.line} too; then both are jointRank`] as const]
  })
}
