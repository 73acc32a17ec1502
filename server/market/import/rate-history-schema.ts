import { z } from 'zod'
import { day, duration, flag, kind, moment, optional, or, productType, providerSlug, rate, sourceKey, text } from './feed-fields.ts'

/**
 * Record of a rate history feed: the terms of a product from a day on, or its withdrawal. The previous terms follow from the record before, so
 * records can't contradict each other. Rules across fields are in `feed-rules.ts`.
 */
export const rateHistorySchema = z.strictObject({
  kind: kind('rate_history'),
  sourceKey: sourceKey.describe('Stable ID of the product.'),
  effectiveDate: day.describe('First day of the rate, ISO 8601; not later than today in London.'),
  detectedAt: optional(moment).describe('Time of detection, ISO 8601; orders changes on the same day. Omitted: the start of the day.'),
  withdrawn: or(flag, false).describe('True if the product was withdrawn on that day. Omitted: false.'),
  rate: optional(rate()).describe('AER in percent from that day on, including the bonus. Omit if withdrawn.'),
  baseRate: optional(rate()).describe('Rate excluding the bonus, percent. Omitted: rate minus boostRate.'),
  boostRate: optional(rate()).describe('Bonus rate, percent. Omitted: none.'),
  boostDuration: optional(duration).describe('Duration of the bonus, such as "12 months". Required with a bonus.'),
  providerSlug: optional(providerSlug).describe('Slug of the provider. Required if the product is not in the dataset; otherwise it must match the product.'),
  accountName: optional(text(200)).describe('Name of the account at the time. Required if the product is not in the dataset. Omitted: its current name.'),
  accountType: optional(productType).describe('Account type. Required if the product is not in the dataset; otherwise it must match the product.'),
})
