import type { SavingsProduct } from './savings-product.ts'

/** The place of a row in the order of rates, for a cursor: the rate and, among equal rates, the source key. */
export const rankKey = (row: SavingsProduct): string => `${row.rate} ${row.sourceKey}`

/** The place that a cursor continues after. */
export function rankAfter(key: string | null): { rateBp: number; sourceKey: string } | null {
  if (key === null) return null
  const space = key.indexOf(' ')
  return { rateBp: Number(key.slice(0, space).replace('.', '')), sourceKey: key.slice(space + 1) }
}
