/**
 * Formats a whole number of hundredths with two decimals: 450 basis points is `4.50`, 1999 pence is `19.99`. The service stores all rates and amounts as whole
 * hundredths, never as floats.
 */
export function twoDecimals(hundredths: number): string {
  const size = Math.abs(hundredths)
  return `${hundredths < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns the day (UTC) on which monthly caps reset next, such as `1 December 2026`. */
export function nextMonthsFirst(now: number): string {
  const at = new Date(now)
  return dayFormat.format(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** Formats a day such as `2026-12-08` as `8 December 2026`. */
export const toDayLabel = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** Parsers for numbers that users type. A comma must precede exactly three digits, so that `12,50` is rejected rather than misread. */
const whole = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`
const wholeForm = new RegExp(`^${whole}$`)
const poundsForm = new RegExp(String.raw`^£? ?(${whole})(?:\.(\d{1,2}))?$`)

/** Returned for input that is not a number. No validation rule accepts this value, so the user gets the rule's message. */
const none = -1

/** Caps a value at the largest safe integer, which is too large for every validation rule. */
const bounded = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER)

const getDigits = (text: string): number => Number(text.replaceAll(',', ''))

/** Parses a whole number: `1000`, `1,000`. */
export function wholeTyped(text: string): number {
  const typed = text.trim()
  return wholeForm.test(typed) ? bounded(getDigits(typed)) : none
}

/** Parses whole numbers separated by spaces, semicolons, or commas that can't be part of a number: `1,000, 50`, `100,50,0`. */
export function wholesTyped(text: string): number[] {
  const parts = text.split(/[\s;]+/).map((part) => part.replace(/^,|,$/g, ''))
  return parts.filter((part) => part !== '').flatMap((part) => (wholeForm.test(part) ? wholeTyped(part) : listed(part)))
}

/** Splits at commas if that is unambiguous: `50,10,0` is, `1,000,50` is not. */
function listed(part: string): number[] {
  const each = part.split(',')
  const isOneWay = each.slice(1).every((one) => !/^\d{3}$/.test(one))
  return isOneWay ? each.map(wholeTyped) : [none]
}

/** Parses an amount in pounds as pence: `20`, `£20`, `12.50`, `1,000`. */
export function penceTyped(text: string): number {
  const [, pounds, rest = ''] = poundsForm.exec(text.trim()) ?? []
  return pounds === undefined ? none : bounded(getDigits(pounds) * 100 + Number(rest.padEnd(2, '0')))
}

/** Parses a whole number with an optional sign: `50`, `-50`, `−1,000`. Null if it is 0 or not a number. */
export function signedTyped(text: string): number | null {
  const typed = text.trim()
  const size = wholeTyped(typed.replace(/^[+\-−] ?/, ''))
  if (size < 1) return null
  return /^[-−]/.test(typed) ? -size : size
}
