import { expect, test } from 'vitest'
import { divide, percentChange, readDecimal, signedTwoDecimals, toWholeHundredths, writeDecimal } from '#server/market/sources/exact-decimal.ts'

function decimal(text: string) {
  const found = readDecimal(text)
  if (!found) throw new Error(`${text} is not a decimal`)
  return found
}

test.each([
  ['4', '4'],
  ['4.50', '4.5'],
  ['0.10', '0.1'],
  ['-0.50', '-0.5'],
  ['+1.0', '1'],
  ['007', '7'],
  ['1.5e-7', '0.00000015'],
  ['2E3', '2000'],
  ['0.1000000000000000055511151231257827', undefined],
  ['1.165262420000000001', '1.165262420000000001'],
  ['', undefined],
  ['..', undefined],
  ['1,5', undefined],
  ['0x10', undefined],
  ['.5', undefined],
  ['NaN', undefined],
])('parses %j as %j', (text, expected) => {
  const found = readDecimal(text)
  expect(found && writeDecimal(found)).toBe(expected)
})

test.each([
  ['1', '0.8695', 7, '1.150086'],
  ['1', '3', 4, '0.3333'],
  ['2', '3', 4, '0.6667'],
  ['1', '34350.227192', 8, '0.000029111889'],
  ['19644.7', '0.8695', 7, '22593.1'],
  ['123456789', '1', 4, '123456789'],
  ['9.9996', '1', 4, '10'],
  ['1', '0.000001', 3, '1000000'],
])('divides %s by %s to %i digits: %s', (a, b, digits, expected) => {
  expect(writeDecimal(divide(decimal(a), decimal(b), digits))).toBe(expected)
})

test.each([
  ['4', 400],
  ['3.75', 375],
  ['3.1', 310],
  ['-0.1', -10],
  ['5.9375', 594],
  ['1.005', 101],
  ['-1.005', -101],
])('converts %s percent to %i hundredths', (text, hundredths) => {
  expect(toWholeHundredths(decimal(text))).toBe(hundredths)
})

test.each([
  ['1.00', '1.0025', '+0.25'],
  ['1.333', '1.32', '-0.98'],
  ['2', '2.00', '0.00'],
  ['1', '1.00004', '0.00'],
  ['1', '0.99996', '0.00'],
  ['1', '1.00005', '+0.01'],
])('computes the change from %s to %s as %s percent', (from, to, expected) => {
  expect(percentChange(decimal(from), decimal(to))).toBe(expected)
})

test('formats differences with a sign', () => {
  expect([25, -25, 0, -1050].map(signedTwoDecimals)).toEqual(['+0.25', '-0.25', '0.00', '-10.50'])
})
