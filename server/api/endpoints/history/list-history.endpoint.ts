import { z } from 'zod'
import { changeSeq } from '#server/market/history/rate-change.ts'
import { defineList } from '../define.ts'
import { checkRange } from '../fx/fx-parameters.ts'
import { checkKnown, getPlace, HistoryRow, historyFilters, placeAfter, toHistoryRow, typeFilter } from './history-fields.ts'

export const listHistory = defineList({
  id: 'history.list',
  no: 12,
  path: '/history',
  tool: 'history',
  summary: 'List savings rate changes, newest first.',
  description:
    'Includes launches and withdrawals of products. The order never changes, so pages neither skip nor repeat a change. Charged per row, not per page.',
  when: "to see when and by how much a product's rate changed.",
  scope: 'history:read',
  price: { credits: 2, per: 'row' },
  live: 'open',
  plan: 'enterprise',
  sampled: true,
  input: z.object(historyFilters),
  row: HistoryRow,
  getKey: ({ effectiveDate, id }) => getPlace({ effectiveDate, seq: changeSeq(id) }),
  handle: async ({ type, provider, sourceKey, from, to }, { limit, after }, context) => {
    checkRange(from, to)
    const filter = { type: typeFilter(type), provider, sourceKey, from, to }
    const { rows, more } = await context.market.history.changes({ filter, after: placeAfter(after), limit })
    if (rows.length === 0) await checkKnown({ provider, sourceKey }, context.market)
    return { rows: rows.map((change) => toHistoryRow(change, context)), more }
  },
})
