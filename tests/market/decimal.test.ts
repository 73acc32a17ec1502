import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grouped, ordinal, percent, pounds, toHundredths } from '#server/market/decimal.ts'

test.each([
  ['4', 400],
  ['4.5', 450],
  ['4.50', 450],
  ['0.07', 7],
  ['85000.00', 8_500_000],
])('parses %s as %i hundredths', (text, hundredths) => {
  expect(toHundredths(text)).toBe(hundredths)
})

test.each(['', '-1', '4.505', '1e3', '0x10', '4.', '.5', ' 4', '4,50', '1234567890123'])('rejects "%s"', (text) => {
  expect(toHundredths(text)).toBeUndefined()
})

test('parses every formatted amount back to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (hundredths) => {
      expect(toHundredths(percent(hundredths).slice(0, -1))).toBe(hundredths)
      expect(toHundredths(pounds(hundredths).replaceAll(/[£,]/g, ''))).toBe(hundredths)
    }),
  )
})

test('formats amounts and ordinals for display', () => {
  expect(pounds(2_000_000)).toBe('£20,000.00')
  expect(pounds(100_000_000)).toBe('£1,000,000.00')
  expect(pounds(99)).toBe('£0.99')
  expect(percent(5)).toBe('0.05%')
  expect(grouped(1234567)).toBe('1,234,567')
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 1002].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '101st',
    '111th',
    '1,002nd',
  ])
})
