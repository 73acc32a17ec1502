import type { Price } from '#server/api/contract/prices.ts'

/** An endpoint as the request log numbers it, for whoever reads the log. */
export type Operation = { readonly no: number; readonly id: string; readonly method: string; readonly path: string; readonly price: Price }

export type Operations = readonly Operation[]

/** The number of calls to paths that lead nowhere. */
const nowhere = 0

const find = (operations: Operations, no: number) => operations.find((operation) => operation.no === no)

/** What an endpoint is called: `GET /rates`. */
export function operationName(operations: Operations, no: number): string {
  const known = find(operations, no)
  if (known) return `${known.method} ${known.path}`
  return no === nowhere ? 'Unknown path' : `Endpoint ${no}`
}

/** How an endpoint is named in an address. */
export const operationId = (operations: Operations, no: number): string => find(operations, no)?.id ?? (no === nowhere ? 'unknown' : String(no))

/** The number behind a name in an address; null when nothing has that name. */
export const operationNo = (operations: Operations, id: string): number | null =>
  id === 'unknown' ? nowhere : (operations.find((operation) => operation.id === id)?.no ?? null)
