const dayMs = 86_400_000

/** Days since 1 January 1970, so that the generator can do arithmetic on dates. */
export const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs)

export const isoDate = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const monthYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `March 2025`. */
export const getMonth = (day: number): string => monthYear.format(day * dayMs)

/** Returns the day itself or, at a weekend, the Friday before: banks change rates on working days. */
export function workingDay(day: number): number {
  // Day 0 was a Thursday, so Saturday is 2 and Sunday 3.
  const weekday = day % 7
  return weekday === 2 || weekday === 3 ? day - (weekday - 1) : day
}
