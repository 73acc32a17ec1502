import { twoDecimals } from '../../contract/formats.ts'
import type { Placed, WalkKey } from '../../market/walk.ts'
import type { SavingsProduct } from './savings-product.ts'

/** The place of a row in the order of rates as they are: the rate and, among equal rates, the source key. */
export const rankKey = (row: SavingsProduct): string => `${row.rate} ${row.sourceKey}`

/** The place of a row in a walk, for a cursor: the rate that it had when the walk began, the moment of that, and the source key. */
export const walkKey = ({ product, placeBp }: Placed, since: number): string => `${twoDecimals(placeBp)}@${since} ${product.sourceKey}`

/** The place that a cursor continues after. */
export function rankAfter(key: string | null): WalkKey | null {
  if (key === null) return null
  const space = key.indexOf(' ')
  const [rate = '', since] = key.slice(0, space).split('@')
  return { rateBp: Number(rate.replace('.', '')), sourceKey: key.slice(space + 1), since: since === undefined ? undefined : Number(since) }
}
