import { creditPence, creditsFor, largestTopUpPence, smallestTopUpPence } from '#server/api/contract/price-kinds.ts'
import { number } from '../amounts.ts'

/** Price of a rate, and average daily spend of the account, which is null if unknown. They say what credits buy. */
export type Pace = { readonly creditsPerRate: number; readonly creditsPerDay: number | null }

const rowsPerPage = 10

/** Amount that most customers start with. */
export const usualPence = 2_000

/** Numbers of days for which an amount is offered. */
const offeredDays = [7, 30, 90] as const

const stepPence = 1_000

/** Returns the amount that lasts for a number of days, rounded up to the next £10. */
const lastsFor = (days: number, creditsPerDay: number): number => Math.ceil((days * creditsPerDay * creditPence) / stepPence) * stepPence

/** Returns the amounts that last for a week, a month and a quarter at the account's pace. Leaves out those that can't be paid, and the shorter of equal ones. */
export function paceAmounts({ creditsPerDay }: Pace): readonly { days: number; pence: number }[] {
  if (creditsPerDay === null) return []
  return offeredDays
    .map((days) => ({ days, pence: lastsFor(days, creditsPerDay) }))
    .filter(({ pence }, index, all) => pence >= smallestTopUpPence && pence <= largestTopUpPence && pence !== all[index + 1]?.pence)
}

/** Returns the amounts to offer, in ascending order: those of the account's pace and enough fixed ones to fill a row. */
export function offeredAmounts(presetsPence: readonly number[], pace: Pace): readonly number[] {
  const ofPace = paceAmounts(pace).map(({ pence }) => pence)
  const fixed = presetsPence.filter((pence) => !ofPace.includes(pence))
  // The usual amount comes first, so that it is offered to everyone.
  const usualFirst = fixed.toSorted((a, b) => Number(b === usualPence) - Number(a === usualPence))
  return [...ofPace, ...usualFirst.slice(0, presetsPence.length - ofPace.length)].toSorted((a, b) => a - b)
}

/** Returns the amount to start with: the usual one, or a week's worth if the usual one wouldn't last for a day. */
export function firstAmount({ creditsPerDay }: Pace): number {
  if (creditsPerDay === null || creditsFor(usualPence) >= creditsPerDay) return usualPence
  return Math.min(largestTopUpPence, lastsFor(offeredDays[0], creditsPerDay))
}

/** Says what credits buy: `about 12 days` at the account's pace, or `about 20 pages of 10 rates` if the pace is unknown. */
export function worth(bought: number, { creditsPerRate, creditsPerDay }: Pace): string {
  if (creditsPerDay !== null) {
    const days = Math.floor(bought / creditsPerDay)
    return days === 0 ? 'less than a day' : `about ${number(days)} ${days === 1 ? 'day' : 'days'}`
  }
  const pages = Math.floor(bought / (creditsPerRate * rowsPerPage))
  return `about ${number(pages)} ${pages === 1 ? 'page' : 'pages'} of ${rowsPerPage} rates`
}
