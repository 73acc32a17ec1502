import { wholeRate, type YearlyRate } from './interest-rate.ts'
import { halfUp } from './rounding.ts'

/** One month of an account, in pence. `interestPence` is the interest credited at the end of the month; `balancePence` includes it. */
export type AccountMonth = {
  readonly depositPence: bigint
  readonly interestPence: bigint
  readonly balancePence: bigint
}

export type GrowthRequest = {
  /** Balance at the start of the first month. */
  readonly openingPence: bigint
  /** Deposit at the start of every month, including the first. */
  readonly depositPence: bigint
  /** Yearly rate for each month; a month is a twelfth of a year. */
  readonly yearlyRates: readonly YearlyRate[]
  /** Months between interest credits. Accrued interest is always credited at the end. */
  readonly creditEvery: number
}

const monthlyParts = 12n * wholeRate

/** Simulates an account month by month. Interest accrues unrounded and is rounded half up to the penny at each credit. */
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

/** Sums all credited interest. */
export function sumInterest(months: readonly AccountMonth[]): bigint {
  return months.reduce((sum, { interestPence }) => sum + interestPence, 0n)
}
