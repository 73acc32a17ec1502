import { isFictionalAddress } from './fiction.ts'
import type { Markets } from './markets.ts'

/** Returns the size of the live market, shown to prospective customers. */
export function getCoverage(markets: Markets): { products: number; providers: number; isFictional: boolean } {
  const live = markets.dataset('live')
  const providers = live.providers()
  return { products: live.productCount, providers: providers.length, isFictional: providers.every(({ website }) => isFictionalAddress(website)) }
}
