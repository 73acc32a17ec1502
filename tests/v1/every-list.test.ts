import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { cites, verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, type Caller, onEachMount } from './support/fixture.ts'
import { keyChanged } from './support/operator.ts'
import { getTarget, isLaunched } from './support/target.ts'

/** Tests the common list rules on every list of the registry, including any new ones. `/rates` has separate tests for each rule. */
cites('lists/on-every-list')

type Row = Record<string, unknown>

const lists = registry.filter((entry) => isLaunched(entry) && entry.kind === 'list')

onEachMount((fixture) => {
  let sample: Caller

  beforeAll(async () => {
    sample = await fixture.test()
    // These tests need more than ten calls a minute.
    await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.keyId])
    await keyChanged(fixture, sample.keyId)
  })

  describe.each(lists.map((entry) => [entry.path, entry] as const))('%s', (_path, entry) => {
    const get = async (more: string): Promise<ApiAnswer> => fixture.get(await getTarget(fixture, entry, 'sample', more), sample.key)

    /** Fetches all rows, page by page. */
    async function everyRow(limit: number): Promise<Row[]> {
      const rows: Row[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, body }: ApiAnswer = await get(`limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect([status, body.meta.limit]).toEqual([200, limit])
        expect(body.data.length).toBeLessThanOrEqual(limit)
        rows.push(...body.data)
        cursor = body.meta.nextCursor
      }
      return rows
    }

    test('uses limit as the page size: 10 by default, at most 50', async () => {
      expect((await get('')).body.meta.limit).toBe(10)
      for (const limit of ['51', '9999']) {
        const { body } = await get(`limit=${limit}`)
        expect(body.meta.limit).toBe(50)
        expect(body.data.length).toBeLessThanOrEqual(50)
      }
      for (const limit of ['0', '-1', '1.5', 'ten']) expectError(await get(`limit=${limit}`), 400, 'invalid_request')
    })

    test('returns the same rows, each once, in the same order, for any page size', async () => {
      const whole = await everyRow(50)
      expect(whole.length).toBeGreaterThan(1)
      // Small pages of a long list would take too many calls.
      const few = whole.length > 200 ? [37] : [1, 7]
      for (const limit of few) expect(await everyRow(limit)).toEqual(whole)
    })

    test('trims every row to `fields`, and returns 400 for an unknown name', async () => {
      const [whole, [first = '', second = '']] = [(await get('limit=5')).body.data as Row[], entry.fields]
      const trimmed = (await get(`limit=5&fields=${second},${first}`)).body.data as Row[]
      expect(trimmed).toEqual(whole.map((row) => ({ [first]: row[first], [second]: row[second] })))
      expectError(await get('fields=nonsense'), 400, 'invalid_request')
    })

    test('returns 400 for a modified cursor and for a cursor from another list', async () => {
      const { nextCursor } = (await get('limit=1')).body.meta
      expect(nextCursor).toMatch(/^[A-Za-z0-9_-]+$/)
      for (const cursor of [nextCursor.slice(1), `${nextCursor}A`, 'x']) expectError(await get(`limit=1&cursor=${cursor}`), 400, 'invalid_request')
      const other = lists.find((one) => one !== entry)
      if (!other) throw new Error('No other list.')
      const elsewhere = await fixture.get(await getTarget(fixture, other, 'sample', `limit=1&cursor=${nextCursor}`), sample.key)
      expectError(elsewhere, 400, 'invalid_request')
    })

    test('returns 304 for its ETag', async () => {
      const first = await get('limit=2')
      const again = await fixture.get(await getTarget(fixture, entry, 'sample', 'limit=2'), sample.key, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([again.status, again.text]).toEqual([304, ''])
    })
  })

  verifies('reference/currencies-accepted-by-travel-cards', async () => {
    const codes = ((await fixture.get('/reference/currencies', sample.key)).body.data as { code: string }[]).map(({ code }) => code)
    expect(codes.length).toBeGreaterThan(100)
    for (const path of ['/cards/travel', '/cards/travel/fx-history']) {
      for (const code of codes) expect([path, code, (await fixture.get(`${path}?limit=1&currency=${code}`, sample.key)).status]).toEqual([path, code, 200])
      expectError(await fixture.get(`${path}?currency=XXX`, sample.key), 400, 'invalid_request')
    }
  })

  verifies('errors/not-found-slug', async () => {
    const { key, account } = await fixture.live({ credits: 10 })
    for (const path of ['/providers/nobody', '/providers/nobody/service-quality', '/assets/providers/nobody']) {
      const answer = await fixture.get(path, key)
      expectError(answer, 404, 'not_found')
      expect(answer.body.message).toContain('"nobody"')
    }
    // Providers of the sample are not in the live market.
    expectError(await fixture.get('/providers/paperlark', key), 404, 'not_found')
    expect(await fixture.balance(account)).toBe(10)
  })
})
