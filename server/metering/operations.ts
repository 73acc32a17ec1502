import type { Price } from '#server/api/contract/prices.ts'

/** Endpoint with its number in the request log. */
export type Operation = { readonly no: number; readonly id: string; readonly method: string; readonly path: string; readonly price: Price }

export type Operations = readonly Operation[]

/** Endpoint number in the request log for calls to unknown paths. */
const unknownPath = 0

const find = (operations: Operations, no: number) => operations.find((operation) => operation.no === no)

/** Returns the display name of an endpoint, such as `GET /rates`. */
export function operationName(operations: Operations, no: number): string {
  const known = find(operations, no)
  if (known) return `${known.method} ${known.path}`
  return no === unknownPath ? 'Unknown path' : `Endpoint ${no}`
}

/** Returns the name of an endpoint in portal URLs. */
export const operationId = (operations: Operations, no: number): string => find(operations, no)?.id ?? (no === unknownPath ? 'unknown' : String(no))

/** Returns the log number for a name in a portal URL; null if unknown. */
export const operationNo = (operations: Operations, id: string): number | null =>
  id === 'unknown' ? unknownPath : (operations.find((operation) => operation.id === id)?.no ?? null)
