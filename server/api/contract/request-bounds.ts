/** Default (`usual`) and maximum (`most`) page size of a list, in rows. */
export type PageSizes = { readonly usual: number; readonly most: number }

/** Parses `limit` into a number of rows; null if it is not a whole number of 1 or more. */
export function readPageSize(text: string | undefined, { usual, most }: PageSizes): number | null {
  if (text === undefined) return usual
  // Very large numbers lose precision here, which doesn't matter, because they are capped at the maximum.
  if (!/^\d+$/.test(text) || Number(text) < 1) return null
  return Math.min(Number(text), most)
}

/** Values that determine the maximum cost of a call: the price and, if the price is per row, the page sizes. `sizes` is null if the price is per request. */
export type CostBounds = { readonly credits: number; readonly sizes: PageSizes | null }

/** Returns the maximum credits that a call can cost. A call with an invalid `limit` is rejected and costs nothing. */
export function creditLimit({ credits, sizes }: CostBounds, limit: string | undefined): number {
  return sizes === null ? credits : credits * (readPageSize(limit, sizes) ?? 0)
}

/** Maximum size of a request body of the API, in bytes. */
export const maxBodyBytes = 65_536

/** Maximum tRPC calls in one batched portal request. Each can run a slow query, and all requests share the same database connections. */
export const maxRequests = 10

/** Maximum number of an endpoint's pending deliveries that are counted. Beyond this, the UI says "more than". */
export const maxCountedWaiting = 10_000
