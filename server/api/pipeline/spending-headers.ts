import { hash } from 'node:crypto'
import { invalid } from '#server/api/contract/errors.ts'
import type { ListFormat } from '#server/api/contract/list-formats.ts'
import { keyInFormat } from './accept.ts'
import type { CallHeaders, Reading } from './call.ts'

/** Spending options of a call, from its headers. */
export type Spending = {
  /** Maximum credits that the call may cost; null if it sets no maximum. */
  readonly ceiling: number | null
  readonly idempotency: { readonly key: string; readonly request: string } | null
}

const noOptions: Spending = { ceiling: null, idempotency: null }

export const longestIdempotencyKey = 255
const printable = new RegExp(`^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,${longestIdempotencyKey - 2}}[\\x21-\\x7e])?$`)

export const isIdempotencyKey = (key: unknown): key is string => typeof key === 'string' && printable.test(key)

/**
 * Reads `X-SVC-Max-Credits` and `Idempotency-Key`.
 * @throws RefusedError (400) if one of them is not valid: a call that was meant to be limited must not run without its limit.
 */
export function readSpending(headers: CallHeaders, { key: target }: Reading, format: ListFormat): Spending {
  const max = headers['x-svc-max-credits']
  const key = headers['idempotency-key']
  if (max === undefined && key === undefined) return noOptions
  if (max !== undefined && !(typeof max === 'string' && /^\d{1,9}$/.test(max))) {
    throw invalid('"X-SVC-Max-Credits" must be a whole number of credits, 0 or more, and must be sent only once.')
  }
  if (key !== undefined && !isIdempotencyKey(key)) {
    throw invalid(`"Idempotency-Key" must be 1 to ${longestIdempotencyKey} printable ASCII characters, and must be sent only once.`)
  }
  return {
    ceiling: max === undefined ? null : Number(max),
    idempotency: key === undefined ? null : { key, request: hash('sha256', keyInFormat(target, format), 'hex') },
  }
}
