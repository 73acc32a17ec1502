/** Numbers as people type them. A comma stands before exactly three digits, so that `12,50` is no number rather than another one. */
const whole = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`
const wholeForm = new RegExp(`^${whole}$`)
const poundsForm = new RegExp(String.raw`^£? ?(${whole})(?:\.(\d{1,2}))?$`)

/** What is no number: no rule lets it through, so the words of the rule are said. */
const none = -1

/** As far as whole numbers are exact, which is further than any rule lets through. */
const bounded = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER)

const digitsOf = (text: string): number => Number(text.replaceAll(',', ''))

/** A whole number: `1000`, `1,000`. */
export function wholeTyped(text: string): number {
  const typed = text.trim()
  return wholeForm.test(typed) ? bounded(digitsOf(typed)) : none
}

/** Several of them, apart by spaces, semicolons, or commas that cannot belong to a number: `1,000, 50`, `100,50,0`. */
export function wholesTyped(text: string): number[] {
  const parts = text.split(/[\s;]+/).map((part) => part.replace(/^,|,$/g, ''))
  return parts.filter((part) => part !== '').flatMap((part) => (wholeForm.test(part) ? wholeTyped(part) : listed(part)))
}

/** `50,10,0` can be read in one way only; of `1,000,50` nobody knows what belongs together. */
function listed(part: string): number[] {
  const each = part.split(',')
  const isOneWay = each.slice(1).every((one) => !/^\d{3}$/.test(one))
  return isOneWay ? each.map(wholeTyped) : [none]
}

/** The pence of an amount in pounds: `20`, `£20`, `12.50`, `1,000`. */
export function penceTyped(text: string): number {
  const [, pounds, rest = ''] = poundsForm.exec(text.trim()) ?? []
  return pounds === undefined ? none : bounded(digitsOf(pounds) * 100 + Number(rest.padEnd(2, '0')))
}

/** With a sign when it is taken off: `50`, `-50`, `−1,000`. Null: it is none, or 0. */
export function signedTyped(text: string): number | null {
  const typed = text.trim()
  const size = wholeTyped(typed.replace(/^[+\-−] ?/, ''))
  if (size < 1) return null
  return /^[-−]/.test(typed) ? -size : size
}
