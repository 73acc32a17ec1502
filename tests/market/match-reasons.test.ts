import { expect, test } from 'vitest'
import { matchReasons } from '#server/market/ranked-list.ts'
import { makeProduct } from './make-product.ts'

const cover = 'Demonstration provider: an FSCS-protected bank would cover up to £120,000 per person.'

test('explains rank, filters, bonus and protection', () => {
  const product = makeProduct({ sourceKey: 'a', rateBp: 445, boostRateBp: 125 })
  const asked = { among: 'easy-access', type: 'easy-access', provider: 'Harrow Vale Bank', amountPence: 2_000_000 } as const
  expect(matchReasons(product, { place: 3, sharing: 1, of: 214 }, asked)).toEqual([
    '3rd of 214 easy-access accounts from Harrow Vale Bank that accept £20,000.00 by rate',
    'Account type: Easy access',
    'Provider: Harrow Vale Bank',
    'Accepts a balance of £20,000.00: from £1.00 to £85,000.00',
    'Includes a 1.25% bonus for 12 months; 3.20% after',
    cover,
  ])
})

test('omits reasons for filters that were not used', () => {
  const product = makeProduct({ sourceKey: 'a', accountType: 'cash-isa' })
  expect(matchReasons(product, { place: 3, sharing: 1, of: 214 }, { among: 'cash-isa' })).toEqual(['3rd of 214 cash ISAs by rate', cover])
  expect(matchReasons(product, { place: 1, sharing: 1, of: 1500 }, { among: 'all', type: 'all' })).toEqual(['1st of 1,500 savings accounts by rate', cover])
})

test('uses separate wording for ties, a single product and an unlimited balance', () => {
  const product = makeProduct({ sourceKey: 'a', maxBalancePence: null })
  expect(matchReasons(product, { place: 1, sharing: 2, of: 9 }, { among: 'all' })[0]).toBe('Joint 1st of 9 savings accounts by rate')
  expect(matchReasons(product, { place: 1, sharing: 1, of: 1 }, { among: 'notice', amountPence: 5_000 })).toEqual([
    'The only notice account that accepts £50.00',
    'Accepts a balance of £50.00: from £1.00 with no maximum',
    cover,
  ])
})
