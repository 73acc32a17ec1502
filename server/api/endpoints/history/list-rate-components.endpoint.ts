import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { changeId, changeSeq, type RatePeriod } from '#server/market/history/rate-change.ts'
import { defineList } from '../define.ts'
import { checkRange } from '../fx/fx-parameters.ts'
import { day, percent } from '../record-fields.ts'
import { checkKnown, getPlace, historyFilters, monthsAfter, placeAfter, subjectFields, toSubject, typeFilter } from './history-fields.ts'

const ComponentRow = z.object({
  id: z.string().describe('ID of the change that started the period, as in /history.'),
  ...subjectFields,
  effectiveFrom: day('First day of the period.'),
  effectiveTo: day('Date of the next change, exclusive; null for the current period.').nullable(),
  baseRate: percent('Rate excluding the bonus.'),
  boostRate: percent('Bonus rate; 0.00 if there is no bonus.'),
  rate: percent('Total of base rate and bonus, AER.'),
  boostDuration: z.string().nullable().describe('Duration of the bonus, for example "12 months"; null if there is no bonus.'),
  boostEndsOn: day('End date of the bonus for accounts opened on effectiveFrom; null if there is no bonus.').nullable(),
})

type ComponentRow = z.infer<typeof ComponentRow>

function toComponentRow(period: RatePeriod): ComponentRow {
  const { effectiveDate, boostDuration } = period
  return {
    id: changeId(period.seq),
    ...toSubject(period),
    effectiveFrom: effectiveDate,
    effectiveTo: period.effectiveTo,
    baseRate: twoDecimals(period.baseRateBp),
    boostRate: twoDecimals(period.boostRateBp),
    rate: twoDecimals(period.rateBp),
    boostDuration,
    boostEndsOn: boostDuration === null ? null : monthsAfter(effectiveDate, Number.parseInt(boostDuration, 10)),
  }
}

export const listRateComponents = defineList({
  id: 'history.components',
  no: 13,
  path: '/history/components',
  tool: 'history_components',
  summary: 'List base rates and bonuses by period, newest first.',
  description: 'Each row is the period between two changes of a product. `from` and `to` filter by its first day. Charged per row, not per page.',
  when: 'to see the base rate and bonus of a product over time.',
  scope: 'history:read',
  price: { credits: 2, per: 'row' },
  live: 'open',
  plan: 'enterprise',
  sampled: true,
  input: z.object(historyFilters),
  row: ComponentRow,
  getKey: ({ effectiveFrom, id }) => getPlace({ effectiveDate: effectiveFrom, seq: changeSeq(id) }),
  handle: async ({ type, provider, sourceKey, from, to }, { limit, after }, { market }) => {
    checkRange(from, to)
    const filter = { type: typeFilter(type), provider, sourceKey, from, to }
    const { rows, more } = await market.history.periods({ filter, after: placeAfter(after), limit })
    if (rows.length === 0) await checkKnown({ provider, sourceKey }, market)
    return { rows: rows.map(toComponentRow), more }
  },
})
