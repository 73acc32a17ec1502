import { beforeAll, expect } from 'vitest'
import { registry, snapshotEndpoints } from '#server/api/endpoints/registry.ts'
import { snapshotCredits } from '#server/api/endpoints/snapshots/snapshot-file.ts'
import { verifies } from '../requirements/verifies.ts'
import { storeDaysAgo } from './support/daily-files.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, onEachMount } from './support/fixture.ts'
import { list, listAll, plenty } from './support/history.ts'
import { marketChanged } from './support/operator.ts'

type Row = Record<string, unknown>
type Listed = { dataset: string; day: string; credits: number; rows: number; url: string; updatedUntil: string; ndjson: Sizes; csv: Sizes }
type Sizes = { etag: string; bytes: number; gzipBytes: number }

const csv = { accept: 'text/csv' }
const plain = { 'accept-encoding': 'identity' }

const readNdjson = ({ text }: ApiAnswer): Row[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row)

const withoutLogo = ({ providerLogoUrl: _, ...row }: Row): Row => row

onEachMount((fixture) => {
  let day = ''
  let earlier = ''
  let sampleDay = ''

  beforeAll(async () => {
    earlier = await storeDaysAgo(fixture, 12)
    await list(fixture, `snapshot-${fixture.mount}`, '3.33')
    day = await storeDaysAgo(fixture, 11)
    sampleDay = await storeDaysAgo(fixture, 11, 'sample')
  })

  const readList = async (query: string, key: string): Promise<Listed[]> => (await fixture.get(`/snapshots${query}`, key)).body.data

  verifies('snapshots/list', async () => {
    const { key, account } = await fixture.live({ credits: 1_000, plan: 'hobby' }, { scopes: ['offers:read'] })
    const { body } = await fixture.get('/snapshots', key)
    expect([body.meta.creditsCharged, await fixture.balance(account)]).toEqual([0, 1_000])
    const all: Listed[] = body.data
    const order = ['rates', 'providers', 'switch-offers']
    const keys = all.map((one) => `${one.day} ${9 - order.indexOf(one.dataset)}`)
    expect(keys).toEqual(keys.toSorted().toReversed())
    expect(all.filter((one) => one.day === day).map(({ dataset }) => dataset)).toEqual(order)
    expect(await readList(`?day=${day}`, key)).toEqual(all.filter((one) => one.day === day))
    const [offers] = await readList(`?day=${day}&dataset=switch-offers`, key)
    expect(offers).toMatchObject({ dataset: 'switch-offers', credits: snapshotCredits['switch-offers'] })
    expect(offers?.url).toBe(`https://api.example.test/v1/snapshots/switch-offers?day=${day}`)
    const target = new URL(offers?.url ?? '').pathname + new URL(offers?.url ?? '').search
    for (const [headers, sizes] of [
      [{}, offers?.ndjson],
      [csv, offers?.csv],
    ] as const) {
      const file = await fixture.raw('GET', target, { authorization: `Bearer ${key}`, ...headers })
      expect(file.headers.get('etag')).toBe(sizes?.etag)
      expect([Buffer.byteLength(file.text), file.headers.get('x-svc-rows')]).toEqual([sizes?.bytes, String(offers?.rows)])
      const zipped = await fixture.raw('GET', target, { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip', ...headers })
      // Next.js removes the Content-Length header.
      if (fixture.mount === 'lean') expect(zipped.headers.get('content-length')).toBe(String(sizes?.gzipBytes))
    }
  })

  verifies('snapshots/rows', async () => {
    const caller = await fixture.live(plenty)
    for (const path of ['/rates', '/providers', '/switch-offers']) {
      const file = await fixture.get(`/snapshots${path}?day=${day}`, caller.key)
      const rows = readNdjson(file)
      expect(rows).toEqual((await listAll(fixture, caller, path)).map(withoutLogo))
      expect(file.headers.get('x-svc-rows')).toBe(String(rows.length))
    }
    const before = readNdjson(await fixture.get(`/snapshots/rates?day=${earlier}`, caller.key))
    expect(before.map(({ sourceKey }) => sourceKey)).not.toContain(`snapshot-${fixture.mount}`)
    const sample = await fixture.test({ credits: 3 })
    const answer = await fixture.get(`/snapshots/rates?day=${sampleDay}`, sample.key)
    expect(readNdjson(answer)).toEqual((await listAll(fixture, sample, '/rates')).map(withoutLogo))
    expect([answer.headers.get('x-svc-mode'), answer.headers.get('x-svc-credits-charged'), await fixture.balance(sample.account)]).toEqual(['test', '0', 3])
  })

  verifies('snapshots/formats', async () => {
    const { key } = await fixture.live(plenty)
    const target = `/snapshots/providers?day=${day}`
    const lines = await fixture.get(target, key)
    const table = await fixture.get(target, key, csv)
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const [first] = readNdjson(lines)
    expect(table.text.split('\r\n')[0]).toBe(Object.keys(first ?? {}).join(','))
    expect(table.text.split('\r\n')[1]?.startsWith(`${first?.['slug']},`)).toBe(true)
    expect(table.headers.get('etag')).not.toBe(lines.headers.get('etag'))
    const { updatedUntil, createdAt } =
      ((await fixture.get(`/snapshots?day=${day}&dataset=providers`, key)).body.data as (Listed & { createdAt: string })[])[0] ?? {}
    expect(
      Object.fromEntries(
        ['x-svc-snapshot-day', 'x-svc-updated-until', 'x-svc-generated-at', 'content-disposition', 'vary'].map((name) => [name, lines.headers.get(name)]),
      ),
    ).toEqual({
      'x-svc-snapshot-day': day,
      'x-svc-updated-until': updatedUntil,
      'x-svc-generated-at': createdAt,
      'content-disposition': `attachment; filename="providers-${day}.ndjson"`,
      vary: expect.stringContaining('Authorization, Accept, Accept-Encoding'),
    })
    expect(lines.headers.get('x-svc-attribution')).toContain('Data Licence')
    expect((await fixture.get(target, key, { accept: 'text/csv; charset=utf-8;q=0.9, text/plain;q=0.1' })).headers.get('content-type')).toContain('text/csv')
    for (const accept of ['*/*', `text/csv, ${'a/b, '.repeat(400)}c/d`, 'application/json', 'application/x-ndjson', 'text/csv;q=0.2, application/x-ndjson']) {
      expect([accept, (await fixture.get(target, key, { accept })).headers.get('content-type')]).toEqual([accept, 'application/x-ndjson; charset=utf-8'])
    }
    expectError(await fixture.get('/snapshots/cards', key, csv), 404, 'not_found')
  })

  verifies('snapshots/compression', async () => {
    const { key } = await fixture.live(plenty)
    const target = `/v1/snapshots/rates?day=${day}`
    const get = (accepted: string | undefined) =>
      fixture.raw('GET', target, { authorization: `Bearer ${key}`, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) })
    const bare = await get(undefined)
    expect(bare.headers.get('content-encoding')).toBeNull()
    const codings = { gzip: 'gzip', 'gzip, deflate, br': 'br', br: 'br', 'gzip;q=0, br': 'br', '*': 'br', identity: null, 'gzip;q=0': null, zstd: null }
    for (const [accepted, coding] of Object.entries(codings)) {
      const answer = await get(accepted)
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, coding])
      expect(answer.text === bare.text).toBe(true)
      expect([answer.headers.get('etag'), answer.headers.get('x-svc-credits-charged')]).toEqual([bare.headers.get('etag'), String(snapshotCredits.rates)])
      // Next.js removes the Content-Length header.
      if (fixture.mount === 'next') continue
      const length = Number(answer.headers.get('content-length'))
      if (coding === null) expect(length).toBe(Buffer.byteLength(bare.text))
      else expect(length).toBeLessThan(Buffer.byteLength(bare.text) / 5)
    }
  })

  verifies('snapshots/price', async () => {
    const price = snapshotCredits.rates
    const { key, account } = await fixture.live({ plan: 'hobby', credits: price + 5 })
    const target = `/snapshots/rates?day=${day}`
    expectError(await fixture.get(target, key, { 'x-svc-max-credits': String(price - 1) }), 402, 'insufficient_credits', {
      required: price,
      balance: price + 5,
      reason: 'max_credits',
      topUp: expect.anything(),
    })
    const answer = await fixture.get(target, key, { 'x-svc-max-credits': String(price) })
    expect([answer.status, answer.headers.get('x-svc-credits-charged'), answer.headers.get('x-svc-credits-balance')]).toEqual([200, String(price), '5'])
    expect(await fixture.sql('SELECT credits, units, endpoint FROM request_log WHERE account_id = $1 AND credits > 0', [account.id])).toEqual([
      { credits: price, units: 1, endpoint: 51 },
    ])
    expectError(await fixture.get(target, key), 402, 'insufficient_credits', { required: price, balance: 5, topUp: expect.anything() })
    const capped = await fixture.getKey(await fixture.account({ credits: 1_000 }), { spendCapCredits: price - 1 })
    expect((await fixture.get(target, capped.key)).body).toMatchObject({ error: 'insufficient_credits', reason: 'spend_cap' })
    const other = await fixture.getKey(account, { scopes: ['offers:read', 'providers:read'] })
    expectError(await fixture.get(target, other.key), 403, 'insufficient_scope', { required: 'rates:read' })
  })

  verifies('snapshots/cheaper-than-lists', async () => {
    const { key } = await fixture.live()
    const files = await readList(`?day=${day}`, key)
    const rows = (name: string) => files.find(({ dataset }) => dataset === name)?.rows ?? 0
    const price = files.reduce((sum, { credits }) => sum + credits, 0)
    // One call per provider, and one for the list of providers.
    expect(price).toBeLessThan(rows('providers') + 1)
    for (const { dataset, credits } of files) expect([dataset, credits < rows(dataset)]).toEqual([dataset, true])
  })

  verifies('snapshots/unchanged', async () => {
    const { key, account } = await fixture.live({ credits: 10 })
    const [listed] = await readList(`?day=${day}&dataset=rates`, key)
    const get = (tag: string, headers: Record<string, string> = {}) => fixture.get(`/snapshots/rates?day=${day}`, key, { 'if-none-match': tag, ...headers })
    for (const headers of [{}, plain, { 'accept-encoding': 'br' }]) {
      const answer = await get(listed?.ndjson.etag ?? '', headers)
      expect([answer.status, answer.text, answer.headers.get('etag'), answer.headers.get('x-svc-credits-charged')]).toEqual([304, '', listed?.ndjson.etag, '0'])
    }
    expect((await get(listed?.csv.etag ?? '', csv)).status).toBe(304)
    await marketChanged(fixture)
    expect((await get(listed?.ndjson.etag ?? '')).status).toBe(304)
    for (const tag of [listed?.csv.etag ?? '', '*', 'W/"other"'])
      expectError(await get(tag), 402, 'insufficient_credits', { required: 100, balance: 10, topUp: expect.anything() })
    expect(await fixture.balance(account)).toBe(10)
  })

  verifies('snapshots/replay', async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    const headers = { 'idempotency-key': `replay-${fixture.mount}` }
    const first = await fixture.get('/snapshots/switch-offers', key, headers)
    const spent = snapshotCredits['switch-offers']
    expect([first.status, await fixture.balance(account)]).toEqual([200, 1_000 - spent])
    const again = await fixture.get('/snapshots/switch-offers', key, { ...headers, ...plain })
    expect([again.text === first.text, again.headers.get('x-svc-idempotent-replay'), again.headers.get('x-svc-credits-charged')]).toEqual([true, 'true', '0'])
    expectError(await fixture.get('/snapshots/switch-offers', key, { ...headers, ...csv }), 400, 'invalid_request')
    // A newer file, as of tomorrow.
    await fixture.sql(
      `INSERT INTO daily_file SELECT dataset, CURRENT_DATE + 2, name, format, rows, bytes, compressed_bytes, 'W/"' || rpad('newer-' || format, 22, 'x') || '"', updated_until, created_at, content
       FROM daily_file WHERE dataset = 'live' AND name = 'switch-offers' AND day = $1`,
      [earlier],
    )
    await marketChanged(fixture)
    try {
      const newest = await fixture.get('/snapshots/switch-offers', key)
      expect(newest.headers.get('etag')).toBe('W/"newer-ndjsonxxxxxxxxxx"')
      const replay = await fixture.get('/snapshots/switch-offers', key, headers)
      expect([replay.text === first.text, replay.headers.get('etag'), replay.headers.get('x-svc-idempotent-replay')]).toEqual([
        true,
        first.headers.get('etag'),
        'true',
      ])
      expect(await fixture.balance(account)).toBe(1_000 - 2 * spent)
    } finally {
      await fixture.sql(`DELETE FROM daily_file WHERE etag LIKE 'W/"newer-%'`)
      await marketChanged(fixture)
    }
  })

  verifies('snapshots/days', async () => {
    const { key, account } = await fixture.live(plenty)
    const [newest] = await readList('?dataset=rates', key)
    expect((await fixture.get('/snapshots/rates', key)).headers.get('x-svc-snapshot-day')).toBe(newest?.day)
    expect((await fixture.get(`/snapshots/rates?day=${earlier}`, key)).headers.get('x-svc-snapshot-day')).toBe(earlier)
    await storeDaysAgo(fixture, 33)
    const old = new Date(Date.now() - 33 * 86_400_000).toISOString().slice(0, 10)
    const balance = await fixture.balance(account)
    for (const missing of [old, '2020-01-01']) {
      const answer = await fixture.get(`/snapshots/rates?day=${missing}`, key)
      expectError(answer, 404, 'not_found')
      expect(answer.body.message).toBe(`No snapshot is stored for ${missing}. See /snapshots for the available days.`)
      expect(await readList(`?day=${missing}`, key)).toEqual([])
    }
    for (const query of ['day=today', 'day=2026-02-30', 'date=2026-11-01'])
      expectError(await fixture.get(`/snapshots/rates?${query}`, key), 400, 'invalid_request')
    expectError(await fixture.get('/snapshots?dataset=cards', key), 400, 'invalid_request')
    expect(await fixture.balance(account)).toBe(balance)
  })
})

verifies('snapshots/no-tool', () => {
  for (const { path, tool } of snapshotEndpoints) {
    expect([path, tool]).toEqual([path, ''])
    expect(registry.map((entry) => entry.path)).not.toContain(path)
  }
})
