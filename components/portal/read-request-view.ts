import { errorCodes, errors } from '#server/api/contract/errors.ts'
import type { RequestView } from './request-view.ts'

/** Statuses that a call with a valid key can get. */
export const loggedStatuses: readonly number[] = [200, 304, ...new Set(errorCodes.map((code) => errors[code].status))]
  .filter((status) => status !== 401)
  .sort((a, b) => a - b)

const maxLength = 100

type Parameters = Readonly<Record<string, string | string[] | undefined>>

/** Parses a URL's search parameters. Empty or malformed parameters are ignored. */
export function readRequestView(given: Parameters): RequestView {
  const text = (name: string): string | null => {
    const value = given[name]
    const one = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    return one === '' ? null : one.slice(0, maxLength)
  }
  const status = loggedStatuses.find((known) => String(known) === text('status')) ?? null
  return { search: text('search'), endpoint: text('endpoint'), status, key: text('key'), before: text('before') }
}
