import { z } from 'zod'
import { ecbSeries } from '#server/market/sources/ecb-key-rates.ts'
import type { EcbStep } from '#server/market/statistics/key-rates.ts'
import { defineItem } from '../define.ts'
import { missingStatistic } from '../missing-items.ts'
import { orNull } from '../record-fields.ts'
import { originFields, percent, toOrigin } from './statistic-fields.ts'

const unknown = 'null if unknown.'

const step = {
  effectiveDate: z.iso.date().describe('First day of these rates.'),
  depositFacility: percent.nullable().describe(`Deposit facility rate in percent, two decimals; ${unknown}`),
  mainRefinancing: percent.nullable().describe(`Fixed rate of the main refinancing operations in percent; ${unknown}`),
  marginalLending: percent.nullable().describe(`Marginal lending facility rate in percent; ${unknown}`),
}

const EcbRate = z.object({
  ...step,
  seriesKeys: z
    .object({
      depositFacility: z.string().describe('Series key of the deposit facility.'),
      mainRefinancing: z.string().describe('Series key of the main refinancing operations.'),
      marginalLending: z.string().describe('Series key of the marginal lending facility.'),
    })
    .describe('Series keys in the ECB Data Portal.'),
  history: z.array(z.object(step)).describe('All three rates on each day that any of them changed, newest first.'),
  ...originFields,
})

const toStep = ({ effectiveDate, depositFacilityBp, mainRefinancingBp, marginalLendingBp }: EcbStep) => ({
  effectiveDate,
  depositFacility: orNull(depositFacilityBp),
  mainRefinancing: orNull(mainRefinancingBp),
  marginalLending: orNull(marginalLendingBp),
})

export const getEcbRate = defineItem({
  id: 'market.ecb-rate',
  no: 30,
  path: '/market/ecb-rate',
  tool: 'market_ecb_rate',
  summary: "Get the European Central Bank's three key rates and their history.",
  description: 'Real data for both live and test keys. `stale` is true if the last confirmed day is more than a week ago.',
  when: 'to get current or past euro area key rates.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  output: EcbRate,
  handle: (_input, { market }) => {
    const rates = market.statistics.ecbRates()
    if (!rates) throw missingStatistic(ecbSeries.depositFacility)
    return { ...toStep(rates), seriesKeys: ecbSeries, history: rates.history.map(toStep), ...toOrigin(rates) }
  },
})
