import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { csvColumns } from '#server/api/contract/csv.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, type Caller, onEachMount } from './support/fixture.ts'
import { keyChanged } from './support/operator.ts'
import { getTarget, isLaunched } from './support/target.ts'

type Row = Record<string, unknown>

const csv = { accept: 'text/csv' }
const ndjson = { accept: 'application/x-ndjson' }
const csvType = 'text/csv; charset=utf-8; header=present'
const ndjsonType = 'application/x-ndjson; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

const getType = ({ headers }: ApiAnswer) => headers.get('content-type')
const readCsv = ({ text }: ApiAnswer) => parse(text, { columns: true }) as Record<string, string>[]
const readNdjson = ({ text }: ApiAnswer) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))

/** Returns the CSV cell for a value, following the rules in the guide. */
function getCell(row: Row, path: readonly string[]): string {
  const value = path.reduce<unknown>((part, name) => (part as Row | null)?.[name] ?? null, row)
  if (value === null) return ''
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object') ? value.join(' | ') : JSON.stringify(value)
  return String(value).replace(/^(?=[=+@\t\r\n]|-(?!\d+(\.\d+)?$))/, "'")
}

onEachMount((fixture) => {
  let sample: Caller

  beforeAll(async () => {
    sample = await fixture.test()
    await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.keyId])
    await keyChanged(fixture, sample.keyId)
  })

  const lists = registry.filter((entry) => isLaunched(entry) && (entry.kind === 'list' || entry.kind === 'whole'))

  describe.each(lists.map((entry) => [entry.path, entry] as const))('%s', (_path, entry) => {
    const get = async (headers: Record<string, string>) =>
      fixture.get(await getTarget(fixture, entry, 'sample', entry.kind === 'list' ? 'limit=7' : ''), sample.key, headers)

    test('returns the same rows in every format', async () => {
      const [json, asCsv, asNdjson] = [await get({}), await get(csv), await get(ndjson)]
      expect([json, asCsv, asNdjson].map((answer) => [answer.status, getType(answer)])).toEqual([
        [200, jsonType],
        [200, csvType],
        [200, ndjsonType],
      ])
      expect(readNdjson(asNdjson)).toEqual(json.body.data)
      // The documentation states the columns by name; here, they come from the schema.
      const columns = csvColumns(entry.output as Parameters<typeof csvColumns>[0])
      expect(asCsv.text.slice(0, asCsv.text.indexOf('\r\n'))).toBe(columns.map(({ name }) => name).join(','))
      expect(readCsv(asCsv)).toEqual((json.body.data as Row[]).map((row) => Object.fromEntries(columns.map(({ name, path }) => [name, getCell(row, path)]))))
      expect(asCsv.text).toMatch(/\r\n$/)
    })
  })

  verifies('formats/csv', 'CSV columns follow `fields` and do not depend on the rows', async () => {
    const { key } = await fixture.live({ plan: 'hobby' })
    const trimmed = await fixture.get('/rates?fields=rate,sourceKey&limit=2', key, csv)
    expect(trimmed.text).toMatch(/^rate,sourceKey\r\n\d+\.\d\d,[\w-]+\r\n\d+\.\d\d,[\w-]+\r\n$/)
    const [whole, none] = [await fixture.get('/rates?limit=1', key, csv), await fixture.get('/rates?minRate=99', key, csv)]
    expect([none.status, none.text]).toEqual([200, `${whole.text.split('\r\n')[0]}\r\n`])
    // The plan excludes logos, so the column is empty.
    expect(readCsv(whole)[0]).toMatchObject({ providerLogoUrl: '' })
    expectError(await fixture.get('/rates?fields=providerLogoUrl', key, csv), 400, 'invalid_request')
    expectError(await fixture.get('/rates?fields=nonsense', key, csv), 400, 'invalid_request')
  })

  verifies('formats/csv', 'flattens nested objects into columns', async () => {
    const answer = await fixture.get('/cards/rewards?fields=name,welcomeBonus,rewardTiers&limit=50', sample.key, csv)
    expect(answer.text.split('\r\n')[0]).toBe(
      'name,welcomeBonus.description,welcomeBonus.value,welcomeBonus.points,welcomeBonus.spendRequired,welcomeBonus.withinDays,rewardTiers',
    )
    const tiers = readCsv(answer).flatMap((row) => (row['rewardTiers'] ? [JSON.parse(row['rewardTiers']) as Row[]] : []))
    expect(tiers[0]?.[0]).toHaveProperty('spendFrom')
  })

  verifies('formats/csv-cells', async () => {
    const line = {
      kind: 'product',
      sourceKey: 'formula-product',
      providerSlug: (await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND active ORDER BY slug LIMIT 1`))[0]?.slug,
      accountName: '=HYPERLINK("https://bad.example","Saver, with £1")',
      accountType: 'notice',
      rate: '0.01',
      baseRate: '0.01',
      interestPaid: 'Annually',
      interestType: 'Variable',
      access: '+ 30 days',
      minBalance: '1.00',
      noticeDays: 30,
      fscsDetails: '@here',
      url: 'https://bank.example.test/savings',
    }
    await importFeed(fixture.pool, { source: `${JSON.stringify(line)}\n`, fileName: 'products.ndjson', dataset: 'live', partial: true })
    const { key } = await fixture.live()
    const answer = await fixture.get('/rates?sourceKey=formula-product', key, csv)
    expect(answer.text).toContain(`,"'=HYPERLINK(""https://bad.example"",""Saver, with £1"")",`)
    expect(readCsv(answer)[0]).toMatchObject({ access: "'+ 30 days", fscsDetails: "'@here", boostDuration: '', newCustomersOnly: 'false', rate: '0.01' })
    const changes = readCsv(await fixture.get('/history?limit=50&fields=rateChange', sample.key, csv)).map(({ rateChange }) => rateChange)
    expect(changes.some((change) => change?.startsWith('-'))).toBe(true)
  })

  verifies('formats/ndjson', async () => {
    const { key } = await fixture.live()
    const [json, lines] = [await fixture.get('/rates?limit=4', key), await fixture.get('/rates?limit=4', key, ndjson)]
    expect(readNdjson(lines)).toEqual(json.body.data)
    expect(lines.text.split('\n')).toHaveLength(5)
    const trimmed = await fixture.get('/rates?limit=1&fields=rate,provider', key, ndjson)
    expect(Object.keys(readNdjson(trimmed)[0] ?? {})).toEqual(['rate', 'provider'])
    expect((await fixture.get('/rates?minRate=99', key, ndjson)).text).toBe('')
  })

  verifies('formats/json-by-default', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const unnamed = ['*/*', 'application/json', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/*', 'image/png', 'text/csv;q=0', '', 'nonsense', ',,;']
    const preferJson = ['application/json, text/csv;q=0.9', 'text/csv;q=0.1, */*;q=0.5', 'text/csv; header=absent', 'application/x-ndjson;q=0, text/csv;q=0.0']
    for (const accept of [...unnamed, ...preferJson]) {
      const answer = await fixture.raw('GET', '/v1/rates?limit=1', { authorization: `Bearer ${key}`, accept })
      expect([accept, answer.status, getType(answer)]).toEqual([accept, 200, jsonType])
    }
    expect(getType(await fixture.raw('GET', '/v1/rates?limit=1', { authorization: `Bearer ${key}` }))).toBe(jsonType)
    for (const accept of [
      'TEXT/CSV',
      'text/csv; charset=utf-8',
      'text/csv, */*',
      'application/json;q=0.5, text/csv',
      'application/x-ndjson;q=0.2, text/csv;q=0.3',
    ])
      expect([accept, getType(await fixture.get('/rates?limit=1', key, { accept }))]).toEqual([accept, csvType])
    for (const path of ['/ping', '/me', `/rates/${await fixture.productKey()}`, '/simulate?rate=5&amount=100&months=12'])
      expect([path, getType(await fixture.get(path, key, csv))]).toEqual([path, jsonType])
  })

  verifies('formats/json-by-default', 'errors are JSON in every format', async () => {
    const { key } = await fixture.live({ credits: 0 })
    for (const headers of [csv, ndjson]) {
      expectError(await fixture.get('/rates', key, headers), 402, 'insufficient_credits', { required: 1, balance: 0, topUp: expect.anything() })
      expectError(await fixture.get('/rates?limit=0', key, headers), 400, 'invalid_request')
      expectError(await fixture.get('/none', key, headers), 404, 'not_found')
      expectError(await fixture.get('/rates', null, headers), 401, 'missing_api_key', {}, false)
    }
  })

  verifies('formats/json-by-default', 'tool results are JSON', async () => {
    const headers = { authorization: `Bearer ${sample.key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream, text/csv' }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rates', arguments: { limit: 1 } } }
    const answer = await fixture.raw('POST', '/mcp', headers, JSON.stringify(message))
    expect(answer.body.result.structuredContent.data).toHaveLength(1)
  })

  verifies('formats/same-charge', async () => {
    for (const headers of [{}, csv, ndjson]) {
      const { key, account } = await fixture.live({ credits: 8 })
      const five = await fixture.get('/rates?limit=5', key, headers)
      expect([five.headers.get('x-svc-credits-charged'), five.headers.get('x-svc-credits-balance')]).toEqual(['5', '3'])
      const cut = await fixture.get('/rates?limit=5', key, headers)
      expect([cut.headers.get('x-svc-credits-charged'), cut.headers.get('x-svc-limit-reduced')]).toEqual(['3', '3'])
      expect(cut.headers.get('etag')).toMatch(/-3"$/)
      if (headers === csv) expect(readCsv(cut)).toEqual(readCsv(five).slice(0, 3))
      if (headers === ndjson) expect(readNdjson(cut)).toEqual(readNdjson(five).slice(0, 3))
      expect(await fixture.balance(account)).toBe(0)
    }
  })

  verifies('formats/meta-in-headers', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const expected = (await fixture.get('/rates?limit=20', key)).body.data as { sourceKey: string }[]
    const { body } = await fixture.get('/rates?limit=3&type=notice', key)
    for (const headers of [csv, ndjson]) {
      const keys: unknown[] = []
      for (let cursor: string | null = ''; keys.length < 20 && cursor !== null; ) {
        const answer: ApiAnswer = await fixture.get(`/rates?limit=10${cursor && `&cursor=${cursor}`}`, key, headers)
        keys.push(...(headers === csv ? readCsv(answer) : readNdjson(answer)).map((row) => row['sourceKey']))
        cursor = answer.headers.get('x-svc-next-cursor')
      }
      expect(keys).toEqual(expected.map(({ sourceKey }) => sourceKey))
      const answer = await fixture.get('/rates?limit=3&type=notice', key, headers)
      expect(answer.headers.get('x-svc-next-cursor')).toBe(body.meta.nextCursor)
      expect(answer.headers.get('x-svc-attribution')).toBe(body.meta.attribution)
      expect(answer.headers.get('x-svc-limit')).toBe('3')
      expect(answer.headers.get('x-svc-generated-at')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      expect(answer.headers.get('x-svc-request-id')).toMatch(/^req_/)
      // The last page has no cursor.
      expect((await fixture.get('/rates?minRate=99', key, headers)).headers.get('x-svc-next-cursor')).toBeNull()
      expect((await fixture.get('/reference/providers', sample.key, headers)).headers.get('x-svc-sample-data')).toBe('true')
    }
    expect((await fixture.get('/rates?limit=3', key)).headers.get('x-svc-next-cursor')).toBeNull()
  })

  verifies('formats/separate-representations', async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    const answers = await Promise.all([{}, csv, ndjson].map((headers) => fixture.get('/rates?limit=2', key, headers)))
    const tags = answers.map(({ headers }) => headers.get('etag') ?? '')
    expect(new Set(tags).size).toBe(3)
    for (const { headers } of answers) expect(headers.get('vary')?.split(/, */)).toEqual(expect.arrayContaining(['Accept', 'Authorization', 'Accept-Encoding']))
    const before = await fixture.balance(account)
    for (const [at, headers] of [{}, csv, ndjson].entries()) {
      const statuses = await Promise.all(tags.map(async (tag) => (await fixture.get('/rates?limit=2', key, { ...headers, 'if-none-match': tag })).status))
      expect(statuses).toEqual(tags.map((_, other) => (other === at ? 304 : 200)))
    }
    expect(await fixture.balance(account)).toBe(before - 6 * 2)
  })

  verifies('formats/separate-representations', 'an Idempotency-Key belongs to one format', async () => {
    const { key, account } = await fixture.live({ credits: 100 })
    const once = { 'idempotency-key': 'one format' }
    const first = await fixture.get('/rates?limit=3', key, { ...once, ...csv })
    const again = await fixture.get('/rates?limit=3', key, { ...once, ...csv })
    expect([again.status, again.text, again.headers.get('x-svc-idempotent-replay'), getType(again)]).toEqual([200, first.text, 'true', csvType])
    for (const headers of [{}, ndjson]) expectError(await fixture.get('/rates?limit=3', key, { ...once, ...headers }), 400, 'invalid_request')
    expect(await fixture.balance(account)).toBe(97)
  })
})
