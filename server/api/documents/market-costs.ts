import type { Context } from '#server/api/endpoints/define.ts'
import { getProvider } from '#server/api/endpoints/providers/get-provider.endpoint.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { listReferenceProviders } from '#server/api/endpoints/reference/list-reference-providers.endpoint.ts'
import { getRatesSnapshot } from '#server/api/endpoints/snapshots/get-rates-snapshot.endpoint.ts'
import { operationPath } from './reference/operation-groups.ts'

/** Share of the products that change on a typical day, for the example of keeping a copy up to date. */
const changedPercent = 1

/** Way to read products, with its cost for today's market. */
export type MarketCost = {
  readonly need: string
  readonly path: string
  /** Path of the reference page. */
  readonly href: string
  /** Unit that the cost is for. */
  readonly basis: string
  readonly credits: number
}

/** Returns the ways to read the whole market, with the cost of each for a market of this size. */
export function marketCosts(live: Context['market']): MarketCost[] {
  const products = live.productCount
  const providers = live.providers().length
  const row = listRates.price.credits
  return [
    {
      ...{ need: 'Products that match filters, or the best rates', path: listRates.path, href: operationPath(listRates) },
      ...{ basis: 'Total for the whole list, charged per row', credits: products * row },
    },
    {
      ...{ need: 'A provider with its products', path: getProvider.path, href: operationPath(getProvider) },
      ...{ basis: 'Total for all providers, charged per provider', credits: listReferenceProviders.price.credits + providers * getProvider.price.credits },
    },
    {
      ...{ need: 'The whole market on one day', path: getRatesSnapshot.path, href: operationPath(getRatesSnapshot) },
      ...{ basis: 'Per file', credits: getRatesSnapshot.price.credits },
    },
    {
      ...{ need: 'What changed since your last update', path: `${listRates.path}?updatedSince=…`, href: '/docs/snapshots' },
      ...{ basis: `Total if ${changedPercent}% of the list has changed, charged per changed row`, credits: Math.ceil((products * changedPercent) / 100) * row },
    },
  ]
}
