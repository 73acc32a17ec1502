import bankRate from '../data/bank-rate.json' with { type: 'json' }
import { toHundredths } from '../decimal.ts'
import { dayNumber } from './day-number.ts'

/** A change of Bank Rate: the number of its day, the rate before and from then on in hundredths of a percent. */
export type BankRateMove = { readonly day: number; readonly beforeBp: number; readonly rateBp: number }

function readMoves(): BankRateMove[] {
  const days = Object.entries(bankRate.series.IUDBEDR).map(([date, text]) => ({ day: dayNumber(date), rateBp: toHundredths(text) ?? 0 }))
  return days.flatMap(({ day, rateBp }, index) => {
    const beforeBp = days[index - 1]?.rateBp ?? rateBp
    return beforeBp === rateBp ? [] : [{ day, beforeBp, rateBp }]
  })
}

/** Every true change of Bank Rate since December 2007, oldest first. */
export const bankRateMoves: readonly BankRateMove[] = readMoves()
