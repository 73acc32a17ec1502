import { InvalidArgumentError } from 'commander'
import { planNames } from '#server/api/contract/plans.ts'
import { type Scope, scopeNames } from '#server/api/contract/scopes.ts'
import { isDay } from '#server/market/sources/calendar.ts'

/** Parses a whole number between `min` and `max`. */
export const wholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`Must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`}.`)
  }

/** Parses a whole number of 0 or more, or `none`. */
export const numberOrNone = (text: string): number | 'none' => (text === 'none' ? text : wholeNumber(0)(text))

/** Parses an ISO 8601 date. */
export function isoDay(text: string): string {
  if (isDay(text)) return text
  throw new InvalidArgumentError('Must be a date such as 2026-11-20.')
}

/** Parses `all` or comma-separated scopes. `all` includes the announced assistant. */
export function scopeList(text: string): Scope[] {
  if (text === 'all') return [...scopeNames]
  return text.split(',').map((name) => {
    const scope = scopeNames.find((known) => known === name.trim())
    if (!scope) throw new InvalidArgumentError(`"${name}" is not a scope. Known: all, ${scopeNames.join(', ')}.`)
    return scope
  })
}

export const commaList = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Parses an ISO 8601 time. Requires a time zone, because local time differs between machines. */
export function moment(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(text)) throw new InvalidArgumentError('Must be a time such as 2027-03-01T00:00:00Z.')
  return at
}

export const oneOf =
  <const Values extends readonly [string, ...string[]]>(values: Values) =>
  (text: string): Values[number] => {
    const value = values.find((known) => known === text)
    if (value === undefined) throw new InvalidArgumentError(`Must be one of ${values.join(', ')}.`)
    return value
  }

export const planName = oneOf(planNames)
