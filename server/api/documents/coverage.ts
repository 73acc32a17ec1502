import { isFictionalAddress } from './fiction.ts'
import type { Markets } from './markets.ts'

/** What the live market holds, for whoever wants to know what they would pay for. */
export function coverageOf(markets: Markets): { products: number; providers: number; isFictional: boolean } {
  const live = markets.dataset('live')
  const providers = live.providers()
  return { products: live.productCount, providers: providers.length, isFictional: providers.every(({ website }) => isFictionalAddress(website)) }
}
