import { hash } from 'node:crypto'
import { invalid } from '#server/api/contract/errors.ts'
import type { CallHeaders, Reading } from './call.ts'

/** What the caller says about paying for this one call. */
export type Spending = {
  /** Most credits that the call may cost, or null. */
  readonly ceiling: number | null
  readonly idempotency: { readonly key: string; readonly request: string } | null
}

const nothingSaid: Spending = { ceiling: null, idempotency: null }

export const longestIdempotencyKey = 255
const printable = new RegExp(`^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,${longestIdempotencyKey - 2}}[\\x21-\\x7e])?$`)

export const isIdempotencyKey = (key: unknown): key is string => typeof key === 'string' && printable.test(key)

/**
 * Reads `X-SVC-Max-Credits` and `Idempotency-Key`.
 * @throws RefusedError (400) when one of them cannot be used: a call meant to be limited is not made without its limit.
 */
export function readSpending(headers: CallHeaders, reading: Reading): Spending {
  const most = headers['x-svc-max-credits']
  const key = headers['idempotency-key']
  if (most === undefined && key === undefined) return nothingSaid
  if (most !== undefined && !(typeof most === 'string' && /^\d{1,9}$/.test(most))) {
    throw invalid('"X-SVC-Max-Credits" must be a whole number of credits, 0 or more, given once.')
  }
  if (key !== undefined && !isIdempotencyKey(key)) {
    throw invalid(`"Idempotency-Key" must be 1 to ${longestIdempotencyKey} printable ASCII characters, given once.`)
  }
  return {
    ceiling: most === undefined ? null : Number(most),
    idempotency: key === undefined ? null : { key, request: hash('sha256', reading.key, 'hex') },
  }
}
