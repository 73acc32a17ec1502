import { z } from 'zod'
import { type AccountType, accountTypes } from '#server/api/contract/account-types.ts'
import { isoDay } from '#server/api/contract/dates.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { queryDay, queryText } from '#server/api/contract/query.ts'
import { type ChangeKey, changeId, changeSeq, daysBetween, directions, type RateChange } from '#server/market/history/rate-change.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { signedTwoDecimals } from '#server/market/sources/exact-decimal.ts'
import type { Context } from '../define.ts'
import { signedPoints } from '../market-statistics/statistic-fields.ts'
import { nextForProduct, nextForProvider } from '../missing-items.ts'
import { productFilters } from '../rates/product-filters.ts'
import { absolute, day, orNull, percent, providerLogoUrl } from '../record-fields.ts'

/** Product fields of history and component rows. */
export const subjectFields = {
  sourceKey: z.string().describe('Stable product ID.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().describe('Slug of the provider.'),
  accountName: z.string().describe('Name of the account at the time.'),
  accountType: z.string().describe('Display label of the account type.'),
}

/** Schema of a rate change in API responses and in the `rate.changed` event. Names and meaning are frozen within v1. */
export const HistoryRow = z.object({
  id: z.string().describe('Immutable ID of the change, hst_….'),
  ...subjectFields,
  previousRate: percent('AER before the change; null for a launch.').nullable(),
  newRate: percent('AER after the change; null for a withdrawal.').nullable(),
  rateChange: signedPoints
    .nullable()
    .describe('Difference between the new and the previous rate in percentage points, signed, for example "-0.25"; null for a launch or withdrawal.'),
  direction: z.enum(directions).describe('Direction of the change; `unchanged` if the base rate or the bonus changed, but not their total.'),
  effectiveDate: day('Date the change took effect.'),
  detectedAt: z.iso.datetime().describe('Time the change was detected, ISO 8601 UTC.'),
  previousEffectiveDate: day("Date of the product's previous change; null for its first.").nullable(),
  daysSincePreviousChange: z.int().nullable().describe("Days since the product's previous change; null for its first."),
  bankRateAtChange: percent('Official Bank Rate on effectiveDate; null if the source has not confirmed it yet.').nullable(),
  providerLogoUrl,
})

export type HistoryRow = z.infer<typeof HistoryRow>

type Subject = Pick<RateChange, 'sourceKey' | 'provider' | 'providerSlug' | 'accountName' | 'accountType'>

/** Returns the API fields that identify the product in a rate change. */
export function toSubject({ sourceKey, provider, providerSlug, accountName, accountType }: Subject) {
  return { sourceKey, provider, providerSlug, accountName, accountType: accountTypes[accountType].label }
}

const points = ({ previousRateBp, rateBp }: RateChange) => (previousRateBp === null || rateBp === null ? null : signedTwoDecimals(rateBp - previousRateBp))

/** Converts a rate change to an API row. */
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

/** Filters shared by the history lists. */
export const historyFilters = {
  ...productFilters,
  sourceKey: queryText().optional().describe('Only this product, listed or withdrawn.'),
  from: queryDay.optional().describe('First effective date, inclusive.'),
  to: queryDay.optional().describe('Last effective date, inclusive.'),
}

const HistoryInput = z.object(historyFilters)

type HistoryInput = z.output<typeof HistoryInput>

/** Converts the `type` parameter to a filter of the market module; `all` becomes undefined, which means no filter. */
export const typeFilter = (type: AccountType | undefined) => (type === 'all' ? undefined : type)

/** Returns the cursor key of a rate change: its effective date and its id. */
export const getPlace = ({ effectiveDate, seq }: ChangeKey): string => `${effectiveDate} ${changeId(seq)}`

/** Parses a cursor key written by `getPlace`. */
export function placeAfter(key: string | null): ChangeKey | null {
  return key === null ? null : { effectiveDate: key.slice(0, 10), seq: changeSeq(key.slice(11)) }
}

/**
 * Rejects unknown providers and products. Called if the result is empty, because an empty result doesn't show whether there was a typo. Withdrawn providers and
 * products count as known, because history still contains them.
 */
export async function checkKnown({ provider, sourceKey }: Pick<HistoryInput, 'provider' | 'sourceKey'>, market: MarketView): Promise<void> {
  const isInHistory = async (filter: { provider: string } | { sourceKey: string }) =>
    (await market.history.changes({ filter, after: null, limit: 1 })).rows.length > 0
  if (provider !== undefined && !market.hasProvider(provider) && !(await isInHistory({ provider }))) {
    throw invalid(`There is no provider "${provider.slice(0, 60)}".${nextForProvider(provider, market)}`)
  }
  if (sourceKey !== undefined && !market.product(sourceKey) && !(await isInHistory({ sourceKey }))) {
    throw invalid(`There is no product "${sourceKey.slice(0, 60)}".${nextForProduct(sourceKey, market)}`)
  }
}

/** Returns the same day a number of months later, or the last day of that month if it is shorter. Dates are ISO 8601. */
export function monthsAfter(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)))
}
