import { z } from 'zod'
import { invalid } from '#server/api/contract/errors.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import { currencies } from '#server/market/reference/currencies.ts'
import { isDay } from '#server/market/sources/calendar.ts'

const codes: ReadonlySet<string> = new Set(currencies.map(({ code }) => code))

/** Parameter with the ISO 4217 code of a currency in the reference list. */
export const currencyCode = z
  .string()
  .transform((text, ctx) => {
    if (codes.has(text)) return text
    // Not an enum, because its error message would list all 152 codes.
    ctx.addIssue({ code: 'custom', message: `cannot be "${text.slice(0, 60)}".${suggestion(text, codes)} See /reference/currencies` })
    return z.NEVER
  })
  .meta({ parameter: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] } })

/** Description of `currency`, including the codes that return an empty page. */
export const currencyDescription =
  'Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the base), return an empty page, which is charged like any other; omit `currency` to see which have one.'

/** Parameter with a date such as `2026-09-01`. */
export const queryDay = z
  .string()
  .transform((text, ctx) => {
    if (isDay(text)) return text
    ctx.addIssue({ code: 'custom', message: 'must be a date such as 2026-09-01' })
    return z.NEVER
  })
  .meta({ parameter: { type: 'string', format: 'date', examples: ['2026-09-01'] } })

/** Rejects a range that ends before it starts, because its result would always be empty. */
export function checkRange(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) throw invalid('"from" must not be later than "to".')
}
