import { twoDecimals } from '#server/api/contract/formats.ts'

/**
 * Parses a decimal with at most two places into whole hundredths: `4.5` is 450, `85000` is 8500000. Returns undefined for anything else. Works on
 * the digits, so there is no binary rounding.
 */
export function toHundredths(text: string): number | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined
}

/** Formats whole pence: 2000000 is `£20,000.00`. */
export function pounds(pence: number): string {
  return `£${twoDecimals(pence).replace(/\B(?=(?:\d{3})+(?!\d))(?=\d*\.)/g, ',')}`
}

/** Formats basis points: 450 is `4.50%`. */
export function percent(rateBp: number): string {
  return `${twoDecimals(rateBp)}%`
}

/** Formats an ordinal number: `1st`, `2nd`, `3rd`, `11th`, `1,002nd`. */
export function ordinal(place: number): string {
  const lastTwo = place % 100
  const suffix = lastTwo >= 11 && lastTwo <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${grouped(place)}${suffix}`
}

/** Formats a whole number with thousands separators: `1,002`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Formats whole pence as pounds with two decimals: 1999n is `19.99`. For sums beyond `Number.MAX_SAFE_INTEGER`. */
export function moneyText(pence: bigint): string {
  return `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`
}
