import { expect, test } from 'vitest'
import { matchReasons } from '#server/market/ranked-list.ts'
import { makeProduct } from './make-product.ts'

const cover = 'Demonstration provider: an FSCS-protected bank would cover up to £120,000 per person.'

test('explains rank, filters, bonus and protection', () => {
  const product = makeProduct({ sourceKey: 'a', rateBp: 445, boostRateBp: 125 })
  const asked = { among: 'easy-access', type: 'easy-access', provider: 'Harrow Vale Bank', amountPence: 2_000_000 } as const
  expect(matchReasons(product, { place: 3, sharing: 1, of: 214 }, asked)).toEqual([
    'Ranks 3rd by rate of 214 easy-access accounts from Harrow Vale Bank that accept £20,000.00',
    'Account type: Easy access',
    'Provider: Harrow Vale Bank',
    'Accepts a balance of £20,000.00: from £1.00 to £85,000.00',
    'Includes a 1.25% bonus for 12 months; 3.20% after',
    cover,
  ])
})

test('omits reasons for filters that were not used', () => {
  const product = makeProduct({ sourceKey: 'a', accountType: 'cash-isa' })
  expect(matchReasons(product, { place: 3, sharing: 1, of: 214 }, { among: 'cash-isa' })).toEqual(['Ranks 3rd by rate of 214 cash ISAs', cover])
  expect(matchReasons(product, { place: 1, sharing: 1, of: 1500 }, { among: 'all', type: 'all' })).toEqual([
    'Ranks 1st by rate of 1,500 savings accounts',
    cover,
  ])
})

test.each([
  ['lifetime-isa', 'Yearly allowance: £4,000.00 of new money a tax year'],
  ['junior-isa', 'Yearly allowance: £9,000.00 of new money a tax year'],
] as const)('states the yearly allowance of a %s', (accountType, reason) => {
  const product = makeProduct({ sourceKey: 'a', accountType })
  expect(matchReasons(product, { place: 1, sharing: 1, of: 2 }, { among: accountType, taxYear: '2026-27' })).toContain(reason)
})

test('uses separate wording for ties, a single product and an unlimited balance', () => {
  const product = makeProduct({ sourceKey: 'a', maxBalancePence: null })
  expect(matchReasons(product, { place: 1, sharing: 2, of: 9 }, { among: 'all' })[0]).toBe('Ranks joint 1st by rate of 9 savings accounts')
  expect(matchReasons(product, { place: 1, sharing: 1, of: 1 }, { among: 'notice', amountPence: 5_000 })).toEqual([
    'The only notice account that accepts £50.00',
    'Accepts a balance of £50.00: from £1.00 with no maximum',
    cover,
  ])
})
