import { z } from 'zod'
import { fromPlan } from '#server/api/contract/endpoint.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'

const twoDecimalText = z.string().regex(/^\d+\.\d\d$/)
const moneyText = twoDecimalText.meta({ examples: ['125.00'] })
const percentText = twoDecimalText.meta({ examples: ['4.50'] })

/** Amount of money. */
export const money = (meaning: string) => moneyText.describe(`${meaning} In GBP with two decimals.`)

/** Rate or fee in percent. */
export const percent = (meaning: string) => percentText.describe(`${meaning} In percent with two decimals.`)

/** Calendar date. */
export const day = (meaning: string) =>
  z.iso
    .date()
    .meta({ examples: ['2026-11-21'] })
    .describe(`${meaning} ISO 8601 date.`)

export const logoUrl = z.url().nullable().describe("Absolute URL of the provider's logo; null if it has none.")

/** Omitted below the required plan. The request pipeline rejects a `fields` selection that would leave only omitted fields. */
export const providerLogoUrl = fromPlan('enterprise', z.url().nullable().optional().describe("URL of the provider's logo; Enterprise plan only."))

export const updatedAt = z.iso
  .datetime()
  .meta({ examples: ['2026-11-21T06:00:00.000Z'] })
  .describe('Time of the last change to the record, ISO 8601 UTC.')

/** Formats hundredths with two decimals; unknown stays null. */
export const orNull = (hundredths: number | null): string | null => (hundredths === null ? null : twoDecimals(hundredths))

/** Absolute URL of a path on this service; null stays null. */
export const absolute = (path: string | null, publicUrl: string): string | null => (path === null ? null : publicUrl + path)
