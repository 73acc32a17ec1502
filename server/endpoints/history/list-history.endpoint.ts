import { z } from 'zod'
import { perRow } from '../../contract/prices.ts'
import { changeSeq } from '../../market/history/rate-change.ts'
import { defineList } from '../define.ts'
import { checkRange } from '../fx/fx-parameters.ts'
import { checkKnown, historyFilters, placeAfter, placeOf, typeFilter } from './history-filters.ts'
import { HistoryRow, toHistoryRow } from './history-row.ts'

export const listHistory = defineList({
  id: 'history.list',
  no: 12,
  path: '/history',
  tool: 'history',
  summary: 'List changes of savings rates, newest first.',
  description:
    'Launches and withdrawals of products are changes too. A change keeps its place in the list for good, so that pages neither skip nor repeat one. Charged for each row returned, not for each page.',
  when: 'to see when and by how much the rate of a product changed.',
  scope: 'history:read',
  price: perRow(2),
  live: 'open',
  plan: 'enterprise',
  sampled: true,
  input: z.object(historyFilters),
  row: HistoryRow,
  keyOf: ({ effectiveDate, id }) => placeOf({ effectiveDate, seq: changeSeq(id) }),
  handle: async ({ type, provider, sourceKey, from, to }, { limit, after }, context) => {
    checkRange(from, to)
    const filter = { type: typeFilter(type), provider, sourceKey, from, to }
    const { rows, more } = await context.market.history.changes({ filter, after: placeAfter(after), limit })
    if (rows.length === 0) await checkKnown({ provider, sourceKey }, context.market)
    return { rows: rows.map((change) => toHistoryRow(change, context)), more }
  },
})
