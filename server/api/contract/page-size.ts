/** Rows of a page of a list: unless a number is asked for, and at most. */
export type PageSizes = { readonly usual: number; readonly most: number }

/** How many rows a caller asks for with the text of `limit`; null when that says no number of rows. */
export function readPageSize(text: string | undefined, { usual, most }: PageSizes): number | null {
  if (text === undefined) return usual
  // However long the number is, it is one: more digits than a number holds exactly are more rows than there are.
  if (!/^\d+$/.test(text) || Number(text) < 1) return null
  return Math.min(Number(text), most)
}

/** What has to be known of an endpoint to tell the most that a call costs. `sizes` is null where the price is for the whole answer. */
export type CostBounds = { readonly credits: number; readonly sizes: PageSizes | null }

/** The most credits that a call may cost. A `limit` that says no number is refused, and so costs nothing. */
export function mostCredits({ credits, sizes }: CostBounds, limit: string | undefined): number {
  return sizes === null ? credits : credits * (readPageSize(limit, sizes) ?? 0)
}
