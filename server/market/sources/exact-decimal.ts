import { twoDecimals } from '#server/api/contract/formats.ts'
import { SourceError } from './source.ts'

/** Exact decimal: `units` divided by ten to the power of `scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number }

const pattern = /^([+-]?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/

const power = (exponent: number) => 10n ** BigInt(exponent)

/** Parses digits with an optional fraction and exponent (`4`, `0.10`, `1.5e-7`), without binary rounding. */
export function readDecimal(text: string): Decimal | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const units = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * power(-scale), scale: 0 } : { units, scale }
}

/** Formats without trailing zeros, so that equal values are equal strings: `4.50` is `4.5`. */
export function writeDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** Divides integers, rounding half away from zero. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const size = (2n * n + d) / (2n * d)
  return isNegative ? -size : size
}

/** Divides positive decimals, rounded half up to a number of significant digits. */
export function divide(a: Decimal, b: Decimal, significantDigits: number): Decimal {
  const numerator = a.units * power(b.scale)
  const denominator = b.units * power(a.scale)
  // The integer part of the quotient has this many digits, or one more.
  const wholeDigits = String(numerator).length - String(denominator).length
  const places = Math.max(0, significantDigits - wholeDigits)
  const units = divideRounded(numerator * power(places), denominator)
  if (String(units).length <= significantDigits || places === 0) return { units, scale: places }
  return { units: divideRounded(numerator * power(places - 1), denominator), scale: places - 1 }
}

/** Converts a decimal to hundredths, rounded half away from zero. */
export function toWholeHundredths({ units, scale }: Decimal): number {
  return Number(divideRounded(units * 100n, power(scale)))
}

/** Formats hundredths with a sign: `+0.25`, `-1.50`, `0.00`. */
export function signedTwoDecimals(hundredths: number): string {
  return hundredths > 0 ? `+${twoDecimals(hundredths)}` : twoDecimals(hundredths)
}

/** Returns the percentage change from one positive value to another, as a signed string with two decimals. */
export function percentChange(from: Decimal, to: Decimal): string {
  const scale = Math.max(from.scale, to.scale)
  const before = from.units * power(scale - from.scale)
  const after = to.units * power(scale - to.scale)
  return signedTwoDecimals(Number(divideRounded((after - before) * 10_000n, before)))
}

type ExactParse = (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown

/** Parses JSON, keeping every number as its original digits: a JavaScript number would round a rate to binary. */
export function parseExact(text: string): unknown {
  try {
    return (JSON.parse as ExactParse)(text, (_key, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value))
  } catch (cause) {
    throw new SourceError('The response is not valid JSON or was truncated.', undefined, { cause })
  }
}
