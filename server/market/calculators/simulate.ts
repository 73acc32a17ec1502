import { grouped, percent, pounds } from '../decimal.ts'
import type { Product } from '../product.ts'
import { grossOfAer, growBalance, halfUpRoot, sumInterest, termGrowth, toBasisPoints, type YearlyRate } from './interest.ts'

/** Interest-crediting frequencies. */
export const compoundings = ['daily', 'monthly', 'quarterly', 'half-yearly', 'annually', 'maturity'] as const

type Compounding = (typeof compoundings)[number]

/**
 * Months between interest payments; null if interest is credited once, at the end of the term. Daily interest is simulated as monthly: the AER already includes
 * compounding within the month, and a twelfth of a year isn't a whole number of days.
 */
export const monthsBetweenCredits: Readonly<Record<Compounding, number | null>> = {
  daily: 1,
  monthly: 1,
  quarterly: 3,
  'half-yearly': 6,
  annually: 12,
  maturity: null,
}

const labels: Readonly<Record<string, Compounding>> = {
  Daily: 'daily',
  Monthly: 'monthly',
  Quarterly: 'quarterly',
  'Half-yearly': 'half-yearly',
  Annually: 'annually',
  'At maturity': 'maturity',
}

/** Maps a product's `interestPaid` label to a crediting frequency. Returns undefined for unknown labels. */
export function toCompounding(interestPaid: string): Compounding | undefined {
  return Object.hasOwn(labels, interestPaid) ? labels[interestPaid] : undefined
}

/** Account terms used by a simulation. Rates are AER in basis points. */
export type SimulationTerms = {
  /** Rate without the bonus. */
  readonly baseRateBp: number
  /** Bonus rate and its duration in months from the start; both 0 without a bonus. */
  readonly boostRateBp: number
  readonly boostMonths: number
  readonly compounding: Compounding
  /** Months to maturity, when the simulation stops; null if the account has no term. */
  readonly termMonths: number | null
}

/** Converts the AER of each month to the gross rate for the crediting frequency. */
function engineRates(aerBpByMonth: readonly number[], compounding: Compounding): YearlyRate[] {
  const between = monthsBetweenCredits[compounding]
  if (between === null) return aerBpByMonth.map((_, index) => (index === aerBpByMonth.length - 1 ? termGrowth(aerBpByMonth) : 0n))
  const gross = new Map(aerBpByMonth.map((aerBp) => [aerBp, 0n]))
  for (const aerBp of gross.keys()) gross.set(aerBp, grossOfAer(aerBp, 12 / between))
  return aerBpByMonth.map((aerBp) => gross.get(aerBp) ?? 0n)
}

/** Returns (end ÷ start)^(12 ÷ months) − 1, rounded half up to basis points using integers only. */
function effectiveAer(startPence: bigint, endPence: bigint, months: number): number {
  const grown = halfUpRoot(10_000n ** BigInt(months) * endPence ** 12n, startPence ** 12n, months)
  return Number(grown) - 10_000
}

/**
 * Simulates a single deposit under the terms of an account. The bonus ends after `boostMonths`, and a partial crediting period at the end is credited pro rata.
 * The amount must be above 0. For each month, `schedule` contains the rate in force (AER), the interest credited at the end of the month and the closing
 * balance.
 */
export function simulate(amountPence: bigint, askedMonths: number, terms: SimulationTerms) {
  const months = Math.min(askedMonths, terms.termMonths ?? askedMonths)
  const aerBpByMonth = Array.from({ length: months }, (_, index) => terms.baseRateBp + (index < terms.boostMonths ? terms.boostRateBp : 0))
  const run = growBalance({
    openingPence: amountPence,
    depositPence: 0n,
    yearlyRates: engineRates(aerBpByMonth, terms.compounding),
    creditEvery: monthsBetweenCredits[terms.compounding] ?? months,
  })
  const interestPence = sumInterest(run)
  const endBalancePence = amountPence + interestPence
  return {
    /** Months simulated: the months requested, or the term if that is shorter. */
    months,
    interestPence,
    endBalancePence,
    /** Yearly rate that gives the same end balance, in basis points. */
    effectiveAerBp: effectiveAer(amountPence, endBalancePence, months),
    schedule: run.map((month, index) => ({ ...month, month: index + 1, rateBp: aerBpByMonth[index] ?? 0 })),
  }
}

export type Simulation = ReturnType<typeof simulate>

/** Parses a `boostDuration` such as `12 months`; null for anything else. */
function boostMonths(duration: string | null): number | null {
  const match = /^(\d{1,4}) months?$/.exec(duration ?? '')
  return match ? Number(match[1]) : null
}

/** Converts a product to simulation terms. Excludes a bonus of unknown duration, because its interest must not be promised. */
export function productTerms(product: Product): SimulationTerms {
  return {
    baseRateBp: product.baseRateBp,
    boostRateBp: product.boostRateBp,
    boostMonths: product.boostRateBp > 0 ? (boostMonths(product.boostDuration) ?? 0) : 0,
    compounding: toCompounding(product.interestPaid) ?? 'annually',
    termMonths: product.termMonths,
  }
}

/** Returns simulation terms for a constant rate, compounded yearly. */
export function plainTerms(rateBp: number): SimulationTerms {
  return { baseRateBp: rateBp, boostRateBp: 0, boostMonths: 0, compounding: 'annually', termMonths: null }
}

