import { z } from 'zod'
import { minInstitutions } from '#server/market/figures/category-figures.ts'

/** Percentage with two decimals. */
export const percent = z
  .string()
  .regex(/^-?\d+\.\d\d$/)
  .meta({ examples: ['4.50'] })

/** Difference in percentage points, signed unless zero. */
export const signedPoints = z
  .string()
  .regex(/^(?:[+-]\d+\.\d\d|0\.00)$/)
  .meta({ examples: ['+0.25'] })

/** Source and freshness fields of every statistic. */
export const originFields = {
  source: z.string().describe('Publisher of the data.'),
  licence: z.string().describe('Reuse licence of the publisher.'),
  asOf: z.iso
    .datetime()
    .meta({ examples: ['2026-11-21T00:00:00.000Z'] })
    .describe('Latest day confirmed by the source, ISO 8601 UTC.'),
  fetchedAt: z.iso.datetime().describe('Time the latest value was fetched from the source, ISO 8601 UTC.'),
  stale: z.boolean().describe('True if asOf is older than expected from the publication schedule, so a newer value may exist.'),
}

type Origin = { readonly source: string; readonly licence: string; readonly asOf: string; readonly fetchedAt: string; readonly stale: boolean }

/** Converts the origin of a statistic to its API fields. */
export function toOrigin({ source, licence, asOf, fetchedAt, stale }: Origin) {
  return { source, licence, asOf: `${asOf}T00:00:00.000Z`, fetchedAt, stale }
}

export const marketAsOf = z.iso.datetime().nullable().describe('Time of the last change to the market data, ISO 8601 UTC; null for an empty market.')

/** Last part of an average's description, which says when the average is null. */
export const withheld = `null if it covers fewer than ${minInstitutions} institutions; providers on one licence count as one institution.`
