import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { csvColumns, csvHeader, csvLine, csvRow } from '#server/api/contract/csv.ts'
import { ndjsonRow } from '#server/api/contract/ndjson.ts'

const row = z.object({
  key: z.string(),
  provider: z.object({ slug: z.string(), group: z.object({ name: z.string() }).nullable() }),
  limit: z.object({ amount: z.string(), period: z.string() }).nullable(),
  tags: z.array(z.string()),
  points: z.array(z.object({ date: z.string() })),
  accepts: z.union([z.literal('all'), z.array(z.string())]),
  isOpen: z.boolean().nullable(),
  count: z.number(),
  logo: z.string().nullable().optional(),
})

const sample = {
  key: 'a',
  provider: { slug: 'p', group: null },
  limit: null,
  tags: ['one', 'two, three'],
  points: [{ date: '2026-01-01' }],
  accepts: 'all',
  isOpen: false,
  count: -1.5,
}

const cells = (lines: string) => parse(lines) as string[][]

test('has one column per schema field, in schema order, and one per field of a nested object', () => {
  expect(csvColumns(row).map(({ name }) => name)).toEqual([
    'key',
    'provider.slug',
    'provider.group.name',
    'limit.amount',
    'limit.period',
    'tags',
    'points',
    'accepts',
    'isOpen',
    'count',
    'logo',
  ])
})

test('selects columns by field, in the order of the fields', () => {
  expect(csvHeader(csvColumns(row, ['count', 'provider', 'unknown']))).toBe('count,provider.slug,provider.group.name\r\n')
})

test('writes lists with separators in one cell, lists of objects as JSON, and missing values as empty cells', () => {
  const [line] = cells(csvRow(csvColumns(row), sample))
  expect(line).toEqual(['a', 'p', '', '', '', 'one | two, three', '[{"date":"2026-01-01"}]', 'all', 'false', '-1.5', ''])
  expect(csvRow(csvColumns(row, ['accepts', 'limit']), { ...sample, accepts: ['EUR', 'USD'], limit: { amount: '1.00', period: 'day' } })).toBe(
    'EUR | USD,1.00,day\r\n',
  )
})

test('quotes cells with commas, quotes and line breaks', () => {
  const texts = ['plain', 'a,b', 'say "no"', 'two\nlines', 'two\r\nlines', '']
  expect(csvLine(texts)).toBe('plain,"a,b","say ""no""","two\nlines","two\r\nlines",\r\n')
  expect(cells(csvLine(texts))).toEqual([texts])
})

test.each(['=1+1', '+44 20', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '-', '+1', '＝1'])('stops a spreadsheet from reading %j as a formula', (text) => {
  expect(cells(csvLine([text]))).toEqual([[`'${text}`]])
})

test.each(['-0.25', '-5', '4.50', 'a=1', '2026-01-01'])('leaves %j unchanged', (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`)
})

test('stops a spreadsheet from reading a list as a formula', () => {
  expect(csvRow(csvColumns(row, ['tags']), { tags: ['=1', '2'] })).toBe("'=1 | 2\r\n")
})

test('writes one row of JSON per line', () => {
  expect(ndjsonRow({ name: 'two\nlines' })).toBe('{"name":"two\\nlines"}\n')
})
