import type { Availability } from '#server/api/contract/endpoint.ts'
import { type ErrorCode, errorCodes, errors, portalErrors } from '#server/api/contract/errors.ts'
import type { registry } from '#server/api/endpoints/registry.ts'

type Entry = (typeof registry)[number]

export type OperationError = { readonly code: ErrorCode; readonly status: number; readonly when: string }

/** Conditions of codes that only some endpoints return. Every endpoint can return the other codes. */
const conditions: { readonly [Code in ErrorCode]?: (entry: Entry, available: Availability) => boolean } = {
  insufficient_credits: ({ price }) => price.credits > 0,
  replay_unavailable: ({ price }) => price.credits > 0,
  insufficient_scope: ({ scope }) => scope !== 'any-key',
  sample_data_unavailable: ({ sampled }) => sampled,
  endpoint_restricted: (_entry, available) => available === 'test-only',
  plan_upgrade_required: ({ plan }) => plan !== undefined,
}

/** Returns the errors that calls of this endpoint can get, in the order of the contract. */
export function operationErrors(entry: Entry, available: Availability): OperationError[] {
  const possible = errorCodes.filter((code) => !portalErrors.has(code) && (conditions[code]?.(entry, available) ?? true))
  return possible.map((code) => ({ code, status: errors[code].status, when: errors[code].when }))
}
