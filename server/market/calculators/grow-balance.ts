import { wholeRate, type YearlyRate } from './interest-rate.ts'
import { halfUp } from './rounding.ts'

/** One month of an account, in pence. `interestPence` is what was credited at its end; the balance stands after that. */
export type AccountMonth = {
  readonly depositPence: bigint
  readonly interestPence: bigint
  readonly balancePence: bigint
}

export type GrowthRequest = {
  /** There from the start of the first month. */
  readonly openingPence: bigint
  /** Paid in at the start of every month, the first included. */
  readonly depositPence: bigint
  /** The rate of each month; a month is a twelfth of a year. */
  readonly yearlyRates: readonly YearlyRate[]
  /** Months from one credit of interest to the next. What has built up by the end is always credited. */
  readonly creditEvery: number
}

const monthlyParts = 12n * wholeRate

/** Runs an account month by month: interest builds up unrounded and is rounded half-up to the penny at each credit. */
export function growBalance({ openingPence, depositPence, yearlyRates, creditEvery }: GrowthRequest): AccountMonth[] {
  let balance = openingPence
  let accrued = 0n
  return yearlyRates.map((rate, index) => {
    const month = index + 1
    balance += depositPence
    accrued += balance * rate
    const isCredit = month % creditEvery === 0 || month === yearlyRates.length
    const interestPence = isCredit ? halfUp(accrued, monthlyParts) : 0n
    if (isCredit) accrued = 0n
    balance += interestPence
    return { depositPence, interestPence, balancePence: balance }
  })
}

/** All interest that was credited. */
export function sumInterest(months: readonly AccountMonth[]): bigint {
  return months.reduce((sum, { interestPence }) => sum + interestPence, 0n)
}
