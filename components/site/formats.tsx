const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const londonDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' })
const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', trailingZeroDisplay: 'stripIfInteger' })

/** Formats an ISO date: `12 November 2026`. */
export const formatDay = (date: string): string => longDay.format(new Date(`${date}T00:00:00Z`))

/** Formats the date in London at a given time. */
export const formatLondonDay = (moment: string): string => londonDay.format(new Date(moment))

/** Formats the month of an ISO date: `Nov`. */
export const formatMonth = (date: string): string => shortMonth.format(new Date(`${date}T00:00:00Z`))

/** Formats pounds from a number or a two-decimal string: `£120,000`, `£1.50`. */
export const formatPounds = (amount: number | string): string => pounds.format(Number(amount))

/** Formats a number of months: `8 months`, `1 year`, `5 years`. */
export function formatTerm(months: number): string {
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** Formats a time: `21 November 2026 at 07:42 UTC`. `at` is ISO 8601. */
export function DateTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at}>
      {day.format(date)} at {time.format(date)} UTC
    </time>
  )
}

/** Formats a day: `21 November 2026`. `on` is ISO 8601. */
export function Day({ on }: { on: string }) {
  return <time dateTime={on}>{day.format(new Date(on))}</time>
}
