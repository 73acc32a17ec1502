import type { Price } from '#server/api/contract/price-kinds.ts'
import type { Database } from '#server/db/prisma.ts'

/** API endpoint. `no` is its number in the request log. */
type Operation = { readonly no: number; readonly id: string; readonly method: string; readonly path: string; readonly price: Price }

export type Operations = readonly Operation[]

/** Number that the request log stores for calls to unknown paths. */
const unknownPath = 0

const find = (operations: Operations, no: number) => operations.find((operation) => operation.no === no)

/** Returns the display name, such as `GET /rates`, of the endpoint with this number in the request log. */
export function operationName(operations: Operations, no: number): string {
  const known = find(operations, no)
  if (known) return `${known.method} ${known.path}`
  return no === unknownPath ? 'Unknown path' : `Endpoint ${no}`
}

/** Returns the id, as used in portal URLs, of the endpoint with this number in the request log. */
export const operationId = (operations: Operations, no: number): string => find(operations, no)?.id ?? (no === unknownPath ? 'unknown' : String(no))

/** Returns the number that the request log stores for an endpoint id from a portal URL; null if the id is unknown. */
const operationNo = (operations: Operations, id: string): number | null =>
  id === 'unknown' ? unknownPath : (operations.find((operation) => operation.id === id)?.no ?? null)

/** Groups of statuses that can be filtered by. `failed` is every error. */
export const statusGroups = { '2xx': [200, 299], '3xx': [300, 399], '4xx': [400, 499], '5xx': [500, 599], failed: [400, 599] } as const

export type StatusFilter = number | keyof typeof statusGroups

/** Filter from a portal URL: ids of an endpoint and a key, and a status or a group of statuses. Null matches any. */
export type LogFilter = { readonly endpoint: string | null; readonly key: string | null; readonly status: StatusFilter | null }

/** Filter with the numbers that the log and the usage totals store. */
export type NumberedFilter = { readonly endpoint: number | null; readonly keyId: number | null; readonly minStatus: number; readonly maxStatus: number }

function statusRange(status: StatusFilter | null): readonly [min: number, max: number] {
  if (status === null) return [0, 999]
  return typeof status === 'number' ? [status, status] : statusGroups[status]
}

/** Replaces a filter's endpoint and key with their numbers. Returns null if either is unknown, because then nothing matches. */
export async function toNumberedFilter(
  db: Database,
  accountId: number,
  { endpoint, key, status }: LogFilter,
  operations: Operations,
): Promise<NumberedFilter | null> {
  const no = endpoint === null ? null : operationNo(operations, endpoint)
  const keyId = key === null ? null : ((await db.apiKey.findFirst({ where: { accountId, publicId: key }, select: { id: true } }))?.id ?? null)
  if ((endpoint !== null && no === null) || (key !== null && keyId === null)) return null
  const [minStatus, maxStatus] = statusRange(status)
  return { endpoint: no, keyId, minStatus, maxStatus }
}
