import { invalid } from '#server/api/contract/errors.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import { parsedText } from '#server/api/contract/query.ts'
import { currencies } from '#server/market/reference/currencies.ts'

const codes: ReadonlySet<string> = new Set(currencies.map(({ code }) => code))

/** Parameter with the ISO 4217 code of a currency in the reference list. Not an enum, because its error message would list all 152 codes. */
export const currencyCode = parsedText(
  (text) => (codes.has(text) ? text : undefined),
  (text) => `cannot be "${text.slice(0, 60)}".${suggestion(text, codes)} See /reference/currencies`,
).meta({ parameter: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] } })

/** Description of `currency`, including the codes that return an empty page. */
export const currencyDescription =
  'Only this currency, a code from /reference/currencies. Currencies without a rate, such as GBP (the base), return an empty page, which is charged like any other; omit `currency` to see which have one.'

/** Rejects a range that ends before it starts, because its result would always be empty. */
export function checkRange(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) throw invalid('"from" must not be later than "to".')
}
