import { expect, test } from 'vitest'
import { MarketView } from '#server/market/market-view.ts'
import { payableReason, payableTaxYear } from '#server/market/payable.ts'
import { makeProduct } from './make-product.ts'

const pounds = (amount: number) => amount * 100

const saver = makeProduct({ sourceKey: 'a', accountType: 'regular-saver', maxMonthlyDepositPence: pounds(300) })

test.each([
  [saver, 300, null],
  [saver, 301, 'Takes £300.00 of £301.00 now, then up to £300.00 a month (2 months)'],
  [saver, 5_000, 'Takes £300.00 of £5,000.00 now, then up to £300.00 a month (17 months)'],
  [makeProduct({ sourceKey: 'b', accountType: 'lifetime-isa' }), 4_000, null],
  [makeProduct({ sourceKey: 'b', accountType: 'lifetime-isa' }), 15_000, 'Takes £4,000.00 of £15,000.00 now, then up to £4,000.00 a tax year (4 tax years)'],
  [makeProduct({ sourceKey: 'c', accountType: 'junior-isa' }), 9_001, 'Takes £9,000.00 of £9,001.00 now, then up to £9,000.00 a tax year (2 tax years)'],
  [makeProduct({ sourceKey: 'd', accountType: 'cash-isa' }), 20_000, null],
  [makeProduct({ sourceKey: 'd', accountType: 'cash-isa' }), 20_001, 'Takes £20,000.00 of £20,001.00 now, then up to £20,000.00 a tax year (2 tax years)'],
  [
    makeProduct({ sourceKey: 'e', accountType: 'stocks-shares-isa' }),
    60_000,
    'Takes £20,000.00 of £60,000.00 now, then up to £20,000.00 a tax year (3 tax years)',
  ],
  [makeProduct({ sourceKey: 'f', accountType: 'easy-access' }), 1_000_000, null],
])('explains whether an amount can be paid in at once (%#)', (product, amount, reason) => {
  expect(payableReason(product, pounds(amount), '2026-27')).toBe(reason)
})

test('uses the lower cash ISA limit from April 2027, from the first minute in London', () => {
  const products = [makeProduct({ sourceKey: 'isa', accountType: 'cash-isa' })]
  const count = (time: string) =>
    new MarketView({ products, providers: [], cards: [], now: () => Date.parse(time) }).products({ payablePence: pounds(12_001), limit: 5 }).rows.length
  expect([count('2027-04-05T22:59:59Z'), count('2027-04-05T23:00:00Z')]).toEqual([1, 0])
})

test('updates filtered lists when the tax year ends', () => {
  let now = Date.parse('2027-04-01T12:00:00Z')
  const view = new MarketView({ products: [makeProduct({ sourceKey: 'isa', accountType: 'cash-isa' })], providers: [], cards: [], now: () => now })
  const count = () => view.products({ payablePence: pounds(15_000), limit: 5 }).rows.length
  expect(count()).toBe(1)
  now = Date.parse('2027-04-06T12:00:00Z')
  expect(count()).toBe(0)
})

test.each([
  ['2026-11-27', '2026-27'],
  ['2027-04-05', '2026-27'],
  ['2027-04-06', '2027-28'],
  ['2035-01-01', '2027-28'],
  ['1999-01-01', '2023-24'],
])('uses the nearest known tax year on %s', (date, taxYear) => {
  expect(payableTaxYear(date)).toBe(taxYear)
})
