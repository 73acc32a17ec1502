/** Parsers for numbers that users type. A comma must precede exactly three digits, so that `12,50` is rejected rather than misread. */
const whole = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`
const wholeForm = new RegExp(`^${whole}$`)
const poundsForm = new RegExp(String.raw`^£? ?(${whole})(?:\.(\d{1,2}))?$`)

/** Returned for input that is not a number. No validation rule accepts it, so the message of the rule is shown. */
const none = -1

/** Clamps to the largest exact integer, which is above what any rule accepts. */
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

/** Parses a whole number with an optional sign: `50`, `-50`, `−1,000`. Null if it is not a number, or 0. */
export function signedTyped(text: string): number | null {
  const typed = text.trim()
  const size = wholeTyped(typed.replace(/^[+\-−] ?/, ''))
  if (size < 1) return null
  return /^[-−]/.test(typed) ? -size : size
}
