import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import { type CallContext, definers } from '#server/api/contract/endpoint.ts'
import type { MarketView } from '#server/market/snapshot.ts'

export type Context = CallContext<MarketView, AccountSummary>

export const { item: defineItem, list: defineList, whole: defineWhole, planned: definePlanned } = definers<Context>()
