import { z } from 'zod'
import { parseDay } from './dates.ts'

/** JSON Schema of a parameter for the documentation; stored in the metadata of the Zod schema. */
type Documented = { type: 'integer' | 'number' | 'string' | 'boolean' | 'array'; [keyword: string]: unknown }

const documented = <T extends z.ZodType>(schema: T, parameter: Documented, note?: string): T => schema.meta({ parameter, note })

const getInner = (schema: z.ZodType) => (schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema)

/** Returns the published JSON Schema of a parameter: the documented one if it was created in this file, else one derived from Zod. */
export function parameterSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const inner = getInner(schema)
  const known = schema.meta()?.['parameter'] ?? inner.meta()?.['parameter']
  if (known !== undefined) return known as Documented
  const { $schema: _dialect, ...derived } = z.toJSONSchema(inner, { io: 'input', unrepresentable: 'any' })
  return derived
}

/** Returns the description of a parameter, with notes that JSON Schema can't express; empty if there is none. */
export function parameterLabels(schema: z.ZodType): string {
  const inner = getInner(schema)
  const note = schema.meta()?.['note'] ?? inner.meta()?.['note']
  return [schema.description ?? inner.description, note].filter((text) => text !== undefined).join(' ')
}

/** Returns the schema of a parameter whose text is converted by `parse`. Text for which `parse` returns undefined is rejected with the error message. */
export const parsedText = <Value>(parse: (text: string) => Value | undefined, message: string | ((text: string) => string)) =>
  z.string().transform((text, ctx) => {
    const value = parse(text)
    if (value !== undefined) return value
    ctx.addIssue({ code: 'custom', message: typeof message === 'string' ? message : message(text) })
    return z.NEVER
  })

/** Returns the value if it is within the range, otherwise undefined. NaN is never within the range. */
const within = (value: number, min: number, max = Number.POSITIVE_INFINITY) => (value >= min && value <= max ? value : undefined)

/** Returns the schema of a whole number in plain digits: `12`, but not `0x10`, `1e3` or an empty string. */
export function queryInt({ min, max }: { min: number; max?: number }) {
  const range = max === undefined ? `${min} or more` : `from ${min} to ${max}`
  const parse = (text: string) => within(/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN, min, max)
  const schema = parsedText(parse, `must be a whole number ${range}`)
  return documented(schema, { type: 'integer', minimum: min, ...(max === undefined ? {} : { maximum: max }) })
}

/** Parses a decimal with at most two places as whole hundredths; NaN for anything else. */
function readHundredths(text: string): number {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : Number.NaN
}

/**
 * Note in the descriptions of amounts and rates. `multipleOf: 0.01` can't be used instead, because floating-point validators reject valid values such as 19.99.
 */
const twoDecimals = 'At most two decimals.'

/** Returns the schema of an amount in pounds with at most two decimals, parsed as whole pence. */
export function queryPence({ min = 0, max }: { min?: number; max: number }) {
  const message = `must be an amount in pounds from ${min / 100} to ${max / 100} with at most two decimals, such as 20000 or 99.50`
  const schema = parsedText((text) => within(readHundredths(text), min, max), message)
  return documented(schema, { type: 'number', minimum: min / 100, maximum: max / 100 }, twoDecimals)
}

/** Returns the schema of a yearly rate in percent with at most two decimals, parsed as whole basis points. */
export function queryPercent({ max }: { max: number }) {
  const message = `must be a percentage from 0 to ${max / 100} with at most two decimals, such as 4.5 or 4.50`
  const schema = parsedText((text) => within(readHundredths(text), 0, max), message)
  return documented(schema, { type: 'number', minimum: 0, maximum: max / 100 }, twoDecimals)
}

/** Returns the schema of a parameter that is `true` or `false`. */
export function queryBoolean() {
  const schema = z.enum(['true', 'false']).transform((text) => text === 'true')
  return documented(schema, { type: 'boolean' })
}

