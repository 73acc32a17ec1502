import { currencies } from '../reference/currencies.ts'
import { type Decimal, divide, readDecimal, writeDecimal } from './exact-decimal.ts'
import { type Observation, SourceError } from './source.ts'

/** Value of one euro on a day by currency, as published by the ECB. */
export type EuroDay = { readonly date: string; readonly rates: ReadonlyMap<string, string> }

/** One digit more than the ECB's own rates. */
const significantDigits = 7

const known = new Set(currencies.map(({ code }) => code))
const one: Decimal = { units: 1n, scale: 0 }

function positive(text: string, currency: string, date: string): Decimal {
  const rate = readDecimal(text)
  if (!rate || rate.units <= 0n) throw new SourceError(`Invalid rate for ${currency} on ${date}: "${text.slice(0, 40)}".`)
  return rate
}

/** Converts euro rates to pound rates. Returns none for a day without a GBP rate. */
function crossDay({ date, rates }: EuroDay): Observation[] {
  const poundText = rates.get('GBP')
  if (poundText === undefined) return []
  const pound = positive(poundText, 'GBP', date)
  const crossed = [...rates].filter(([currency]) => currency !== 'GBP' && known.has(currency))
  return [
    { series: 'EUR', date, value: writeDecimal(divide(one, pound, significantDigits)) },
    ...crossed.map(([currency, text]) => ({ series: currency, date, value: writeDecimal(divide(positive(text, currency, date), pound, significantDigits)) })),
  ]
}

/** Converts days of euro rates to pound rates, for the currencies in the reference list. */
export function crossToPound(days: readonly EuroDay[]): Observation[] {
  const observations = days.flatMap(crossDay)
  if (observations.length === 0) throw new SourceError('No GBP rate found in the file.')
  return observations
}
