/** Weekly cycle of the sample market that test keys read. It changes at midnight UTC every day. */

/** Days of the cycle, in order. Index 0 is Monday. */
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const dayCount = weekdays.length

export type Terms = { readonly rate: string; readonly baseRate: string; readonly boostRate: string }

/** Terms without a bonus. */
export const plainRate = (rate: string): Terms => ({ rate, baseRate: rate, boostRate: '0.00' })

/**
 * Products whose terms change, with the terms of each day from Monday to Sunday. Every day, exactly two of them change. Their rates stay below the best three of
 * their type, or keep their place among them, so that examples in the documentation stay the same.
 */
export const changingProducts: Readonly<Record<string, readonly Terms[]>> = {
  'hartmantle-notice-776e': ['3.60', '3.65', '3.70', '3.65', '3.60', '3.55', '3.65'].map(plainRate),
  'tolwick-fixed-rate-602f': ['3.95', '3.95', '4.00', '4.00', '3.90', '3.90', '3.95'].map(plainRate),
  'dormer-isle-fixed-rate-7b70': ['3.65', '3.75', '3.75', '3.65', '3.65', '3.65', '3.65'].map(plainRate),
  // At the weekend, part of the bonus moves to the base rate. The rate stays the same.
  'lowenmoor-easy-access-2187': [
    ...Array.from({ length: 5 }, () => ({ rate: '3.10', baseRate: '1.55', boostRate: '1.55' })),
    ...Array.from({ length: 2 }, () => ({ rate: '3.10', baseRate: '1.70', boostRate: '1.40' })),
  ],
}

/** Products that are listed for four days of each week, in the order in which they are added from Monday to Sunday. */
const rotatingProducts: readonly string[] = [
  'cloverstrand-easy-access-64c5',
  'dormer-isle-easy-access-5d90',
  'hartmantle-easy-access-64e3',
  'wynfarrow-easy-access-3c1e',
  'pinmarrow-easy-access-26ac',
  'copsemallow-easy-access-8b47',
  'paperlark-easy-access-6268',
]

/** Days in a row on which a rotating product is listed. */
const listedDays = 4

/** Switch offer whose bonus is higher from Thursday to Sunday. */
export const changingOffer = 'tolwick-switch-personal'
const raisedFrom = 3
export const raisedBonus = { bonusAmount: '150.00', totalValue: '200.00' }

export const isRaised = (weekday: number): boolean => weekday >= raisedFrom

/** Returns the weekday of a day (ISO date): 0 is Monday. */
export const toWeekday = (day: string): number => (new Date(day).getUTCDay() + dayCount - 1) % dayCount

/** Returns true if a product of the sample files, or one that is only listed in the cycle, is listed on a weekday. */
export function isListed(sourceKey: string, weekday: number): boolean {
  const added = rotatingProducts.indexOf(sourceKey)
  return added < 0 || (weekday - added + dayCount) % dayCount < listedDays
}

/** Change of the sample market at the beginning of a weekday, for the documentation. */
type WeekdayChanges = {
  readonly weekday: (typeof weekdays)[number]
  readonly added: string
  readonly withdrawn: string
  readonly changed: readonly string[]
  readonly offers: readonly string[]
}

/** Returns what changes at the beginning of each weekday, from Monday to Sunday. */
export function describeSampleWeek(): WeekdayChanges[] {
  return weekdays.map((weekday, index) => {
    const before = (index + dayCount - 1) % dayCount
    const differs = (terms: readonly Terms[]) => JSON.stringify(terms[index]) !== JSON.stringify(terms[before])
    const isAdded = (key: string) => isListed(key, index) && !isListed(key, before)
    const isWithdrawn = (key: string) => !isListed(key, index) && isListed(key, before)
    return {
      weekday,
      added: rotatingProducts.find(isAdded) ?? '',
      withdrawn: rotatingProducts.find(isWithdrawn) ?? '',
      changed: Object.keys(changingProducts).filter((key) => differs(changingProducts[key] ?? [])),
      offers: isRaised(index) === isRaised(before) ? [] : [changingOffer],
    }
  })
}
