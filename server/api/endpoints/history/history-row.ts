import { z } from 'zod'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { changeId, daysBetween, directions, type RateChange } from '#server/market/history/rate-change.ts'
import { signedTwoDecimals } from '#server/market/sources/exact-decimal.ts'
import type { Context } from '../define.ts'
import { signedPoints } from '../market-statistics/statistic-fields.ts'
import { absolute, day, orNull, percent, providerLogoUrl } from '../providers/record-fields.ts'

/** Product fields of history and component rows. */
export const subjectFields = {
  sourceKey: z.string().describe('Stable product ID.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().describe('Slug of the provider.'),
  accountName: z.string().describe('Name of the account at the time.'),
  accountType: z.string().describe('Display label of the account type.'),
}

/** Rate change in the API and in the `rate.changed` event. Names and meaning are frozen within v1. */
export const HistoryRow = z.object({
  id: z.string().describe('Immutable ID of the change, hst_….'),
  ...subjectFields,
  previousRate: percent('AER before the change; null for a launch.').nullable(),
  newRate: percent('AER after the change; null for a withdrawal.').nullable(),
  rateChange: signedPoints
    .nullable()
    .describe('Difference between the new and the previous rate in percentage points, signed, for example "-0.25"; null for a launch or withdrawal.'),
  direction: z.enum(directions).describe('Direction of the change; `unchanged` if base rate or bonus changed but not their total.'),
  effectiveDate: day('Date the change took effect.'),
  detectedAt: z.iso.datetime().describe('Time the change was detected, ISO 8601 UTC.'),
  previousEffectiveDate: day("Date of the product's previous change; null for its first.").nullable(),
  daysSincePreviousChange: z.int().nullable().describe("Days since the product's previous change; null for its first."),
  bankRateAtChange: percent('Official Bank Rate on that date; null if not yet confirmed by its source.').nullable(),
  providerLogoUrl,
})

export type HistoryRow = z.infer<typeof HistoryRow>

type Subject = Pick<RateChange, 'sourceKey' | 'provider' | 'providerSlug' | 'accountName' | 'accountType'>

/** Maps the product of a row to the API. */
export function toSubject({ sourceKey, provider, providerSlug, accountName, accountType }: Subject) {
  return { sourceKey, provider, providerSlug, accountName, accountType: accountTypes[accountType].label }
}

const points = ({ previousRateBp, rateBp }: RateChange) => (previousRateBp === null || rateBp === null ? null : signedTwoDecimals(rateBp - previousRateBp))

/** Maps a rate change to the API. */
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
