import { creditPence, creditsFor, largestTopUpPence, smallestTopUpPence } from '#server/api/contract/price-kinds.ts'
import { number } from '../amounts.ts'

/** Price of a rate, and average daily spend of the account, null if unknown. Used to describe what credits buy. */
export type Pace = { readonly creditsPerRate: number; readonly creditsPerDay: number | null }

const rowsPerPage = 10

/** Amount that most customers start with. */
export const usualPence = 2_000

/** Numbers of days for which an amount is offered. The usual amount replaces the one for two weeks if it lasts for at least a day. */
const offeredDays = [7, 14, 30, 90] as const

/** Smallest step between amounts. */
const stepPence = 1_000

/** Rounds up to two significant digits, and to at least the next £10. */
function roundUp(pence: number): number {
  const unit = Math.max(stepPence, 10 ** (Math.floor(Math.log10(pence)) - 1))
  return Math.ceil(pence / unit) * unit
}

/** Returns the amount that lasts for a number of days, rounded up. */
const lastsFor = (days: number, creditsPerDay: number): number => roundUp(days * creditsPerDay * creditPence)

const isUsualEnough = (creditsPerDay: number): boolean => creditsFor(usualPence) >= creditsPerDay

/**
 * Returns the amounts that last for at least a week, two weeks, a month and three months at the account's pace. Excludes amounts outside the top-up limits. Of
 * equal amounts, keeps the one for the longest time.
 */
export function paceAmounts({ creditsPerDay }: Pace): readonly { days: number; pence: number }[] {
  if (creditsPerDay === null) return []
  return offeredDays
    .filter((days) => days !== 14 || !isUsualEnough(creditsPerDay))
    .map((days) => ({ days, pence: lastsFor(days, creditsPerDay) }))
    .filter(({ pence }, index, all) => pence >= smallestTopUpPence && pence <= largestTopUpPence && pence !== all[index + 1]?.pence)
}

/** Returns the amounts to offer, in ascending order: those for the account's pace, and fixed ones if there are fewer than four. */
export function offeredAmounts(presetsPence: readonly number[], pace: Pace): readonly number[] {
  const ofPace = paceAmounts(pace).map(({ pence }) => pence)
  const fixed = presetsPence.filter((pence) => !ofPace.includes(pence))
  // The usual amount comes first, so that it is always offered if it is the initial choice.
  const usualFirst = fixed.toSorted((a, b) => Number(b === usualPence) - Number(a === usualPence))
  return [...ofPace, ...usualFirst.slice(0, presetsPence.length - ofPace.length)].toSorted((a, b) => a - b)
}

/** Returns the initially chosen amount: the usual one, or a week's worth if the usual one wouldn't last for a day. */
export function firstAmount({ creditsPerDay }: Pace): number {
  if (creditsPerDay === null || isUsualEnough(creditsPerDay)) return usualPence
  return Math.min(largestTopUpPence, lastsFor(offeredDays[0], creditsPerDay))
}

/** Describes what credits buy: `about 12 days` at the account's pace, or `about 20 pages of 10 rates` if the pace is unknown. */
export function worth(bought: number, { creditsPerRate, creditsPerDay }: Pace): string {
  if (creditsPerDay !== null) {
    const days = Math.round(bought / creditsPerDay)
    return bought < creditsPerDay ? 'less than a day' : `about ${number(days)} ${days === 1 ? 'day' : 'days'}`
  }
  const pages = Math.floor(bought / (creditsPerRate * rowsPerPage))
  return `about ${number(pages)} ${pages === 1 ? 'page' : 'pages'} of ${rowsPerPage} rates`
}
