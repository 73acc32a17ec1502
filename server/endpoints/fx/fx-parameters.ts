import { z } from 'zod'
import { invalid } from '../../contract/errors.ts'
import { suggestion } from '../../contract/nearest.ts'
import { currencies } from '../../market/reference/currencies.ts'
import { isDay } from '../../market/sources/calendar.ts'

const codes: ReadonlySet<string> = new Set(currencies.map(({ code }) => code))

/** A currency of the reference list by its ISO 4217 code. */
export const currencyCode = z
  .string()
  .transform((text, ctx) => {
    if (codes.has(text)) return text
    // Not an enum, because its message would list all of the 152 codes.
    ctx.addIssue({ code: 'custom', message: `cannot be "${text.slice(0, 60)}".${suggestion(text, codes)} See /reference/currencies` })
    return z.NEVER
  })
  .meta({ parameter: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] } })

/** What `currency` chooses, and which choices buy an empty page. */
export const currencyWords =
  'Only this currency: a code of /reference/currencies. One without a rate, as GBP is, to which rates are, gives an empty page, charged like any other; leave it out to see which have one.'

/** A day as `2026-09-01`. */
export const queryDay = z
  .string()
  .transform((text, ctx) => {
    if (isDay(text)) return text
    ctx.addIssue({ code: 'custom', message: 'must be a day such as 2026-09-01' })
    return z.NEVER
  })
  .meta({ parameter: { type: 'string', format: 'date', examples: ['2026-09-01'] } })

/** Refuses a range that ends before it begins: its answer would be empty, whatever the data. */
export function checkRange(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) throw invalid('"from" must not be later than "to".')
}
