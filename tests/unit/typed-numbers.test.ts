import { expect, test } from 'vitest'
import { penceTyped, signedTyped, wholesTyped, wholeTyped } from '#server/api/contract/formats.ts'
import { faultOfAmount } from '#server/api/contract/price-kinds.ts'

test.each([
  ['20', 2_000],
  ['£20', 2_000],
  [' £ 12.50 ', 1_250],
  ['12.5', 1_250],
  ['£1,250', 125_000],
  ['1,000.05', 100_005],
])('accepts %s as an amount', (text, pence) => expect(penceTyped(text)).toBe(pence))

test.each(['', '£12,50', '12,5', '1,2,3,4', '1,0000', ',500', '1000,000', '20 GBP', '1e3', '-5', '12.345', '0x20', '٣'])('rejects %s as an amount', (text) => {
  expect(faultOfAmount(penceTyped(text))).toBe('Enter an amount such as 20 or 12.50.')
})

test.each(['5,001', '99999999', '9'.repeat(400)])('rejects %s as more than the maximum', (text) => {
  expect(faultOfAmount(penceTyped(text))).toBe('Amount must be £5,000 or less.')
})

test.each(['0', '£4.99'])('rejects %s as less than the minimum', (text) => {
  expect(faultOfAmount(penceTyped(text))).toBe('Amount must be £5 or more.')
})

test('accepts thousands separators in whole numbers', () => {
  expect(['1000', ' 1,000 ', '12,345,678', '0'].map(wholeTyped)).toEqual([1_000, 1_000, 12_345_678, 0])
  expect(['', '1,00', '1.5', '-1', '1 000', '1,2'].map(wholeTyped)).toEqual([-1, -1, -1, -1, -1, -1])
})

test.each([
  ['1,000, 50', [1_000, 50]],
  ['50,10,0', [50, 10, 0]],
  ['50 10; 0', [50, 10, 0]],
  ['1,000', [1_000]],
  [' 1,000 ,50, ', [1_000, 50]],
  ['1,000,50', [-1]],
  ['50,100,10', [-1]],
  ['many', [-1]],
  [' ', []],
])('parses %s as a list of whole numbers', (text, numbers) => expect(wholesTyped(text)).toEqual(numbers))

test('parses signed credits', () => {
  expect(['50', '+1,000', '-50', '−1,000'].map(signedTyped)).toEqual([50, 1_000, -50, -1_000])
  expect(['', '0', '1,5', '--5', '5 credits'].map(signedTyped)).toEqual([null, null, null, null, null])
})
