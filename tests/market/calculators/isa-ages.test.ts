import { expect, test } from 'vitest'
import { calculateIsaAllowance } from '#server/api/endpoints/calculators/calculate-isa-allowance.endpoint.ts'
import { taxYears } from '#server/market/calculators/tax-year.ts'
import { cites } from '../../requirements/verifies.ts'
import { callEndpoint, getRefusal } from './call-endpoint.ts'

cites('calculators/isa-allowance')

const answer = (query: string) => callEndpoint(calculateIsaAllowance, query)

test('allows 16- and 17-year-olds to pay into cash ISAs until 5 April 2024', async () => {
  for (const age of [16, 17]) {
    const asked = `age=${age}&taxYear=2023-24`
    expect(await answer(`cash=5000&${asked}`)).toMatchObject({ valid: true, remaining: '15000.00', remainingCash: '15000.00', remainingLifetime: '0.00' })
    expect((await answer(`cash=5000&${asked}`))['notes']).toContain('From 16 to 17 years of age, only cash ISAs were available.')
    for (const other of ['stocksShares', 'innovativeFinance', 'lifetime']) {
      const { valid, breaches } = await answer(`cash=100&${other}=0.01&${asked}`)
      expect([valid, breaches]).toEqual([false, ['Under 18s can only pay into cash ISAs.']])
    }
    for (const taxYear of taxYears.slice(1)) {
      const refusal = await getRefusal(calculateIsaAllowance, `cash=100&age=${age}&taxYear=${taxYear}`)
      expect(refusal).toContain(`"age" must be 18 or more in ${taxYear}`)
      expect(refusal).toContain('Cash ISAs were open from age 16 only in 2023-24.')
    }
  }
  expect((await answer('stocksShares=100&age=18&taxYear=2023-24'))['breaches']).toEqual([])
})

test('pays no bonus on a disallowed lifetime ISA payment', async () => {
  const charge = 'Lifetime ISA withdrawals before the age of 60'
  for (const age of [18, 49, 50]) {
    const { lifetimeBonus: bonus, valid, notes } = await answer(`lifetime=4000&age=${age}`)
    expect([age, bonus, valid, String(notes).includes(charge)]).toEqual([age, '1000.00', true, true])
  }
  for (const query of ['age=51', 'age=60', 'age=17&taxYear=2023-24']) {
    const { lifetimeBonus: bonus, valid, notes } = await answer(`lifetime=4000&${query}`)
    expect([query, bonus, valid, String(notes).includes(charge)]).toEqual([query, '0.00', false, false])
  }
  // If a payment exceeds the limit, the bonus is paid only on the part within the limit.
  expect(await answer('lifetime=5000&age=40')).toMatchObject({ lifetimeBonus: '1000.00', valid: false })
})
