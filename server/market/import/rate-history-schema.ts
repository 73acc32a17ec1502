import { z } from 'zod'
import { day, duration, flag, kind, moment, optional, or, productType, providerSlug, rate, sourceKey, text } from './feed-fields.ts'

/**
 * One line of a feed of past changes: what a product paid from a day on, or that it was withdrawn. What it paid before follows from the line before, so
 * that no two lines can disagree. Rules that join fields stand in `feed-rules.ts`.
 */
export const rateHistorySchema = z.strictObject({
  kind: kind('rate_history'),
  sourceKey: sourceKey.describe('Stable id of the product.'),
  effectiveDate: day.describe('Day from which it holds, ISO 8601; not later than today in London.'),
  detectedAt: optional(moment).describe('When it was seen, ISO 8601; tells which of two changes on a day came first. Left out: the start of the day.'),
  withdrawn: or(flag, false).describe('Whether the product was withdrawn on that day. Left out: false.'),
  rate: optional(rate()).describe('AER in percent from that day on, base rate and bonus together. Left out when it was withdrawn.'),
  baseRate: optional(rate()).describe('Rate without the bonus, percent. Left out: the rate less the bonus.'),
  boostRate: optional(rate()).describe('Bonus part of the rate, percent. Left out: none.'),
  boostDuration: optional(duration).describe('How long the bonus lasts, like "12 months". Needed with a bonus.'),
  providerSlug: optional(providerSlug).describe("Slug of the provider. Needed for a product that the dataset does not have; else it has to be the product's."),
  accountName: optional(text(200)).describe('Name of the account at the time. Needed for a product that the dataset does not have; else its present name.'),
  accountType: optional(productType).describe("Account type. Needed for a product that the dataset does not have; else it has to be the product's."),
})
