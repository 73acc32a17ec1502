import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { anyHeaders, anyMethod, anyPath, anyQuery, mangling, runs } from './support/arbitraries.ts'
import { checkAnswer } from './support/check-answer.ts'
import { type ApiAnswer, type Caller, type Fixture, onEachMount } from './support/fixture.ts'

const plenty = { credits: 10_000_000, perMinute: 1_000_000, perDay: 10_000_000 }
const timeoutMs = 60_000

const pricesOfRows = [...new Set(registry.filter(({ kind, price }) => kind === 'list' && price.per === 'row').map(({ price }) => price.credits))]

/** Checks successive responses to one account: each balance must follow from the previous one. */
class Bill {
  private balance: number

  constructor(balance: number) {
    this.balance = balance
  }

  /** Checks a response, including its charge and balance. The charge must be the number of rows times one of the known prices per row. */
  check(answer: ApiAnswer): void {
    const charged = checkAnswer(answer)
    const reported = answer.headers.get('x-svc-credits-balance')
    if (answer.status !== 200) expect(charged).toBe(0)
    this.balance -= charged
    // Without a valid key, no balance is returned.
    if (reported !== null) expect(Number(reported)).toBe(this.balance)
    else expect(answer.status).toBe(401)
    if (answer.status === 200 && answer.body !== null && answer.body.meta.nextCursor !== undefined && charged > 1)
      expect(pricesOfRows.map((price) => price * answer.body.data.length)).toContain(charged)
  }
}

type Stored = { source_key: string; account_type: string; provider_slug: string; min: number; max: number | null }

/** Returns the rows that a filter matches in the database, in list order. */
function expectedKeys(stored: readonly Stored[], filter: Filter): string[] {
  return stored
    .filter((row) => filter.type === undefined || filter.type === 'all' || row.account_type === filter.type)
    .filter((row) => filter.provider === undefined || row.provider_slug === filter.provider)
    .filter((row) => filter.pence === undefined || (row.min <= filter.pence && (row.max === null || row.max >= filter.pence)))
    .map((row) => row.source_key)
}

type Filter = { type?: string | undefined; provider?: string | undefined; pence?: number | undefined }

const getQuery = ({ type, provider, pence }: Filter) =>
  [type && `type=${type}`, provider && `provider=${provider}`, pence === undefined ? '' : `amount=${pence / 100}`].filter(Boolean).join('&')

/** Pages through a list, varying the page size. */
async function follow(fixture: Fixture, caller: Caller, filter: Filter, limits: readonly number[]): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null; page++) {
    const limit = limits[page % limits.length] ?? 50
    const { status, body }: ApiAnswer = await fixture.get(
      `/rates?${getQuery(filter)}&limit=${limit}&fields=sourceKey${cursor && `&cursor=${cursor}`}`,
      caller.key,
    )
    expect([status, body.data.length <= Math.min(limit, 50), body.meta.creditsCharged]).toEqual([200, true, body.data.length])
    seen.push(...body.data.map((row: { sourceKey: string }) => row.sourceKey))
    cursor = body.meta.nextCursor
  }
  return seen
}

onEachMount((fixture) => {
  let live: Caller
  let bill: Bill

  beforeAll(async () => {
    live = await fixture.live(plenty)
    bill = new Bill(plenty.credits)
  })

  const authorized = () => ({ authorization: `Bearer ${live.key}` })

  test('returns a valid, correctly charged response to any query string', { timeout: timeoutMs }, async () => {
    const paths = ['/rates', '/rates', '/reference/products', '/reference/fscs', '/ping', '/me', '/rates/none', '/none']
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), anyQuery, async (path, query) => bill.check(await fixture.raw('GET', `/v1${path}?${query}`, authorized()))),
      runs(400),
    )
  })

  test('returns a valid, correctly charged response to any path and method', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(anyMethod, anyPath, fc.boolean(), async (method, path, hasKey) =>
        bill.check(await fixture.raw(method, `/v1${path}`, hasKey ? authorized() : {})),
      ),
      runs(300),
    )
  })

  test('returns a valid, correctly charged response to any headers', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/rates?limit=3', '/reference/currencies', '/ping', '/rates/none'), anyHeaders, async (path, headers) =>
        bill.check(await fixture.raw('GET', `/v1${path}`, { ...authorized(), ...headers })),
      ),
      runs(300),
    )
  })

  test('returns 401 for any typo in a key', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(mangling, async (mangle) => {
        const key = mangle(live.key)
        const answer = await fixture.raw('GET', '/v1/ping', { authorization: `Bearer ${key}` })
        bill.check(answer)
        expect(answer.status).toBe(key === live.key ? 200 : 401)
      }),
      runs(150),
    )
  })

  verifies(
    'lists/cursor-mangled-400',
    'returns 400 for any typo in a cursor',
    async () => {
      const { body } = await fixture.get('/rates?limit=2&type=notice', live.key)
      bill = new Bill(body.meta.creditsBalance)
      await fc.assert(
        fc.asyncProperty(mangling, async (mangle) => {
          const cursor = mangle(body.meta.nextCursor)
          const answer = await fixture.raw('GET', `/v1/rates?limit=2&type=notice&cursor=${cursor}`, authorized())
          bill.check(answer)
          expect([cursor, answer.status]).toEqual([cursor, cursor === body.meta.nextCursor ? 200 : 400])
        }),
        runs(200),
      )
    },
    timeoutMs,
  )

  verifies(
    ['lists/cursor-null-ends', 'rates/lists-every-product'],
    'returns every row exactly once, in order, for any filter and page sizes',
    async () => {
      const rows = await fixture.sql<Stored & { min: string; max: string | null }>(
        `SELECT source_key, account_type, provider_slug, min_balance_pence AS min, max_balance_pence AS max FROM product
         WHERE dataset = 'live' AND withdrawn_at IS NULL ORDER BY rate_bp DESC, source_key COLLATE "C"`,
      )
      const stored = rows.map((row) => ({ ...row, min: Number(row.min), max: row.max === null ? null : Number(row.max) }))
      const edges = stored.flatMap((row) => [row.min - 1, row.min, row.max ?? 0, (row.max ?? 0) + 1]).filter((pence) => pence >= 0)
      const filter = fc.record(
        {
          type: fc.constantFrom('all', ...new Set(stored.map((row) => row.account_type))),
          provider: fc.constantFrom(...new Set(stored.map((row) => row.provider_slug))),
          pence: fc.oneof(fc.constantFrom(...new Set(edges)), fc.nat(10_000_000_000)),
        },
        { requiredKeys: [] },
      )
      await fc.assert(
        fc.asyncProperty(filter, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }), async (wanted, limits) => {
          const expected = expectedKeys(stored, wanted)
          // Small pages of a long list would take thousands of calls.
          const least = Math.ceil(expected.length / 40)
          expect(
            await follow(
              fixture,
              live,
              wanted,
              limits.map((limit) => Math.max(limit, least)),
            ),
          ).toEqual(expected)
        }),
        runs(60),
      )
    },
    timeoutMs,
  )

  test('the account was charged exactly the logged amounts', async () => {
    const [row] = await fixture.sql<{ paid: string }>('SELECT coalesce(sum(credits), 0) AS paid FROM request_log WHERE account_id = $1', [live.account.id])
    expect(await fixture.balance(live.account)).toBe(plenty.credits - Number(row?.paid))
  })
})
