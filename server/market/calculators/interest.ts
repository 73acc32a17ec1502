/** Divides, rounding half up to a whole number. Neither argument may be negative. */
export function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/**
 * Returns the integer root of a value: the largest whole number that doesn't exceed the value when raised to the power `degree`. Found bit by bit, starting
 * with the highest.
 */
export function wholeRoot(value: bigint, degree: number): bigint {
  const power = BigInt(degree)
  const bits = Math.ceil((value.toString(16).length * 4) / degree)
  let root = 0n
  for (let bit = 1n << BigInt(bits); bit > 0n; bit >>= 1n) {
    const candidate = root | bit
    if (candidate ** power <= value) root = candidate
  }
  return root
}

/**
 * Returns the root of `numerator / denominator`, rounded half up to a whole number. Exact, because it uses integers only: x rounded half up is (floor(2x) + 1)
 * / 2, discarding the remainder.
 */
export function halfUpRoot(numerator: bigint, denominator: bigint, degree: number): bigint {
  return (wholeRoot((numerator << BigInt(degree)) / denominator, degree) + 1n) / 2n
}

/**
 * Gross yearly rate, scaled by `wholeRate` (100%), to 60 decimal places. Precise enough to round half pennies correctly: a root that is a finite decimal is
 * exact to more digits than the rounding depends on, and any other root is irrational, so it is never exactly half a penny.
 */
export type YearlyRate = bigint

export const wholeRate = 10n ** 60n

const basisPoints = 10_000n
const monthsPerYear = 12

/** Converts a nominal yearly rate, in basis points, to a `YearlyRate`. The interest for one month is a twelfth of it. */
export function nominalRate(rateBp: number): YearlyRate {
  return (BigInt(rateBp) * wholeRate) / basisPoints
}

/** Returns the growth factor over several months, given the yearly growth (AER) in each month: the twelfth root of the product. */
function growthFactor(aerBpByMonth: readonly number[]): bigint {
  const product = aerBpByMonth.reduce((grown, aerBp) => grown * (basisPoints + BigInt(aerBp)), 1n)
  return wholeRoot((product * wholeRate ** 12n) / basisPoints ** BigInt(aerBpByMonth.length), monthsPerYear)
}

/** Converts an AER to the equivalent gross yearly rate with n interest payments a year: n × ((1 + AER)^(1/n) − 1). */
export function grossOfAer(aerBp: number, creditsPerYear: number): YearlyRate {
  // With one interest payment a year the two rates are equal, so this common case needs no root.
  if (creditsPerYear === 1) return nominalRate(aerBp)
  const months = Array.from({ length: monthsPerYear / creditsPerYear }, () => aerBp)
  return BigInt(creditsPerYear) * (growthFactor(months) - wholeRate)
}

/**
 * Returns, as a yearly rate, the growth over a term in which interest is credited once, at the end. Applied to the last month alone (a twelfth of a year), this
 * rate gives the interest for the whole term.
 */
export function termGrowth(aerBpByMonth: readonly number[]): YearlyRate {
  return BigInt(monthsPerYear) * (growthFactor(aerBpByMonth) - wholeRate)
}

/** Rounds a yearly rate to the nearest hundredth of a percent, for display. */
export function toBasisPoints(rate: YearlyRate): number {
  return Number(halfUp(rate * basisPoints, wholeRate))
}

/** One month of an account, in pence. `interestPence` is the interest credited at the end of the month; `balancePence` includes it. */
export type AccountMonth = {
  readonly depositPence: bigint
  readonly interestPence: bigint
  readonly balancePence: bigint
}

type GrowthRequest = {
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

export function sumInterest(months: readonly AccountMonth[]): bigint {
  return months.reduce((sum, { interestPence }) => sum + interestPence, 0n)
}
