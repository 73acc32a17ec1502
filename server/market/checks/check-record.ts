import { grouped, pounds } from '../decimal.ts'
import type { FeedKind } from '../import/feed-kind.ts'
import type { ParsedRecord } from '../import/feed-schema.ts'
import { payableTaxYear, yearlyAllowance } from '../payable.ts'
import { fscsLimits } from '../reference/fscs.ts'

/** Result of a check: [is contradictory, problem]. */
type Check = readonly [contradicts: boolean, problem: string]

/** Returns the number that a pattern captures in a string; null if there is no match. */
function readNumber(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

/** Returns the number of withdrawals a year that the withdrawal terms state; null if they state none. */
function statedWithdrawals(access: string): number | null {
  if (/^no withdrawals/i.test(access)) return 0
  if (/^one withdrawal a month/i.test(access)) return 12
  return readNumber(access, /up to (\d+) withdrawals? a year/i)
}

/** Returns the term that an account name states, in months; null if it states none. */
function statedTerm(name: string): number | null {
  const months = readNumber(name, /\b(\d+)[ -]months?\b/i)
  const years = readNumber(name, /\b(\d+)[ -]years?\b/i)
  return months ?? (years === null ? null : years * 12)
}

/** Number of months in which money can be paid into a regular saver; null if it is open-ended. */
const monthsOfDeposits = ({ termMonths, access }: ParsedRecord<'product'>) => termMonths ?? readNumber(access, /^no withdrawals for (\d+) months/i)

function termChecks(product: ParsedRecord<'product'>): Check[] {
  const { accountType, accountName, termMonths, noticeDays, withdrawalsPerYear, access } = product
  const [term, notice, withdrawals] = [statedTerm(accountName), readNumber(accountName, /\b(\d+)[ -]days?\b/i), statedWithdrawals(access)]
  const isEasyAccess = accountType === 'easy-access'
  return [
    [isEasyAccess && noticeDays !== null, 'is an easy-access account, but has a notice period'],
    [isEasyAccess && termMonths !== null, 'is an easy-access account, but has a term'],
    [isEasyAccess && withdrawalsPerYear === 0, 'is an easy-access account, but allows no withdrawals'],
    [accountType === 'fixed-rate' && product.interestType !== 'Fixed', 'is a fixed-rate account, but its rate is variable'],
    [term !== null && term !== termMonths, `is named after a term of ${term} months, but termMonths is ${termMonths ?? 'missing'}`],
    [notice !== null && notice !== noticeDays, `is named after a notice period of ${notice} days, but noticeDays is ${noticeDays ?? 'missing'}`],
    [withdrawals !== null && withdrawals !== withdrawalsPerYear, `states "${access}", but withdrawalsPerYear is ${withdrawalsPerYear ?? 'missing'}`],
    [/^withdraw at any time/i.test(access) && withdrawalsPerYear !== null, `states "${access}", but limits withdrawals to ${withdrawalsPerYear} a year`],
  ]
}

/** Compares the withdrawal terms with the account type and the notice period. */
function accessChecks({ accountType, access, noticeDays }: ParsedRecord<'product'>): Check[] {
  const notice = readNumber(access, /\b(\d+) days[’']? notice/i)
  return [
    [accountType === 'fixed-rate' && /^withdraw at any time/i.test(access), `is a fixed-rate account, but states "${access}"`],
    [notice !== null && notice !== noticeDays, `states "${access}", but noticeDays is ${noticeDays ?? 'missing'}`],
  ]
}

/** Compares the dates and durations of a product with each other and with a day. */
function timeChecks({ termMonths, maturityDate, boostDuration, interestPaid }: ParsedRecord<'product'>, day: string): Check[] {
  const boostMonths = boostDuration === null ? null : readNumber(boostDuration, /^(\d+) months?$/)
  return [
    [interestPaid === 'At maturity' && termMonths === null && maturityDate === null, 'pays interest at maturity, but has no term'],
    [maturityDate !== null && maturityDate <= day, `matured on ${maturityDate}, but is still listed`],
    [
      boostMonths !== null && termMonths !== null && boostMonths > termMonths,
      `has a bonus for ${boostMonths} months, longer than its term of ${termMonths} months`,
    ],
  ]
}

function depositChecks(product: ParsedRecord<'product'>, day: string): Check[] {
  const { accountType, minBalance, maxBalance, maxMonthlyDeposit } = product
  const months = monthsOfDeposits(product)
  const reachable = maxMonthlyDeposit === null || months === null ? null : maxMonthlyDeposit * months
  const allowance = yearlyAllowance(accountType, payableTaxYear(day))
  return [
    [accountType === 'regular-saver' && maxMonthlyDeposit === null, 'is a regular saver without a monthly limit'],
    [
      reachable !== null && maxBalance !== null && maxBalance > reachable,
      `takes ${pounds(maxMonthlyDeposit ?? 0)} a month for ${months} months, ${pounds(reachable ?? 0)} in all, but its maximum balance is ${pounds(maxBalance ?? 0)}`,
    ],
    [maxMonthlyDeposit !== null && minBalance > maxMonthlyDeposit, 'has a minimum balance above its monthly limit'],
    [
      (accountType === 'lifetime-isa' || accountType === 'junior-isa') && allowance !== null && minBalance > allowance,
      `has a minimum balance above the ${pounds(allowance ?? 0)} that can be paid in a tax year`,
    ],
  ]
}

const currentCover = `£${grouped(fscsLimits.deposit)}`

/** Compares the deposit cover in a protection statement with the current limit. Investment firms have a different limit. */
function protectionChecks({ accountType, fscsDetails }: ParsedRecord<'product'>): Check[] {
  const stated = /£[\d,]+/.exec(fscsDetails)?.[0] ?? currentCover
  const isDeposit = accountType !== 'stocks-shares-isa' && /\bFSCS\b/.test(fscsDetails)
  return [[isDeposit && stated !== currentCover, `states cover of ${stated}, but the FSCS limit is ${currentCover}`]]
}

const fscsPence = fscsLimits.deposit * 100

/** Limits of other schemes per person, in pence; null for schemes without a limit. */
const otherSchemes: readonly (readonly [scheme: RegExp, limitPence: number | null])[] = [
  [/^HM Treasury/, null],
  [/^Partner bank/, null],
  [/^(?:Jersey|Guernsey|Isle of Man)/, 5_000_000],
  [/^Safeguarding/, 0],
]

function providerChecks({ providerType, protectionScheme, protectionLimit }: ParsedRecord<'provider'>): Check[] {
  const isFscs = /^FSCS\b/.test(protectionScheme)
  const other = otherSchemes.find(([scheme]) => scheme.test(protectionScheme))
  const limit = protectionLimit === null ? 'no limit' : pounds(protectionLimit)
  return [
    [isFscs && protectionLimit !== fscsPence, `is protected by the FSCS with ${limit}, but the FSCS limit is ${pounds(fscsPence)}`],
    [isFscs && (providerType === 'e-money' || providerType === 'platform'), 'is an e-money firm or platform, which the FSCS does not protect directly'],
    [other !== undefined && other[1] !== protectionLimit, `has ${limit}, which differs from the limit of its protection scheme`],
  ]
}

function switchOfferChecks({ newCustomersOnly, excludedIfHeldSince, startDate }: ParsedRecord<'switch_offer'>): Check[] {
  return [
    [excludedIfHeldSince !== null && !newCustomersOnly, 'excludes earlier customers, but is not for new customers only'],
    [excludedIfHeldSince !== null && excludedIfHeldSince > startDate, 'excludes customers from a date after the offer started'],
  ]
}

function getChecks(kind: FeedKind, values: unknown, day: string): Check[] {
  switch (kind) {
    case 'product': {
      const product = values as ParsedRecord<'product'>
      return [...termChecks(product), ...accessChecks(product), ...timeChecks(product, day), ...depositChecks(product, day), ...protectionChecks(product)]
    }
    case 'provider':
      return providerChecks(values as ParsedRecord<'provider'>)
    case 'switch_offer':
      return switchOfferChecks(values as ParsedRecord<'switch_offer'>)
    default:
      return []
  }
}

/**
 * Returns the contradictions in a valid feed record, one phrase each: statements that contradict each other, the definition of the account type, or the limits in
 * force on a day (ISO date). Unlike the feed rules, they don't make a feed invalid, because a provider may publish them.
 */
export function checkRecord(kind: FeedKind, values: unknown, day: string): string[] {
  return getChecks(kind, values, day).flatMap(([contradicts, problem]) => (contradicts ? [problem] : []))
}
