import { z } from 'zod'
import type { Endpoint } from '#server/api/contract/endpoint.ts'
import type { Context } from '../define.ts'
import { listProviders } from '../providers/list-providers.endpoint.ts'
import { listRates } from '../rates/list-rates.endpoint.ts'
import { productFilters } from '../rates/product-filters.ts'

const rowsAtOnce = 1_000

type LegacyEntry = Endpoint<Context>

/** Reads every row of a v1 list, page by page. Terminates because rows are strictly ordered. */
async function allRows(list: LegacyEntry, input: Record<string, unknown>, context: Context): Promise<{ rows: unknown[]; more: boolean }> {
  const rows: unknown[] = []
  let after: string | null = null
  do {
    const page = (await list.read(input, { limit: rowsAtOnce, after }, context)) as { rows: readonly unknown[]; more: boolean }
    rows.push(...page.rows)
    after = page.more && page.rows.length > 0 ? list.getKey(page.rows.at(-1)) : null
  } while (after !== null)
  return { rows, more: false }
}

/** Converts a v1 list to a partner API endpoint, which returns all rows at once, for any partner key and free of charge. */
function legacyList(list: LegacyEntry, facts: Pick<LegacyEntry, 'id' | 'no' | 'input'>): LegacyEntry {
  const { plan: _, ...shared } = list
  return {
    ...shared,
    ...facts,
    kind: 'whole',
    scope: 'any-key',
    price: { credits: 0, per: 'request' },
    live: 'open',
    fields: [],
    read: (input, _page, context) => allRows(list, input, context),
  }
}

/** Partner API endpoints. Not in the registry: they are undocumented, and only partner keys can call them. */
export const legacyEndpoints: readonly LegacyEntry[] = [
  legacyList(listRates, { id: 'legacy.rates', no: 101, input: z.object(productFilters) }),
  legacyList(listProviders, { id: 'legacy.providers', no: 102, input: z.object({}) }),
]
