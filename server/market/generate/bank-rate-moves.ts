import bankRate from '../data/bank-rate.json' with { type: 'json' }
import { toHundredths } from '../decimal.ts'
import { dayNumber } from './day-number.ts'

/** Change of Bank Rate: day number, and the rate before and after in hundredths of a percent. */
export type BankRateMove = { readonly day: number; readonly beforeBp: number; readonly rateBp: number }

function readMoves(): BankRateMove[] {
  const days = Object.entries(bankRate.series.IUDBEDR).map(([date, text]) => ({ day: dayNumber(date), rateBp: toHundredths(text) ?? 0 }))
  return days.flatMap(({ day, rateBp }, index) => {
    const beforeBp = days[index - 1]?.rateBp ?? rateBp
    return beforeBp === rateBp ? [] : [{ day, beforeBp, rateBp }]
  })
}

/** All real changes of Bank Rate since December 2007, oldest first. */
export const bankRateMoves: readonly BankRateMove[] = readMoves()
