import { z } from 'zod'
import { accountTypes } from '../../contract/account-types.ts'
import { changeId, daysBetween, directions, type RateChange } from '../../market/history/rate-change.ts'
import { signedTwoDecimals } from '../../market/sources/exact-decimal.ts'
import type { Context } from '../define.ts'
import { signedPoints } from '../market-statistics/statistic-fields.ts'
import { absolute, day, orNull, percent, providerLogoUrl } from '../providers/record-fields.ts'

/** What rows of history and of components say of the product. */
export const subjectFields = {
  sourceKey: z.string().describe('Stable id of the product.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().describe('Slug of the provider.'),
  accountName: z.string().describe('Name of the account at the time.'),
  accountType: z.string().describe('Display label of the account type.'),
}

/** A change of a rate as callers read it, and as the event `rate.changed` carries it. Names and meaning are frozen within v1. */
export const HistoryRow = z.object({
  id: z.string().describe('Id of the change, hst_…; it never changes.'),
  ...subjectFields,
  previousRate: percent('AER before the change; null on launch.').nullable(),
  newRate: percent('AER from the change on; null on withdrawal.').nullable(),
  rateChange: signedPoints.nullable().describe('New less previous rate in percentage points, signed, for example "-0.25"; null on launch and withdrawal.'),
  direction: z.enum(directions).describe('What happened; `unchanged` when base rate or bonus moved and their sum did not.'),
  effectiveDate: day('Day from which it holds.'),
  detectedAt: z.iso.datetime().describe('When the service saw it, ISO 8601 UTC.'),
  previousEffectiveDate: day('Day of the change before of the same product; null for its first.').nullable(),
  daysSincePreviousChange: z.int().nullable().describe('Days between the two; null for its first.'),
  bankRateAtChange: percent('Official Bank Rate on that day; null for a day that its source has not confirmed.').nullable(),
  providerLogoUrl,
})

export type HistoryRow = z.infer<typeof HistoryRow>

type Subject = Pick<RateChange, 'sourceKey' | 'provider' | 'providerSlug' | 'accountName' | 'accountType'>

/** The product of a row in the words of the contract. */
export function toSubject({ sourceKey, provider, providerSlug, accountName, accountType }: Subject) {
  return { sourceKey, provider, providerSlug, accountName, accountType: accountTypes[accountType].label }
}

const points = ({ previousRateBp, rateBp }: RateChange) => (previousRateBp === null || rateBp === null ? null : signedTwoDecimals(rateBp - previousRateBp))

/** The read model in the words of the contract. */
export function toHistoryRow(change: RateChange, { market, publicUrl, withLogos }: Pick<Context, 'market' | 'publicUrl' | 'withLogos'>): HistoryRow {
  const { effectiveDate, previousEffectiveDate } = change
  const row = {
    id: changeId(change.seq),
    ...toSubject(change),
    previousRate: orNull(change.previousRateBp),
    newRate: orNull(change.rateBp),
    rateChange: points(change),
    direction: change.direction,
    effectiveDate,
    detectedAt: change.detectedAt,
    previousEffectiveDate,
    daysSincePreviousChange: previousEffectiveDate === null ? null : daysBetween(previousEffectiveDate, effectiveDate),
    bankRateAtChange: orNull(market.statistics.bankRateOn(effectiveDate)),
  }
  return withLogos ? { ...row, providerLogoUrl: absolute(change.providerLogoPath, publicUrl) } : row
}
