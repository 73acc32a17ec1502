import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { fewestInstitutions } from '../../market/figures/distribution.ts'

/** A percentage with two decimals. */
export const percent = z
  .string()
  .regex(/^-?\d+\.\d\d$/)
  .meta({ examples: ['4.50'] })

/** A difference of percentages in points, with its sign unless it is zero. */
export const signedPoints = z
  .string()
  .regex(/^(?:[+-]\d+\.\d\d|0\.00)$/)
  .meta({ examples: ['+0.25'] })

/** Where a figure comes from, and whether it may be out of date. Every statistic has these fields. */
export const originFields = {
  source: z.string().describe('Who publishes it.'),
  licence: z.string().describe('Terms under which the publisher allows reuse.'),
  asOf: z.iso
    .datetime()
    .meta({ examples: ['2026-11-21T00:00:00.000Z'] })
    .describe('Newest day for which the source has confirmed it, ISO 8601 UTC.'),
  fetchedAt: z.iso.datetime().describe('When the newest value was taken from the source, ISO 8601 UTC.'),
  stale: z.boolean().describe('Whether asOf is older than the rhythm of the source explains, so that a newer value may exist.'),
}

type Origin = { readonly source: string; readonly licence: string; readonly asOf: string; readonly fetchedAt: string; readonly stale: boolean }

/** The origin of a statistic in the words of the contract. */
export function toOrigin({ source, licence, asOf, fetchedAt, stale }: Origin) {
  return { source, licence, asOf: `${asOf}T00:00:00.000Z`, fetchedAt, stale }
}

/** When the figures of a market are of. */
export const marketAsOf = z.iso.datetime().nullable().describe('When the market data last changed, ISO 8601 UTC; null for an empty market.')

/** Why an average may be missing. The number is the rule of the market room. */
export const withheld = `null where fewer than ${fewestInstitutions} institutions stand behind it; providers on one licence are one institution.`

/** Hundredths of a percent as text; what is not known stays null. */
export const percentOrNull = (valueBp: number | null) => (valueBp === null ? null : twoDecimals(valueBp))
