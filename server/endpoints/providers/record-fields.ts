import { z } from 'zod'
import { fromPlan } from '../../contract/field-plans.ts'
import { twoDecimals } from '../../contract/formats.ts'

const twoDecimalText = z.string().regex(/^\d+\.\d\d$/)
const moneyText = twoDecimalText.meta({ examples: ['125.00'] })
const percentText = twoDecimalText.meta({ examples: ['4.50'] })

/** An amount of money. */
export const money = (meaning: string) => moneyText.describe(`${meaning} In GBP with two decimals.`)

/** A rate or a charge in percent. */
export const percent = (meaning: string) => percentText.describe(`${meaning} In percent with two decimals.`)

/** A day of the calendar. */
export const day = (meaning: string) =>
  z.iso
    .date()
    .meta({ examples: ['2026-11-21'] })
    .describe(`${meaning} ISO 8601 day.`)

export const logoUrl = z.url().nullable().describe('Logo of the provider, an absolute URL; null when it has none.')

/** Left out below the plan that it is for; the gate refuses to sell a row of nothing but fields that are left out. */
export const providerLogoUrl = fromPlan('enterprise', z.url().nullable().optional().describe('Logo of the provider; Enterprise plan only.'))

export const updatedAt = z.iso
  .datetime()
  .meta({ examples: ['2026-11-21T06:00:00.000Z'] })
  .describe('Last change of the record, ISO 8601 UTC.')

/** Whole hundredths as text, where unknown stays null. */
export const orNull = (hundredths: number | null): string | null => (hundredths === null ? null : twoDecimals(hundredths))

/** The absolute address of a path on this service; null stays null. */
export const absolute = (path: string | null, publicUrl: string): string | null => (path === null ? null : publicUrl + path)
