import { grouped, percent, pounds } from '../decimal.ts'
import type { Product } from '../product.ts'
import { grossOfAer, toBasisPoints } from './interest.ts'
import type { Simulation, SimulationTerms } from './simulate.ts'
import { monthsBetweenCredits, toCompounding } from './simulate.ts'

/** Input for the assumptions and warnings of a simulation. Amounts in pence. */
export type SimulatedProduct = {
  readonly product: Product
  readonly terms: SimulationTerms
  readonly amountPence: number
  readonly askedMonths: number
  readonly result: Simulation
  /** Deposit protection per person at the provider; null if unlimited or unknown. */
  readonly protectionLimitPence: number | null
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

function balanceWarnings({ product, amountPence, result: { endBalancePence } }: SimulatedProduct): Warning[] {
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
