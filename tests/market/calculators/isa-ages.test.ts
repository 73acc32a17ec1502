import { expect, test } from 'vitest'
import { calculateIsaAllowance } from '../../../server/endpoints/calculators/calculate-isa-allowance.endpoint.ts'
import { taxYears } from '../../../server/market/calculators/tax-year.ts'
import { cites } from '../../requirements/verifies.ts'
import { callEndpoint, refusalOf } from './call-endpoint.ts'

cites('calculators/isa-allowance')

const answer = (query: string) => callEndpoint(calculateIsaAllowance, query)

test('16 and 17 year olds could pay into cash ISAs until 5 April 2024', async () => {
  for (const age of [16, 17]) {
    const asked = `age=${age}&taxYear=2023-24`
    expect(await answer(`cash=5000&${asked}`)).toMatchObject({ valid: true, remaining: '15000.00', remainingCash: '15000.00', remainingLifetime: '0.00' })
    expect((await answer(`cash=5000&${asked}`))['notes']).toContain('From 16 to 17 years of age cash ISAs alone were open.')
    for (const other of ['stocksShares', 'innovativeFinance', 'lifetime']) {
      const { valid, breaches } = await answer(`cash=100&${other}=0.01&${asked}`)
      expect([valid, breaches]).toEqual([false, ['Under the age of 18 only cash ISAs may be paid into.']])
    }
    for (const taxYear of taxYears.slice(1)) {
      const refusal = await refusalOf(calculateIsaAllowance, `cash=100&age=${age}&taxYear=${taxYear}`)
      expect(refusal).toContain(`"age" must be 18 or more in ${taxYear}`)
      expect(refusal).toContain('Cash ISAs were open from 16 in 2023-24 only.')
    }
  }
  expect((await answer('stocksShares=100&age=18&taxYear=2023-24'))['breaches']).toEqual([])
})

test('a payment into a lifetime ISA that may not be made earns no bonus', async () => {
  const charge = 'Lifetime ISA money taken out'
  for (const age of [18, 49, 50]) {
    const { lifetimeBonus: bonus, valid, notes } = await answer(`lifetime=4000&age=${age}`)
    expect([age, bonus, valid, String(notes).includes(charge)]).toEqual([age, '1000.00', true, true])
  }
  for (const query of ['age=51', 'age=60', 'age=17&taxYear=2023-24']) {
    const { lifetimeBonus: bonus, valid, notes } = await answer(`lifetime=4000&${query}`)
    expect([query, bonus, valid, String(notes).includes(charge)]).toEqual([query, '0.00', false, false])
  }
  // Of what is paid in above the limit the part within it earns its bonus.
  expect(await answer('lifetime=5000&age=40')).toMatchObject({ lifetimeBonus: '1000.00', valid: false })
})
