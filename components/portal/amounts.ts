import { creditPence } from '#server/api/contract/price-kinds.ts'

const whole = new Intl.NumberFormat('en-GB')

/** Formats a number with thousands separators and a true minus sign. */
export const number = (value: number): string => whole.format(value).replace('-', '−')

export const credits = (count: number): string => `${number(count)} ${Math.abs(count) === 1 ? 'credit' : 'credits'}`

/** Formats credits as money: 10p, £5, £5.50. */
export function pounds(count: number): string {
  const pence = Math.abs(count) * creditPence
  const sign = count < 0 ? '−' : ''
  if (pence < 100) return `${sign}${pence}p`
  return `${sign}£${whole.format(Math.floor(pence / 100))}${pence % 100 === 0 ? '' : `.${String(pence % 100).padStart(2, '0')}`}`
}

/** Formats a duration: `4 ms`, `1.3 s`; a dash if unknown. */
export function took(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1) return '<1 ms'
  return ms < 1_000 ? `${number(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** Formats a share as a percentage with one decimal. A share that isn't zero is never shown as 0%. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%'
  return part / whole < 0.001 ? '<0.1%' : `${((part / whole) * 100).toFixed(1)}%`
}
