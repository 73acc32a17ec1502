import { expect } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, type Fixture, onEachMount } from './support/fixture.ts'
import { list, listAll, plenty, productFeed } from './support/history.ts'

type Row = { sourceKey: string; provider: string; matchReasons: string[] }

/** Returns the keys of the listed products that meet an SQL condition, in the given order. */
async function storedKeys(fixture: Fixture, where: string, order = 'p.rate_bp DESC'): Promise<string[]> {
  const rows = await fixture.sql<{ key: string }>(
    `SELECT p.source_key AS key FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     WHERE p.dataset = 'live' AND p.withdrawn_at IS NULL AND v.active AND ${where} ORDER BY ${order}, p.source_key COLLATE "C"`,
  )
  return rows.map(({ key }) => key)
}

const encode = (query: Readonly<Record<string, string>>) => new URLSearchParams(query).toString()

onEachMount((fixture) => {
  const keysOf = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const caller = await fixture.live(plenty)
    return (await listAll(fixture, caller, `/rates?${encode(query)}`)).map(({ sourceKey }) => sourceKey)
  }

  const getGroup = async (): Promise<string> => {
    const [row] = await fixture.sql<{ group: string }>(
      `SELECT licence_group AS group FROM provider WHERE dataset = 'live' AND active GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
    )
    return row?.group ?? ''
  }

  verifies('rates/filters', async () => {
    const group = await getGroup()
    const cases: [Record<string, string>, string][] = [
      [{ minRate: '4.5' }, 'p.rate_bp >= 450'],
      [{ minRate: '3.33', maxRate: '3.40' }, 'p.rate_bp BETWEEN 333 AND 340'],
      [{ minTermMonths: '24' }, 'p.term_months >= 24'],
      [{ minTermMonths: '9', maxTermMonths: '12', type: 'fixed-rate' }, `p.term_months BETWEEN 9 AND 12 AND p.account_type = 'fixed-rate'`],
      [{ maxNoticeDays: '60' }, 'p.notice_days <= 60'],
      [{ access: 'UP TO 3', minRate: '2' }, `p.access ILIKE '%up to 3%' AND p.rate_bp >= 200`],
      [{ interestPaid: 'at-maturity' }, `p.interest_paid = 'At maturity'`],
      [{ newCustomersOnly: 'true' }, 'p.new_customers_only'],
      [{ newCustomersOnly: 'false', type: 'notice' }, `NOT p.new_customers_only AND p.account_type = 'notice'`],
      [{ fscsGroup: group }, `v.licence_group = '${group}'`],
      [{ minBalance: '1', minRate: '4' }, 'p.min_balance_pence <= 100 AND p.rate_bp >= 400'],
      [
        { amount: '90000', interestPaid: 'monthly', maxTermMonths: '12' },
        `p.min_balance_pence <= 9000000 AND (p.max_balance_pence IS NULL OR p.max_balance_pence >= 9000000) AND p.interest_paid = 'Monthly' AND p.term_months <= 12`,
      ],
    ]
    for (const [query, where] of cases) {
      const keys = await keysOf(query)
      expect([query, keys]).toEqual([query, await storedKeys(fixture, where)])
      expect([query, keys.length > 0]).toEqual([query, true])
    }
  })

  verifies('rates/filters-explained', async () => {
    const { key } = await fixture.live()
    const query = encode({
      minRate: '3',
      maxRate: '4.6',
      maxTermMonths: '12',
      interestPaid: 'annually',
      newCustomersOnly: 'false',
      minBalance: '5000',
      amount: '6000',
    })
    const rows = (await fixture.get(`/rates?${query}&limit=5`, key)).body.data as (Row & { rate: string })[]
    expect(rows.length).toBe(5)
    for (const { rate, matchReasons } of rows) {
      expect(matchReasons[0]).toMatch(
        /^Ranks (?:joint )?\d+(?:st|nd|rd|th) by rate of \d+ savings accounts that accept £6,000\.00 and match the other filters$/,
      )
      expect(matchReasons).toEqual(
        expect.arrayContaining([`Rate ${rate}%: from 3.00% to 4.60%`, 'Interest paid: Annually', 'Open to new and existing customers']),
      )
      expect(matchReasons.join('\n')).toMatch(/^Term: \d+ months$/m)
      expect(matchReasons.join('\n')).toMatch(/^Minimum balance: £[\d,.]+$/m)
    }
  })

  verifies('rates/filter-errors', async () => {
    const { key, account } = await fixture.live()
    const tooMany = Array.from({ length: 51 }, (_, at) => `key-${at}`).join(',')
    const cases: [string, RegExp][] = [
      ['minRate=high', /^"minRate" must be a percentage from 0 to 100 /],
      ['minRate=5&maxRate=4', /^"minRate" is higher than "maxRate"\. Swap/],
      ['minTermMonths=13&maxTermMonths=12', /^"minTermMonths" is higher than "maxTermMonths"\. /],
      ['maxNoticeDays=0', /^"maxNoticeDays" must be a whole number from 1 to 3650\.$/],
      ['interestPaid=Monthly', /^"Monthly" is not a valid "interestPaid"\. Did you mean "monthly"\? /],
      ['newCustomersOnly=yes', /"newCustomersOnly"/],
      ['fscsGroup=nobody', /^There is no FSCS group "nobody"\..* See licenceGroup in \/providers\.$/],
      ['minBalance=-1', /^"minBalance" must be an amount in pounds /],
      ['q=%21%3F', /^"q" must be 1 to 100 characters, with at least one letter or digit\.$/],
      [`sourceKey=${tooMany}`, /^"sourceKey" must be 1 to 50 keys separated by commas\. Request further keys in another call\.$/],
      ['sourceKey=a,,b', /^"sourceKey" must be /],
      // Lists are cached by their conditions, so a key that looks like two conditions must not match another list.
      ['sourceKey=a,b%0Aname0%20foo', /^"sourceKey" must be /],
      ['sort=best', /^"best" is not a valid "sort"\..* Valid values: -rate, rate, provider, updatedAt, -updatedAt, minBalance, -minBalance\.$/],
    ]
    for (const [query, message] of cases) {
      const answer = await fixture.get(`/rates?${query}`, key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toMatch(message)
    }
    expect(await fixture.balance(account)).toBe(100)
  })

  verifies('rates/search', async () => {
    const [provider] = await fixture.sql<{ name: string }>(
      `SELECT name FROM provider WHERE dataset = 'live' AND active AND length(split_part(name, ' ', 1)) > 7 ORDER BY name LIMIT 1`,
    )
    const [word = ''] = (provider?.name ?? '').split(' ')
    const wanted = await storedKeys(fixture, `(p.account_name || ' ' || v.name) ~* '\\m${word}'`)
    expect(wanted.length).toBeGreaterThan(0)
    const typo = `${word.slice(0, 3)}${word.slice(4)}`
    for (const q of [word, word.toUpperCase(), word.slice(0, -2), typo]) expect([q, await keysOf({ q })]).toEqual([q, wanted])
    const both = await storedKeys(fixture, `(p.account_name || ' ' || v.name) ~* '\\m${word}' AND (p.account_name || ' ' || v.name) ~* '\\maccess'`)
    expect(await keysOf({ q: `acess ${typo}` })).toEqual(both)
    expect(await keysOf({ q: 'zzzzzzzzzz' })).toEqual([])
  })

  verifies('rates/batch', async () => {
    const { key, account } = await fixture.live({ credits: 60 })
    const some = (await storedKeys(fixture, 'true', 'p.source_key COLLATE "C"')).filter((_, at) => at % 37 === 0).slice(0, 30)
    const batch = [...some, 'none', some[0]].join(',')
    const { status, body } = await fixture.get(`/rates?limit=50&sourceKey=${batch}`, key)
    expect([status, body.meta.creditsCharged, body.meta.nextCursor]).toEqual([200, 30, null])
    const inOrder = await storedKeys(fixture, `p.source_key IN (${some.map((one) => `'${one}'`).join()})`)
    expect(body.data.map(({ sourceKey }: Row) => sourceKey)).toEqual(inOrder)
    const nothing = await fixture.get('/rates?sourceKey=none,nobody', key)
    expect([nothing.status, nothing.body.data, nothing.body.meta.creditsCharged]).toEqual([200, [], 0])
    expect(await fixture.balance(account)).toBe(30)
  })

  verifies(['rates/sort', 'rates/sort-cursors'], async () => {
    const orders: [string, string][] = [
      ['-rate', 'p.rate_bp DESC'],
      ['rate', 'p.rate_bp'],
      ['updatedAt', 'p.updated_at'],
      ['-updatedAt', 'p.updated_at DESC'],
      ['minBalance', 'p.min_balance_pence'],
      ['-minBalance', 'p.min_balance_pence DESC'],
    ]
    for (const [sort, order] of orders) {
      for (const [query, where] of [[{ type: 'notice' }, `p.account_type = 'notice'`] as const, [{ minRate: '4.4' }, 'p.rate_bp >= 440'] as const])
        expect([sort, await keysOf({ ...query, sort })]).toEqual([sort, await storedKeys(fixture, where, order)])
    }
    expect(await keysOf({ type: 'notice', sort: '-rate' })).toEqual(await keysOf({ type: 'notice' }))
    const names = await fixture.sql<{ name: string; slug: string }>(`SELECT name, slug FROM provider WHERE dataset = 'live' AND active`)
    const rows = (await listAll(fixture, await fixture.live(plenty), '/rates?type=notice&sort=provider&fields=provider,sourceKey')) as unknown as Row[]
    const shown = rows.map(({ provider }) => provider)
    expect(shown).toEqual(shown.toSorted(new Intl.Collator('en-GB').compare))
    expect(new Set(shown).size).toBeLessThanOrEqual(names.length)
    expect(rows.map(({ sourceKey }) => sourceKey).toSorted()).toEqual((await keysOf({ type: 'notice' })).toSorted())
  })

  verifies('rates/sort-cursors', 'rejects a cursor with a different order or filter', async () => {
    const { key } = await fixture.live()
    const page: ApiAnswer = await fixture.get('/rates?type=notice&sort=minBalance&minRate=1&limit=1', key)
    const { nextCursor } = page.body.meta
    expect((await fixture.get(`/rates?type=notice&sort=minBalance&minRate=1&limit=1&cursor=${nextCursor}`, key)).status).toBe(200)
    for (const query of ['sort=minBalance', 'sort=-minBalance&minRate=1', 'minRate=1', 'sort=minBalance&minRate=1.01'])
      expectError(await fixture.get(`/rates?type=notice&${query}&limit=1&cursor=${nextCursor}`, key), 400, 'invalid_request')
  })

  verifies('rates/search', 'shares the cached page and the cursor between queries with the same words and phrases', async () => {
    const { key } = await fixture.live({ credits: 100 })
    const first = await fixture.get(`/rates?${encode({ q: 'Saver fixed', access: 'No  Withdrawals', limit: '1' })}`, key)
    const query = encode({ q: ' fixed, SAVER fixed', access: 'no withdrawals ', limit: '1' })
    const second = await fixture.get(`/rates?${query}`, key)
    expect(first.body.data).toHaveLength(1)
    expect([second.headers.get('x-svc-cache'), second.body.data, second.body.meta.nextCursor]).toEqual(['hit', first.body.data, first.body.meta.nextCursor])
    expect((await fixture.get(`/rates?${query}&cursor=${first.body.meta.nextCursor}`, key)).status).toBe(200)
  })

  verifies('rates/sort-during-imports', async () => {
    const caller = await fixture.live(plenty)
    const ours = (index: number) => `balance-${fixture.mount}-${index}`
    for (let index = 0; index < 6; index++) await list(fixture, ours(index), '1.00')
    const set = async (index: number, terms: object) => {
      await importFeed(fixture.pool, await productFeed(fixture, ours(index), '1.00', 'notice', terms))
    }
    const path = `/rates?q=balance%20${fixture.mount}&sort=minBalance`
    const before = (await listAll(fixture, caller, path)).map(({ sourceKey }) => sourceKey)
    const during = await listAll(fixture, caller, path, 1, (page) => set(page % 6, { minBalance: page % 2 ? '900.00' : '0.50' }))
    expect(during.map(({ sourceKey }) => sourceKey)).toEqual(before)
    expect(before.length).toBe(6)
    const providers = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND active ORDER BY slug LIMIT 6`)
    const move = (index: number, to: number) => set(index, { providerSlug: providers[to]?.slug })
    for (let index = 0; index < 6; index++) await move(index, index)
    const byProvider = path.replace('minBalance', 'provider')
    const atFirst = (await listAll(fixture, caller, byProvider)).map(({ sourceKey }) => sourceKey)
    const whileMoving = await listAll(fixture, caller, byProvider, 1, (page) => move((page + 3) % 6, page % 2 ? 0 : 5))
    expect(whileMoving.map(({ sourceKey }) => sourceKey)).toEqual(atFirst)
    expect(atFirst.length).toBe(6)
  })

  verifies('reference/products-filters', async () => {
    const { key } = await fixture.live({ credits: 10 })
    const cases: [Record<string, string>, string][] = [
      [{ maxTermMonths: '6' }, 'p.term_months <= 6'],
      [{ maxNoticeDays: '35', newCustomersOnly: 'false' }, 'p.notice_days <= 35 AND NOT p.new_customers_only'],
      [{ q: 'lifetime' }, `p.account_name ~* '\\mlifetime'`],
      [{ fscsGroup: await getGroup(), interestPaid: 'monthly' }, `v.licence_group = '${await getGroup()}' AND p.interest_paid = 'Monthly'`],
    ]
    for (const [query, where] of cases) {
      const { body } = await fixture.get(`/reference/products?${encode(query)}`, key)
      const stored = await storedKeys(fixture, where, 'p.source_key COLLATE "C"')
      expect([query, body.data.map(({ sourceKey }: Row) => sourceKey), body.meta.creditsCharged]).toEqual([query, stored, 1])
    }
    for (const query of ['minRate=4', 'sort=rate', 'sourceKey=a']) expectError(await fixture.get(`/reference/products?${query}`, key), 400, 'invalid_request')
  })
})
