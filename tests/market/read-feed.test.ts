import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FeedError } from '#server/market/import/feed-faults.ts'
import { feedOrder, kindOfFileName } from '#server/market/import/feed-kind.ts'
import { type FeedSource, type RawRecord, readFeed } from '#server/market/import/read-feed.ts'
import { card, ndjson, product, provider, readWhole } from './feeds.ts'

async function* cut(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function readRaw(source: FeedSource, fileName: string) {
  const raw = readFeed(source, fileName)
  const records: RawRecord[] = []
  for await (const batch of raw.batches) records.push(...batch)
  return { records, sha256: raw.sha256() }
}

async function getValues(text: string, fileName: string) {
  return (await readWhole(text, fileName)).values
}

async function getFaults(text: string, fileName = 'products.ndjson') {
  try {
    await getValues(text, fileName)
  } catch (fault) {
    if (fault instanceof FeedError) return fault
    throw fault
  }
  throw new Error('The feed was not rejected.')
}

const getCsv = (rows: Record<string, unknown>[]) => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown) => (value === null || value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`)
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join('\r\n')
}

test('converts rates to hundredths, amounts to pence and omitted fields to null', async () => {
  const [values] = await getValues(ndjson(product('a', { newCustomersOnly: true })), 'x.ndjson')
  expect(values).toMatchObject({ rate: 450, baseRate: 325, boostRate: 125, minBalance: 100, maxBalance: 8_500_000 })
  expect(values).toMatchObject({ maxMonthlyDeposit: null, termMonths: null, newCustomersOnly: true, urlCheckedAt: null })
})

test('parses JSON numbers without rounding errors', async () => {
  const numbers = { rate: 4.5, baseRate: 3.3, boostRate: 1.2, minBalance: 1, maxBalance: 85000.05 }
  const [values] = await getValues(ndjson(product('a', numbers)), 'x.ndjson')
  expect(values).toMatchObject({ rate: 450, baseRate: 330, boostRate: 120, minBalance: 100, maxBalance: 8_500_005 })
})

test('reads the same rows from CSV and NDJSON', async () => {
  const rows = [product('a', { accountName: 'Saver, "best"\nof all' }), product('b', { maxBalance: null, newCustomersOnly: true })]
  const broken = await getFaults(getCsv(rows), 'products.csv')
  expect(broken.faults).toEqual([{ line: 2, field: 'accountName', problem: 'must not contain control characters' }])
  const clean = rows.map((row) => ({ ...row, accountName: 'Saver, "best"' }))
  expect(await getValues(getCsv(clean), 'products.csv')).toEqual(await getValues(ndjson(...clean), 'products.ndjson'))
})

test('reads the same rows with any chunking, byte order mark or line endings', async () => {
  const text = ndjson(provider('a'), provider('b', { name: 'Zoë & Söhne' }))
  const whole = await readRaw(text, 'providers.ndjson')
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.boolean(), fc.boolean(), async (size, hasMark, hasReturns) => {
      const written = `${hasMark ? '\uFEFF' : ''}${hasReturns ? text.replaceAll('\n', '\r\n') : text}`
      const read = await readRaw(cut(written, size), 'providers.ndjson')
      expect(read.records).toEqual(whole.records)
      expect(read.sha256).toBe(whole.sha256)
    }),
    { numRuns: 50 },
  )
})

test('round-trips any text in a CSV cell', async () => {
  const anyText = fc.string({ unit: 'grapheme' }).filter((value) => !/[\r\uFEFF]/.test(value))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 5 }), async (rows) => {
      const text = getCsv(rows.map(([a, b]) => ({ a, b, end: 'x' })))
      const { records } = await readRaw(text, 'any.csv')
      expect(records.map(({ fields }) => [fields.a ?? '', fields.b ?? ''])).toEqual(rows)
    }),
  )
})

test('throws no error other than FeedError, for any input', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.constantFrom('products.csv', 'cards.ndjson', 'x'), async (text, fileName) => {
      await getValues(text, fileName).catch((fault: unknown) => expect(fault).toBeInstanceOf(FeedError))
    }),
  )
})

test.each([
  [{ rate: '4.505' }, 'rate', 'must be a percentage from 0 to 100 with at most two decimals, such as 4.50'],
  [{ rate: '4.60' }, 'rate', 'must equal baseRate plus boostRate, 4.50%, but is 4.60%'],
  [{ boostDuration: null }, 'boostDuration', 'is required with a bonus'],
  [{ boostDuration: 'a year' }, 'boostDuration', 'must be a number of months, such as "12 months" or "1 month"'],
  [{ maxBalance: '0.50' }, 'maxBalance', 'must not be less than minBalance'],
  [{ accountType: 'fixed-rate' }, 'termMonths', 'is required for fixed-rate accounts'],
  [{ accountType: 'notice' }, 'noticeDays', 'is required for notice accounts'],
  [{ accountType: 'all' }, 'accountType', /^must be one of easy-access, /],
  [{ sourceKey: 'a b' }, 'sourceKey', /^must be 1 to 120 letters/],
  [{ url: 'javascript:alert(1)' }, 'url', 'must be an http or https URL'],
  [{ url: undefined }, 'url', 'is missing'],
  [{ minBalance: -1 }, 'minBalance', /^must be an amount in pounds/],
  [{ termMonths: 0 }, 'termMonths', 'must be a whole number from 1 to 1200'],
  [{ newCustomersOnly: 'yes' }, 'newCustomersOnly', 'must be true or false'],
  [{ urlCheckedAt: '2026-11-21' }, 'urlCheckedAt', /^must be an ISO 8601 time/],
  [{ accuntName: 'x' }, 'accuntName', 'is not a field of a product feed. Did you mean "accountName"?'],
  [{ kind: 'card' }, 'kind', 'is card, but this is a product feed; a feed has one kind'],
  [{ sourceKey: 'first' }, 'sourceKey', '"first" is already on line 1'],
])('rejects a product with %j, and reports the line and the field %s', async (facts, field, problem) => {
  const error = await getFaults(ndjson(product('first'), product('second', facts)))
  expect(error.faults).toEqual([{ line: 2, field, problem: typeof problem === 'string' ? problem : expect.stringMatching(problem) }])
  expect(error.message).toMatch(/^products\.ndjson: 1 invalid line\. Nothing was imported\.\n {2}line 2: /)
})

test('lists the first hundred invalid lines and counts the rest', async () => {
  const lines = Array.from({ length: 250 }, (_, index) => product(`p${index}`, { rate: 'x', baseRate: 'y' }))
  const error = await getFaults(`not json\n[]\n${ndjson(...lines)}`)
  expect(error.faultyLines).toBe(252)
  expect(new Set(error.faults.map(({ line }) => line)).size).toBe(100)
  expect(error.faults.filter(({ line }) => line === 3).map(({ field }) => field)).toEqual(['rate', 'baseRate'])
  expect(error.message.split('\n').at(-1)).toBe('  … and 152 more invalid lines')
})

test('rejects a feed that is empty, of an unknown kind, or too large', async () => {
  expect((await getFaults('')).message).toContain('line 1: the feed has no records')
  expect((await getFaults('sourceKey,rate\n', 'products.csv')).message).toContain('the feed has no records')
  expect((await getFaults('{"a":1}', 'x.ndjson')).message).toContain('kind must be one of provider, product, card')
  expect((await getFaults('{"kind":"offer"}', 'x.ndjson')).message).toContain('kind must be one of provider, product, card')
  expect((await getFaults(`{"a":"${'x'.repeat(70_000)}"}`)).message).toContain('is longer than 65536 characters')
})

test('reports CSV errors on the first line of the record', async () => {
  const header = 'offerKey,headline,accountName,provider,accountType,startDate,termsUrl'
  const rest = 'x,basic,2026-01-01,https://x.example/'
  const error = await getFaults(`${header}\na,h,"Two\nlines",${rest}\nb,h,x\nc,h,a"b,${rest}\nd,h,x,"open`, 'account-offers.csv')
  expect(error.faults.map(({ line, problem }) => [line, problem.slice(0, 36)])).toEqual([
    [2, 'must not contain control characters'],
    [4, 'has 3 cells, but the header has 7'],
    [5, 'has a misplaced quote; double the qu'],
    [6, 'has an unclosed quoted cell'],
  ])
  expect((await getFaults('sourceKey,list,list\na,b,c', 'cards.csv')).message).toContain('line 1: list appears twice in the header')
})

test('stops at text after a closing quote, because the rest of the file is ambiguous', async () => {
  const header = 'offerKey,headline,accountName,provider,accountType,startDate,termsUrl'
  const error = await getFaults(`${header}\na,"h"x,n,p,basic,2026-01-01,https://x.example/\nb,h,x\nc,h,x`, 'account-offers.csv')
  expect(error.faults).toMatchObject([{ line: 2, problem: expect.stringMatching(/^has text after a closing quote; .* Nothing after it was read/) }])
})

