import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import { actionDefiner } from '#server/api/contract/action-endpoint.ts'
import { type CallContext, definers } from '#server/api/contract/endpoint.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import type { MarketView } from '#server/market/snapshot.ts'

export type Context = CallContext<MarketView, AccountSummary, OwnAccount>

export const { file: defineFile, item: defineItem, list: defineList, whole: defineWhole, planned: definePlanned } = definers<Context>()

export const defineAction = actionDefiner<Context>()
