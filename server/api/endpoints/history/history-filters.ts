import { z } from 'zod'
import type { AccountType } from '#server/api/contract/account-types.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { queryText } from '#server/api/contract/query.ts'
import { type ChangeKey, changeId, changeSeq } from '#server/market/history/rate-change.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { queryDay } from '../fx/fx-parameters.ts'
import { nextForProduct, nextForProvider } from '../missing-items.ts'
import { productFilters } from '../rates/filters.ts'

/** Filters shared by the history lists. */
export const historyFilters = {
  ...productFilters,
  sourceKey: queryText().optional().describe('Only this product, listed or withdrawn.'),
  from: queryDay.optional().describe('First effective date, inclusive.'),
  to: queryDay.optional().describe('Last effective date, inclusive.'),
}

const HistoryInput = z.object(historyFilters)

export type HistoryInput = z.output<typeof HistoryInput>

/** Type filter of the market module: `all` is the same as no filter. */
export const typeFilter = (type: AccountType | undefined) => (type === 'all' ? undefined : type)

/** Cursor key of a row: its day and, among the changes of a day, its id. */
export const getPlace = ({ effectiveDate, seq }: ChangeKey): string => `${effectiveDate} ${changeId(seq)}`

/** Parses a cursor key. */
export function placeAfter(key: string | null): ChangeKey | null {
  return key === null ? null : { effectiveDate: key.slice(0, 10), seq: changeSeq(key.slice(11)) }
}

/**
 * Rejects unknown providers and products, because an empty result doesn't reveal a typo. Withdrawn ones are still in history, which is only
 * checked if there are no rows.
 */
export async function checkKnown({ provider, sourceKey }: Pick<HistoryInput, 'provider' | 'sourceKey'>, market: MarketView): Promise<void> {
  const isInHistory = async (filter: { provider: string } | { sourceKey: string }) =>
    (await market.history.changes({ filter, after: null, limit: 1 })).rows.length > 0
  if (provider !== undefined && !market.hasProvider(provider) && !(await isInHistory({ provider }))) {
    throw invalid(`There is no provider "${provider.slice(0, 60)}".${nextForProvider(provider, market)}`)
  }
  if (sourceKey !== undefined && !market.product(sourceKey) && !(await isInHistory({ sourceKey }))) {
    throw invalid(`There is no product "${sourceKey.slice(0, 60)}".${nextForProduct(sourceKey, market)}`)
  }
}
