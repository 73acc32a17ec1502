/** Days and amounts as pages show them. */

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const londonDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' })
const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', trailingZeroDisplay: 'stripIfInteger' })

/** `12 November 2026`, of an ISO date. */
export const dayWords = (date: string): string => longDay.format(new Date(`${date}T00:00:00Z`))

/** The day in London of a moment. */
export const momentDay = (moment: string): string => londonDay.format(new Date(moment))

/** `Nov`, of an ISO date. */
export const monthWords = (date: string): string => shortMonth.format(new Date(`${date}T00:00:00Z`))

/** `£120,000`, `£1.50`; of a number or of two-decimal text. */
export const poundWords = (amount: number | string): string => pounds.format(Number(amount))

/** `8 months`, `1 year`, `5 years`. */
export function termWords(months: number): string {
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
