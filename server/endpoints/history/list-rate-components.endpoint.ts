import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { perRow } from '../../contract/prices.ts'
import { changeId, changeSeq, type RatePeriod } from '../../market/history/rate-change.ts'
import { defineList } from '../define.ts'
import { checkRange } from '../fx/fx-parameters.ts'
import { day, percent } from '../providers/record-fields.ts'
import { checkKnown, historyFilters, placeAfter, placeOf, typeFilter } from './history-filters.ts'
import { subjectFields, toSubject } from './history-row.ts'
import { monthsAfter } from './months-after.ts'

const ComponentRow = z.object({
  id: z.string().describe('Id of the change that the time began with, as in /history.'),
  ...subjectFields,
  effectiveFrom: day('First day for which it held.'),
  effectiveTo: day('Day on which the next change took over, not included; null: it is current.').nullable(),
  baseRate: percent('Rate without the bonus.'),
  boostRate: percent('Bonus part of the rate; 0.00 without a bonus.'),
  rate: percent('Base rate and bonus together, AER.'),
  boostDuration: z.string().nullable().describe('How long the bonus lasts, for example "12 months"; null without a bonus.'),
  boostEndsOn: day('Day on which the bonus ends for who opened the account on effectiveFrom; null without a bonus.').nullable(),
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
  summary: 'List base rates and bonuses and the times for which they held, newest first.',
  description:
    'Each row is the time between two changes of a product. `from` and `to` choose by its first day. Charged for each row returned, not for each page.',
  when: 'to see base rate and bonus of a product over time.',
  scope: 'history:read',
  price: perRow(2),
  live: 'open',
  plan: 'enterprise',
  sampled: true,
  input: z.object(historyFilters),
  row: ComponentRow,
  keyOf: ({ effectiveFrom, id }) => placeOf({ effectiveDate: effectiveFrom, seq: changeSeq(id) }),
  handle: async ({ type, provider, sourceKey, from, to }, { limit, after }, { market }) => {
    checkRange(from, to)
    const filter = { type: typeFilter(type), provider, sourceKey, from, to }
    const { rows, more } = await market.history.periods({ filter, after: placeAfter(after), limit })
    if (rows.length === 0) await checkKnown({ provider, sourceKey }, market)
    return { rows: rows.map(toComponentRow), more }
  },
})
