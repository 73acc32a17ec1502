import { z } from 'zod'
import { accountTypeValues, type ProductType } from '#server/api/contract/account-types.ts'
import { toHundredths } from '../decimal.ts'
import type { FeedKind } from './feed-kind.ts'

/**
 * Field types of feeds. Each parses a value (JSON, or the text of a CSV cell) into a column value. Error messages are phrased to follow the field
 * name.
 */

/** Returns the error messages for a missing or invalid value, phrased to follow the field name. */
export const must = (expected: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? 'is missing' : `must be ${expected}`),
})

/** True if a string is well-formed and has no control characters. PostgreSQL can't store NUL, and control characters in a feed are always a mistake. */
const isPrintable = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text)

export const text = (maximum: number) =>
  z
    .string(must('text'))
    .trim()
    .min(1, 'must not be empty')
    .max(maximum, `must be at most ${maximum} characters`)
    .refine(isPrintable, 'must not contain control characters')

export const slug = (maximum: number) =>
  z
    .string(must('text'))
    .max(maximum, `must be at most ${maximum} characters`)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits, separated by single hyphens')

export const providerSlug = slug(80)

export const sourceKey = z.string(must('text')).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, 'must be 1 to 120 letters, digits, dots, hyphens or underscores')

export const url = z
  .string(must('an http or https URL'))
  .max(2000, 'must be at most 2000 characters')
  .refine((value) => /^https?:\/\/[^\s/]+\.[^\s]+$/.test(value) && URL.canParse(value), 'must be an http or https URL')

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values, must(`one of ${values.join(', ')}`))

const productTypes = accountTypeValues.filter((type) => type !== 'all') as [ProductType, ...ProductType[]]

export const productType = oneOf(productTypes)

/** Duration of a bonus. */
export const duration = z.string(must('text')).regex(/^(?:1 month|(?!1 )[1-9]\d{0,2} months)$/, 'must be a number of months, such as "12 months" or "1 month"')

export const flag = z.union([z.boolean(), z.enum(['true', 'false'])], must('true or false')).transform((value) => value === true || value === 'true')

/** Numeric field, given as a string or a number. `read` parses its digits and returns undefined if they are invalid. */
function numeric(expected: string, read: (text: string) => number | undefined) {
  return z.union([z.string(), z.number()], must(expected)).transform((value, context) => {
    const number = read(String(value).trim())
    if (number !== undefined) return number
    context.addIssue({ code: 'custom', message: `must be ${expected}` })
    return z.NEVER
  })
}

const unlessOver = (maximum: number, value: number | undefined) => (value !== undefined && value <= maximum ? value : undefined)

const hundredths = (expected: string, maximum: number) => numeric(expected, (text) => unlessOver(maximum, toHundredths(text)))

export const rate = (maximum = 100) => hundredths(`a percentage from 0 to ${maximum} with at most two decimals, such as 4.50`, maximum * 100)
export const decimal = (expected: string, maximum: number) => hundredths(expected, maximum * 100)
export const pounds = () => hundredths('an amount in pounds with at most two decimals, such as 85000.00', 99_999_999_999_999)

export const whole = (minimum: number, maximum: number) =>
  numeric(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= minimum && number <= maximum ? number : undefined
  })

const timeMessage = 'must be an ISO 8601 timestamp from 2000 to 2099 with a time zone, such as 2026-11-21T06:00:00Z'
export const moment = z.iso.datetime({ offset: true, error: timeMessage }).refine((value) => value.startsWith('20'), timeMessage)

/** Optional field: omitted, null and (in CSV) empty are equivalent. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null)

export const or = <T extends z.ZodType<boolean, unknown>>(schema: T, fallback: boolean) => schema.nullish().transform((value) => value ?? fallback)

export const kind = <const Kind extends FeedKind>(value: Kind) =>
  z
    .literal(value, must(`"${value}"`))
    .optional()
    .describe(`Kind of feed, "${value}". Optional if the file name implies it.`)

const dayMessage = 'must be an ISO 8601 date from 1900 to 2099, such as 2026-11-21'
export const day = z.iso
  .date({ abort: true, error: ({ input }) => (input === undefined || input === null ? 'is missing' : dayMessage) })
  .refine((value) => /^(?:19|20)/.test(value), dayMessage)

/** Score out of five with at most one decimal, parsed into tenths. */
export const tenths = numeric('a score from 0.0 to 5.0 with one decimal, such as 4.3', (text) => {
  const [, whole, tenth = 0] = /^(\d)(?:\.(\d))?$/.exec(text) ?? []
  return whole === undefined ? undefined : unlessOver(50, Number(whole) * 10 + Number(tenth))
})

const toCell = (value: string) => value.split('|').map((part) => part.trim())

/** List of strings; in CSV, one cell with `|` between the strings. Stored as JSON; an omitted list is stored as an empty one. */
export function list(item: z.ZodType<string, string>, maximum: number) {
  const items = z.array(item).max(maximum, `must have at most ${maximum} items`)
  return z
    .union([items, z.string().transform(toCell).pipe(items)], must('a list of strings'))
    .nullish()
    .transform((value) => JSON.stringify(value ?? []))
}

/** List of codes, or `all`; in CSV, one cell with `|` between the codes. Stored as JSON. */
export function codes(item: z.ZodType<string, string>) {
  const items = z.array(item).min(1, 'must not be empty')
  return z
    .union([z.literal('all'), items, z.string().transform(toCell).pipe(items)], must('a list of codes or "all"'))
    .transform((value) => JSON.stringify(value))
}

/** Object or list of objects; in CSV, one cell of JSON. Stored as JSON. */
export function nested<Inner extends z.ZodType>(inner: Inner) {
  const cell = z.string().transform((value, context): unknown => {
    try {
      return JSON.parse(value)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' })
      return z.NEVER
    }
  })
  return z
    .union([inner, cell.pipe(inner)], must('an object or a list of objects, as documented; in CSV, encode it as JSON'))
    .transform((value) => JSON.stringify(value))
}
