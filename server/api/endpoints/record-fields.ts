import { z } from 'zod'
import { fromPlan } from '#server/api/contract/endpoint.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'

/** Schemas and converters for fields shared by several records. */

const twoDecimalText = z.string().regex(/^\d+\.\d\d$/)
const moneyText = twoDecimalText.meta({ examples: ['125.00'] })
const percentText = twoDecimalText.meta({ examples: ['4.50'] })

/** Returns the schema of an amount of money. */
export const money = (meaning: string) => moneyText.describe(`${meaning} In GBP with two decimals.`)

/** Returns the schema of a possibly unknown amount of money. */
export const nullableMoney = (meaning: string) => moneyText.nullable().describe(`${meaning} In GBP with two decimals.`)

/** Returns the schema of a rate or fee in percent. */
export const percent = (meaning: string) => percentText.describe(`${meaning} In percent with two decimals.`)

/** Returns the schema of a calendar date. */
export const day = (meaning: string) =>
  z.iso
    .date()
    .meta({ examples: ['2026-11-21'] })
    .describe(`${meaning} ISO 8601 date.`)

export const logoUrl = z.url().nullable().describe("Absolute URL of the provider's logo; null if it has none.")

/** Logo URL. Live keys need the Enterprise plan: with a key on a lower plan, the request pipeline rejects a call whose `fields` contains it. */
export const providerLogoUrl = fromPlan('enterprise', z.url().nullable().optional().describe("URL of the provider's logo; Enterprise plan only."))

export const updatedAt = z.iso
  .datetime()
  .meta({ examples: ['2026-11-21T06:00:00.000Z'] })
  .describe('Time of the last change to the record, ISO 8601 UTC.')

export const withdrawnAt = z.iso
  .datetime()
  .nullable()
  .meta({ examples: [null] })
  .describe('On lists with withdrawn=include: time of the withdrawal, ISO 8601 UTC, or null if the record is still listed. Otherwise null.')

/** Formats hundredths, such as pence or basis points, with two decimals; null if unknown. */
export const orNull = (hundredths: number | null | undefined): string | null =>
  hundredths === null || hundredths === undefined ? null : twoDecimals(hundredths)

/** Returns the absolute URL of a path on this service, or null if there is no path. */
export const absolute = (path: string | null, publicUrl: string): string | null => (path === null ? null : publicUrl + path)

type Values<Row> = { readonly [Name in keyof Row]: Row[Name] extends readonly (infer One)[] ? readonly One[] : Row[Name] }

/** Returns the fields of a record in the order of its schema. Leaves out all other values, so that a row of the market can be spread into `values`. */
export function toRecord<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, values: Values<z.output<z.ZodObject<Shape>>>): z.output<z.ZodObject<Shape>> {
  const given = values as Readonly<Record<string, unknown>>
  const record: Record<string, unknown> = {}
  for (const name in schema.shape) record[name] = given[name]
  return record as z.output<z.ZodObject<Shape>>
}