test('takes the kind from the records, then the file name, then the fields', async () => {
  const getKind = async (text: string, fileName: string) => (await readWhole(text, fileName)).kind
  const bare = ndjson({ ...card('a'), kind: undefined })
  expect(await getKind(ndjson(card('a')), 'products.ndjson')).toBe('card')
  expect(await getKind(bare, '/data/Cards-2026-11-21.ndjson')).toBe('card')
  expect(await getKind(bare, 'export.json')).toBe('card')
  expect(['provider.csv', 'products_1.csv', 'cardsharp.csv', 'x.csv'].map(kindOfFileName)).toEqual(['provider', 'product', undefined, undefined])
  expect(['x.csv', 'cards.csv', 'products.csv', 'providers.csv'].toSorted((a, b) => feedOrder(a) - feedOrder(b))).toEqual([
    'providers.csv',
    'products.csv',
    'cards.csv',
    'x.csv',
  ])
})

test('accepts the examples in the README', async () => {
  const readme = readFileSync(new URL('../../server/market/README.md', import.meta.url), 'utf8')
  const lines = /```json\n([\s\S]*?)```/.exec(readme)?.[1]?.trim().split('\n') ?? []
  const kinds = await Promise.all(lines.map(async (line) => (await readWhole(line, 'x')).kind))
  expect(kinds).toEqual(['provider', 'product', 'card', 'card', 'switch_offer', 'account_offer', 'service_quality', 'rate_history'])
  const csv = /`cards\.csv`:\s*```\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(await getValues(csv, 'cards.csv')).toEqual(await getValues(lines[3] ?? '', 'cards.ndjson'))
})

const counted = (rows: number) => ({ kind: 'count', rows })

test('detects truncation at the end of a line by the row count on the first or last line', async () => {
  const rows = [product('a'), product('b'), product('c')]
  for (const lines of [
    [counted(3), ...rows],
    [...rows, counted(3)],
  ])
    expect(await getValues(ndjson(...lines), 'products.ndjson')).toHaveLength(3)
  const csv = getCsv(rows)
  for (const text of [`#rows=3\r\n${csv}`, `${csv}\r\n#rows=3\r\n`]) expect(await getValues(text, 'products.csv')).toHaveLength(3)
  const cut = await getFaults(ndjson(counted(3), product('a'), product('b')))
  expect(cut.faults).toEqual([{ line: 1, field: 'rows', problem: 'is 3, but the feed has 2 rows: it was truncated or lines are missing' }])
  expect((await getFaults(`${csv}\n#rows=4`, 'products.csv')).faults[0]).toMatchObject({ line: 5, field: 'rows' })
})

