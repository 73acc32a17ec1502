const dayMs = 86_400_000

/** Days of the calendar as whole numbers, so that chance can be counted in them. */
export const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs)

export const isoDate = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const monthYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `March 2025`. */
export const monthOf = (day: number): string => monthYear.format(day * dayMs)

/** The day itself or, at a weekend, the Friday before: banks change rates on working days. */
export function workingDay(day: number): number {
  // Day 0 was a Thursday, so that Saturdays are 2 and Sundays 3.
  const weekday = day % 7
  return weekday === 2 || weekday === 3 ? day - (weekday - 1) : day
}
