import { grouped, percent, pounds } from '../decimal.ts'
import type { Product } from '../product.ts'
import { compoundingOf, monthsBetweenCredits } from './compounding.ts'
import { grossOfAer, toBasisPoints } from './interest-rate.ts'
import type { Simulation, SimulationTerms } from './simulate.ts'

/** What the words of a simulation are made from. Amounts in pence. */
export type SimulatedProduct = {
  readonly product: Product
  readonly terms: SimulationTerms
  readonly amountPence: number
  readonly askedMonths: number
  readonly result: Simulation
  /** Protected for one person at the provider; null when there is no limit or it is not known. */
  readonly protectionLimitPence: number | null
}

const always = [
  'The amount is paid in at the start and left alone: no further deposits and no withdrawals.',
  'A month is a twelfth of a year. Interest builds up unrounded and is rounded half-up to the penny at each credit.',
  'Interest is before tax.',
]

const monthsText = (count: number) => (count === 1 ? '1 month' : `${grouped(count)} months`)

/** What a simulation of a plain rate takes for granted. */
export function plainAssumptions(): string[] {
  return ['The rate stays as it is and compounds annually: interest is credited every twelve months, and for a part of a year at the end.', ...always]
}

function creditText({ interestPaid }: Product, { baseRateBp, boostRateBp, boostMonths, compounding }: SimulationTerms): string {
  if (compoundingOf(interestPaid) === undefined) return `How often interest is paid is not known ("${interestPaid}"); once a year is assumed.`
  const between = monthsBetweenCredits[compounding]
  if (between === null) return 'Interest is paid once, at maturity, and compounds yearly at the rate (AER) until then.'
  if (compounding === 'daily') return 'Interest paid daily is counted month by month; the rate (AER) holds the compounding of days.'
  if (between === 12) return 'Interest is credited once a year at the rate (AER), and for a part of a year at the end.'
  const aerBp = baseRateBp + (boostMonths > 0 ? boostRateBp : 0)
  const gross = percent(toBasisPoints(grossOfAer(aerBp, 12 / between)))
  return `Interest is credited ${compounding}: ${percent(aerBp)} AER is ${gross} gross.`
}

function rateText({ interestType }: Product, { boostMonths, boostRateBp, baseRateBp, termMonths }: SimulationTerms): string {
  if (boostMonths > 0)
    return `The bonus of ${percent(boostRateBp)} ends after ${monthsText(boostMonths)}; from then on the base rate of ${percent(baseRateBp)} is paid.`
  if (interestType === 'Fixed') return termMonths === null ? 'The rate is fixed.' : `The rate is fixed and held to maturity after ${monthsText(termMonths)}.`
  return 'The rate can change; it is taken to stay as it is today.'
}

/** What a simulation of a product takes for granted. */
export function productAssumptions({ product, terms }: SimulatedProduct): string[] {
  const lines = [creditText(product, terms), rateText(product, terms)]
  if (terms.boostMonths > 0 && product.interestType !== 'Fixed') lines.push('The base rate can change; it is taken to stay as it is today.')
  if (product.accountType === 'lifetime-isa') lines.push('The government bonus of a lifetime ISA is not counted.')
  if (product.accountType === 'stocks-shares-isa') lines.push('The rate is that of money which is not invested; investments are not simulated.')
  return [...lines, ...always]
}

type Warning = readonly [applies: boolean, text: string]

function termWarnings({ terms: { termMonths, compounding }, askedMonths }: SimulatedProduct): Warning[] {
  if (termMonths === null) return []
  const term = monthsText(termMonths)
  const built = compounding === 'maturity' ? ' Interest is paid at maturity only; what is shown has built up by then but is not paid yet.' : ''
  return [
    [askedMonths > termMonths, `The account matures after ${term}, before the ${monthsText(askedMonths)} asked for. The figures stop at maturity.`],
    [askedMonths < termMonths, `The account matures after ${term}, later than the ${monthsText(askedMonths)} asked for.${built}`],
  ]
}

function balanceWarnings({ product, amountPence, result: { endBalancePence } }: SimulatedProduct): Warning[] {
  const { minBalancePence, maxBalancePence: max, maxMonthlyDepositPence: monthly } = product
  const amount = pounds(amountPence)
  return [
    [amountPence < minBalancePence, `${amount} is below the smallest balance of the account, ${pounds(minBalancePence)}.`],
    [max !== null && amountPence > max, `${amount} is above the largest balance of the account, ${pounds(max ?? 0)}.`],
    [
      max !== null && amountPence <= max && endBalancePence > BigInt(max),
      `Interest takes the balance above the largest balance of the account, ${pounds(max ?? 0)}.`,
    ],
    [
      monthly !== null && amountPence > monthly,
      `The account takes at most ${pounds(monthly ?? 0)} a month, so ${amount} cannot be paid in at once; see /calculators/regular-saver.`,
    ],
  ]
}

/** What stands in the way of the figures, in plain sentences. */
export function productWarnings(simulated: SimulatedProduct): string[] {
  const { product, terms, protectionLimitPence: limit, result } = simulated
  const rows: Warning[] = [
    ...termWarnings(simulated),
    [product.boostRateBp > 0 && terms.boostMonths === 0, `How long the bonus of ${percent(product.boostRateBp)} lasts is not known, so it is not counted.`],
    ...balanceWarnings(simulated),
    [
      limit !== null && result.endBalancePence > BigInt(limit),
      `The end balance is above the ${pounds(limit ?? 0)} that is protected for one person at this provider.`,
    ],
  ]
  return rows.filter(([applies]) => applies).map(([, text]) => text)
}
