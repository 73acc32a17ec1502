import type { AccountSummary } from '../contract/account-summary.ts'
import { type CallContext, definers } from '../contract/endpoint.ts'
import type { MarketView } from '../market/snapshot.ts'

export type Context = CallContext<MarketView, AccountSummary>

export const { item: defineItem, list: defineList, whole: defineWhole, planned: definePlanned } = definers<Context>()