/** Input for the assumptions and warnings of a simulation. Amounts in pence. */
export type SimulatedProduct = {
  readonly product: Product
  readonly terms: SimulationTerms
  readonly amountPence: number
  readonly askedMonths: number
  readonly result: Simulation
  /** Deposit protection per person at the provider; null if unlimited or unknown. */
  readonly protectionLimitPence: number | null
  /** ISA allowance of the product's type in the current tax year; null if it has none. */
  readonly yearlyAllowancePence: number | null
}

const always = [
  'The amount is deposited at the start, with no further deposits or withdrawals.',
  'A month is a twelfth of a year. Interest accrues unrounded and is rounded half up to the penny at each credit.',
  'Interest is before tax.',
]

const monthsText = (count: number) => (count === 1 ? '1 month' : `${grouped(count)} months`)

/** Returns the assumptions of a simulation with a constant rate. */
export function plainAssumptions(): string[] {
  return ['The rate stays the same and compounds annually: interest is credited every twelve months, and pro rata for a partial year at the end.', ...always]
}

function creditText({ interestPaid }: Product, { baseRateBp, boostRateBp, boostMonths, compounding }: SimulationTerms): string {
  if (toCompounding(interestPaid) === undefined) return `The interest payment frequency is unknown ("${interestPaid}"); annual payment is assumed.`
  const between = monthsBetweenCredits[compounding]
  if (between === null) return 'Interest is paid once, at maturity, and compounds yearly at the rate (AER) until then.'
  if (compounding === 'daily') return 'Daily interest is calculated monthly; the rate (AER) already includes daily compounding.'
  if (between === 12) return 'Interest is credited once a year at the rate (AER), and pro rata for a partial year at the end.'
  const aerBp = baseRateBp + (boostMonths > 0 ? boostRateBp : 0)
  const gross = percent(toBasisPoints(grossOfAer(aerBp, 12 / between)))
  return `Interest is credited ${compounding}: ${percent(aerBp)} AER is ${gross} gross.`
}

function rateText({ interestType }: Product, { boostMonths, boostRateBp, baseRateBp, termMonths }: SimulationTerms): string {
  if (boostMonths > 0)
    return `The bonus of ${percent(boostRateBp)} ends after ${monthsText(boostMonths)}; after that, the base rate of ${percent(baseRateBp)} applies.`
  if (interestType === 'Fixed') return termMonths === null ? 'The rate is fixed.' : `The rate is fixed until maturity after ${monthsText(termMonths)}.`
  return 'The rate is variable; it is assumed to stay the same.'
}

/** Returns the assumptions of a product simulation, one sentence each. */
export function productAssumptions({ product, terms }: SimulatedProduct): string[] {
  const lines = [creditText(product, terms), rateText(product, terms)]
  if (terms.boostMonths > 0 && product.interestType !== 'Fixed') lines.push('The base rate is variable; it is assumed to stay the same.')
  if (product.accountType === 'lifetime-isa') lines.push('The lifetime ISA government bonus is not included.')
  if (product.accountType === 'stocks-shares-isa') lines.push('The rate applies to uninvested cash; investments are not simulated.')
  return [...lines, ...always]
}

type Warning = readonly [applies: boolean, text: string]

function termWarnings({ terms: { termMonths, compounding }, askedMonths }: SimulatedProduct): Warning[] {
  if (termMonths === null) return []
  const term = monthsText(termMonths)
  const built = compounding === 'maturity' ? ' Interest is only paid at maturity; the amount shown has accrued but is not paid yet.' : ''
  return [
    [askedMonths > termMonths, `The account matures after ${term}, before the ${monthsText(askedMonths)} requested. The simulation stops at maturity.`],
    [askedMonths < termMonths, `The account matures after ${term}, later than the ${monthsText(askedMonths)} requested.${built}`],
  ]
}

function balanceWarnings({ product, amountPence, yearlyAllowancePence: allowance, result: { endBalancePence } }: SimulatedProduct): Warning[] {
  const { minBalancePence, maxBalancePence: max, maxMonthlyDepositPence: monthly } = product
  const amount = pounds(amountPence)
  return [
    [amountPence < minBalancePence, `${amount} is below the account's minimum balance of ${pounds(minBalancePence)}.`],
    [max !== null && amountPence > max, `${amount} is above the account's maximum balance of ${pounds(max ?? 0)}.`],
    [max !== null && amountPence <= max && endBalancePence > BigInt(max), `Interest takes the balance above the account's maximum of ${pounds(max ?? 0)}.`],
    [
      monthly !== null && amountPence > monthly,
      `The account accepts at most ${pounds(monthly ?? 0)} a month, so ${amount} cannot be paid in at once. See /calculators/regular-saver.`,
    ],
    [
      allowance !== null && amountPence > allowance,
      `At most ${pounds(allowance ?? 0)} of new money can be paid in each tax year, so ${amount} cannot be paid in at once.`,
    ],
  ]
}

/** Returns the warnings about a product simulation, each one or two sentences long. */
export function productWarnings(simulated: SimulatedProduct): string[] {
  const { product, terms, protectionLimitPence: limit, result } = simulated
  const rows: Warning[] = [
    ...termWarnings(simulated),
    [product.boostRateBp > 0 && terms.boostMonths === 0, `The ${percent(product.boostRateBp)} bonus has an unknown duration, so it is not included.`],
    ...balanceWarnings(simulated),
    [limit !== null && result.endBalancePence > BigInt(limit), `The end balance is above the ${pounds(limit ?? 0)} protected per person at this provider.`],
  ]
  return rows.filter(([applies]) => applies).map(([, text]) => text)
}
