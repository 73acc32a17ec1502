/** Service credits for one call: a fixed price, or a price per row of the response. */
export type Price = { readonly credits: number; readonly per: 'request' | 'row' }

/** Price of one credit in pence. */
export const creditPence = 10

export const free: Price = { credits: 0, per: 'request' }

export const perRequest = (credits: number): Price => ({ credits, per: 'request' })

export const perRow = (credits: number): Price => ({ credits, per: 'row' })

/** Formats a price: `free`, `1 credit per row`, `5 credits`. */
export function describePrice(price: Price): string {
  if (price.credits === 0) return 'free'
  const credits = price.credits === 1 ? '1 credit' : `${price.credits} credits`
  return price.per === 'row' ? `${credits} per row` : credits
}
