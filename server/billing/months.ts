import { clock } from '#server/clock.ts'
import { BillingError } from './billing-deps.ts'

/** UTC calendar month, such as `2026-11`, with its first day and the first day of the next month. */
export type Month = { readonly name: string; readonly first: string; readonly next: string }

const form = /^(20\d\d)-(0[1-9]|1[0-2])$/

/** @throws BillingError if the month is malformed or in the future */
export function parseMonth(name: string): Month {
  const [, year, month] = form.exec(name) ?? []
  if (year === undefined || month === undefined) throw new BillingError('A month must have the form 2026-11.')
  const next = new Date(Date.UTC(Number(year), Number(month), 1)).toISOString().slice(0, 10)
  const first = `${name}-01`
  if (Date.parse(first) > clock.now()) throw new BillingError('This month is in the future.')
  return { name, first, next }
}

export const getCurrentMonth = (): string => new Date(clock.now()).toISOString().slice(0, 7)

/** Returns the months of a range (inclusive), newest first. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let name = last; name >= first; ) {
    months.push(name)
    const [year, month] = name.split('-').map(Number)
    name = new Date(Date.UTC(year ?? 0, (month ?? 1) - 2, 1)).toISOString().slice(0, 7)
  }
  return months
}
