import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parameterSchema, queryBoolean, queryEnum, queryInt, queryPence, queryPercent, queryText } from '#server/api/contract/query.ts'

/** Returns the parsed value, or `refused` if the value is rejected. */
const readBy = (schema: { safeParse: (text: unknown) => { success: boolean; data?: unknown } }) => (text: unknown) => {
  const { success, data } = schema.safeParse(text)
  return success ? data : 'refused'
}

const notWhole = ['', ' ', '1.0', '1e1', '0x10', '1_000', '1,000', '+1', ' 1', '1 ', '١', 'NaN', 'Infinity', 'one', '--1', '9'.repeat(16)]

describe('queryInt', () => {
  const read = readBy(queryInt({ min: 1, max: 600 }))

  test.each([
    ['1', 1],
    ['600', 600],
    ['007', 7],
    ['0', 'refused'],
    ['601', 'refused'],
    ['-1', 'refused'],
  ])('parses %s as %s', (text, value) => expect(read(text)).toBe(value))

  test('rejects any other value', () => {
    for (const text of [...notWhole, 12, null, undefined]) expect(read(text), String(text)).toBe('refused')
  })

  test('allows negative numbers within the range, and names the range in errors', () => {
    expect(readBy(queryInt({ min: -5 }))('-5')).toBe(-5)
    expect(queryInt({ min: -5 }).safeParse('-6').error?.issues[0]?.message).toBe('must be a whole number -5 or more')
    expect(queryInt({ min: 1, max: 9 }).safeParse('x').error?.issues[0]?.message).toBe('must be a whole number from 1 to 9')
    expect(parameterSchema(queryInt({ min: 1, max: 9 }))).toEqual({ type: 'integer', minimum: 1, maximum: 9 })
  })
})

describe('queryPence', () => {
  const read = readBy(queryPence({ max: 100_000_000 }))

  test.each([
    ['0', 0],
    ['0.01', 1],
    ['0.1', 10],
    ['99.5', 9_950],
    ['99.50', 9_950],
    ['20000', 2_000_000],
    ['1000000', 100_000_000],
    ['1000000.00', 100_000_000],
    ['1000000.01', 'refused'],
    ['1.', 'refused'],
    ['.5', 'refused'],
    ['1.234', 'refused'],
    ['-1', 'refused'],
    ['1e3', 'refused'],
    ['£1', 'refused'],
    ['9999999999999', 'refused'],
  ])('parses %s as %s pence', (text, value) => expect(read(text)).toBe(value))

  test('parses every amount without rounding errors', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (pence) => {
        expect(read(`${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`)).toBe(pence)
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})

test('parses a percentage as integer basis points', () => {
  const read = readBy(queryPercent({ max: 10_000 }))
  expect(['4.5', '4.50', '0', '100', '4.55', '0.07'].map(read)).toEqual([450, 450, 0, 10_000, 455, 7])
  for (const text of ['100.01', '-1', '4.555', '4%', '', '1e1']) expect(read(text), text).toBe('refused')
})

test('parses booleans only from true and false', () => {
  const read = readBy(queryBoolean())
  expect([read('true'), read('false')]).toEqual([true, false])
  for (const text of ['1', '0', 'yes', 'TRUE', '']) expect(read(text), text).toBe('refused')
})

test('accepts only the exact spelling of listed values', () => {
  const schema = queryEnum(['easy-access', 'notice'])
  expect(readBy(schema)('notice')).toBe('notice')
  for (const text of ['Notice', 'notice ', '', 'toString', 'easy-access,notice']) expect(readBy(schema)(text), text).toBe('refused')
  expect(parameterSchema(schema)).toEqual({ type: 'string', enum: ['easy-access', 'notice'] })
})

test('rejects empty text and text over the maximum length', () => {
  const read = readBy(queryText({ max: 5 }))
  expect([read('a'), read('abcde'), read(''), read('abcdef')]).toEqual(['a', 'abcde', 'refused', 'refused'])
})
