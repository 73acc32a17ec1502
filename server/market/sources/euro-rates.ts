import { currencies } from '../reference/currencies.ts'
import { type Decimal, divide, readDecimal, writeDecimal } from './exact-decimal.ts'
import { type Observation, SourceError } from './source.ts'

/** What one euro was worth on a day, by currency, as the ECB wrote it. */
export type EuroDay = { readonly date: string; readonly rates: ReadonlyMap<string, string> }

/** As many digits as the ECB's own rates bear, and one to spare. */
const significantDigits = 7

const known = new Set(currencies.map(({ code }) => code))
const one: Decimal = { units: 1n, scale: 0 }

function positive(text: string, currency: string, date: string): Decimal {
  const rate = readDecimal(text)
  if (!rate || rate.units <= 0n) throw new SourceError(`The rate of ${currency} on ${date} is "${text.slice(0, 40)}".`)
  return rate
}

/** Units for one pound instead of one euro. A day without a rate of the pound says nothing about it. */
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

/** Days of euro rates as rates of the pound, for the currencies of the reference list. */
export function crossToPound(days: readonly EuroDay[]): Observation[] {
  const observations = days.flatMap(crossDay)
  if (observations.length === 0) throw new SourceError('The file has no day with a rate of the pound.')
  return observations
}