/** Returns the schema of a parameter with one of several values. For any other value, the error suggests the closest one. */
export function queryEnum<const Values extends readonly [string, ...string[]]>(values: Values) {
  return documented(z.enum(values), { type: 'string', enum: values })
}

const isoTimeLength = '2026-11-21T06:00:00.000Z'.length

/** Parses a time with a time zone. Returns it in UTC with milliseconds. */
function readTime(text: string): string | undefined {
  const parsed = z.iso.datetime({ offset: true }).safeParse(text)
  const time = parsed.success ? new Date(parsed.data).toISOString() : ''
  // In UTC, a time can be in a year before 0 or after 9999, which is written with a sign and would be sorted as text before any other year.
  return time.length === isoTimeLength ? time : undefined
}

/** Returns the schema of a time, parsed as ISO 8601 UTC with milliseconds. */
export function queryTime() {
  const schema = parsedText(readTime, 'must be an ISO 8601 time with a time zone, such as 2026-11-21T06:00:00Z')
  return documented(schema, { type: 'string', format: 'date-time', maxLength: 40, examples: ['2026-11-21T06:00:00Z'] })
}

/** Schema of a date such as `2026-09-01`. */
export const queryDay = documented(
  parsedText((text) => (parseDay(text) === null ? undefined : text), 'must be a date such as 2026-09-01'),
  { type: 'string', format: 'date', examples: ['2026-09-01'] },
)

/** Returns the schema of a key, slug or other short text. */
export function queryText({ max = 200 }: { max?: number } = {}) {
  return documented(z.string().min(1).max(max), { type: 'string', minLength: 1, maxLength: max })
}

/** Returns the schema of a public id with a prefix, such as `key_7Hd2KsVb9QeR1ZtN`. */
export function queryId(prefix: string) {
  const form = new RegExp(`^${prefix}_[0-9A-Za-z]{1,60}$`)
  const schema = parsedText((text) => (form.test(text) ? text : undefined), `must be an id that starts with ${prefix}_`)
  return documented(schema, { type: 'string', minLength: 1, maxLength: 70, pattern: form.source, examples: [`${prefix}_7Hd2KsVb9QeR1ZtN`] })
}

const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Returns the schema of a key in lower-case letters and digits, separated by hyphens. */
export function querySlug({ max }: { max: number }) {
  const parse = (text: string) => (text.length <= max && slugForm.test(text) ? text : undefined)
  const schema = parsedText(parse, `must be 1 to ${max} lower-case letters and digits, separated by single hyphens`)
  return documented(schema, { type: 'string', minLength: 1, maxLength: max, pattern: slugForm.source })
}

/**
 * Returns the schema of words to search for. `normalise` returns the same string for all strings that find the same rows, so that they share one cached page and one
 * cursor.
 */
export function querySearch({ max, example, normalise }: { max: number; example: string; normalise: (text: string) => string }) {
  const parse = (text: string) => (text.length <= max && /[\p{L}\p{N}]/u.test(text) ? normalise(text) : undefined)
  const schema = parsedText(parse, `must be 1 to ${max} characters, with at least one letter or digit`)
  return documented(schema, { type: 'string', minLength: 1, maxLength: max, pattern: '\\S', examples: [example] })
}

const maxKeyLength = 200
/** Keys contain no spaces and no control characters. */
const keyForm = /^[^\s\p{C}]+$/u

/** Returns the schema of a comma-separated list of keys, parsed as distinct keys. */
export function queryKeys({ max }: { max: number }) {
  const parse = (text: string) => {
    const keys = [...new Set(text.split(',').map((key) => key.trim()))]
    return keys.length <= max && keys.every((key) => keyForm.test(key) && key.length <= maxKeyLength) ? keys : undefined
  }
  const schema = parsedText(parse, `must be 1 to ${max} keys separated by commas. Request further keys in another call`)
  return documented(schema, { type: 'string', minLength: 1, maxLength: max * (maxKeyLength + 1) })
}