test('rejects a row count that appears between rows, and a second row count', async () => {
  const between = await getFaults(ndjson(product('a'), counted(2), product('b')))
  expect(between.faults).toEqual([{ line: 3, field: null, problem: 'follows the row count on line 2; the count must be on the first or the last line' }])
  const twice = await getFaults(ndjson(counted(1), product('a'), counted(1)))
  expect(twice.faults).toEqual([{ line: 3, field: null, problem: 'states the row count again, after line 1' }])
})

test('rejects a feed with an unexpected number of rows, or without a required row count', async () => {
  const described = async (expected: { expectedRows?: number; requiresCount?: boolean }) => {
    const raw = readFeed(ndjson(product('a'), product('b')), 'products.ndjson', expected)
    for await (const _ of raw.batches);
    try {
      raw.faults.throwIfAny('products.ndjson')
    } catch (fault) {
      return fault instanceof FeedError ? fault.faults.map(({ problem }) => problem) : fault
    }
    return []
  }
  expect(await described({ expectedRows: 2 })).toEqual([])
  expect(await described({ expectedRows: 3 })).toEqual(['is the last line: the feed has 2 rows, expected 3'])
  expect(await described({ requiresCount: true })).toEqual(['is the last line, but no line states the row count: the feed may be truncated'])
})
