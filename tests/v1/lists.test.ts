import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { configChanged, marketChanged } from './support/operator.ts'

const getKeys = (data: { sourceKey: string }[]) => data.map((row) => row.sourceKey)

onEachMount((fixture) => {
  verifies('lists/limit-sets-page-size', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    for (const limit of [1, 2, 37, 50]) {
      const { body } = await fixture.get(`/rates?limit=${limit}`, key)
      expect([body.data.length, body.meta.limit]).toEqual([limit, limit])
    }
    const few = await fixture.get('/rates?type=lifetime-isa&limit=50', key)
    expect([few.body.data.length, few.body.meta.limit]).toEqual([30, 50])
  })

  verifies(['lists/limit-clamped-at-50', 'lists/limit-clamped-shown'], async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    for (const limit of ['51', '100', '5000', '999999999999999', '1000000000000000', '9'.repeat(400), '00051']) {
      const { status, body } = await fixture.get(`/rates?limit=${limit}`, key)
      expect([status, body.data.length, body.meta.limit, body.meta.creditsCharged]).toEqual([200, 50, 50, 50])
    }
  })

  verifies('decision/default-page-size-10', async () => {
    const { key } = await fixture.live()
    const { body } = await fixture.get('/rates', key)
    expect([body.data.length, body.meta.limit, body.meta.creditsCharged]).toEqual([10, 10, 10])
    const test = await fixture.test()
    expect((await fixture.get('/rates', test.key)).body.data).toHaveLength(10)
  })

  verifies('request/limit-below-1-400', async () => {
    const { key } = await fixture.live()
    for (const limit of ['0', '-1', '-50', '00']) expectError(await fixture.get(`/rates?limit=${limit}`, key), 400, 'invalid_request')
  })

  verifies('request/limit-not-integer-400', async () => {
    const { key } = await fixture.live()
    for (const limit of ['1.5', '1e1', '0x10', 'ten', '%2010', '10%20', '+5', '5,5', '١', `${'9'.repeat(30)}.5`]) {
      const answer = await fixture.get(`/rates?limit=${limit}`, key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toContain('"limit"')
    }
  })

  verifies('lists/cursor-continues', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const whole = getKeys((await fixture.get('/rates?limit=30', key)).body.data)
    const first = (await fixture.get('/rates?limit=10', key)).body
    const second = (await fixture.get(`/rates?limit=10&cursor=${first.meta.nextCursor}`, key)).body
    const third = (await fixture.get(`/rates?limit=10&cursor=${second.meta.nextCursor}`, key)).body
    expect([...getKeys(first.data), ...getKeys(second.data), ...getKeys(third.data)]).toEqual(whole)
    expect(new Set(whole).size).toBe(30)
  })

  verifies('lists/cursor-continues', 'a cursor continues from the same place when the rows around it change', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const before = getKeys((await fixture.get('/rates?type=junior-isa&limit=45', key)).body.data)
    const first = (await fixture.get('/rates?type=junior-isa&limit=10', key)).body
    await fixture.sql(`UPDATE product SET withdrawn_at = now() WHERE dataset = 'live' AND source_key = ANY ($1)`, [[before[2], before[9], before[11]]])
    await marketChanged(fixture)
    try {
      const second = await fixture.get(`/rates?type=junior-isa&limit=50&cursor=${first.meta.nextCursor}`, key)
      expect(getKeys(second.body.data)).toEqual(before.slice(10).filter((one) => one !== before[11]))
    } finally {
      await fixture.sql(`UPDATE product SET withdrawn_at = NULL WHERE dataset = 'live' AND source_key = ANY ($1)`, [before])
      await marketChanged(fixture)
    }
  })

  verifies('lists/cursor-null-ends', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { data: { sourceKey: string }[]; meta: { nextCursor: string | null } } } = await fixture.get(
        `/rates?type=notice&limit=25${cursor && `&cursor=${cursor}`}`,
        key,
      )
      seen.push(...getKeys(body.data))
      cursor = body.meta.nextCursor
    }
    const stored = await fixture.sql<{ source_key: string }>(
      `SELECT source_key FROM product WHERE dataset = 'live' AND account_type = 'notice' ORDER BY rate_bp DESC, source_key COLLATE "C"`,
    )
    expect(stored.length).toBeGreaterThan(100)
    expect(seen).toEqual(stored.map((row) => row.source_key))
  })

  verifies('lists/cursor-mangled-400', async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    const { nextCursor } = (await fixture.get('/rates', key)).body.meta
    const mangled = [
      nextCursor.slice(1),
      nextCursor.slice(0, -1),
      `${nextCursor}A`,
      `A${nextCursor}`,
      `${nextCursor}%3D`,
      `%20${nextCursor}`,
      nextCursor.toUpperCase(),
      'x',
      'null',
      '0',
    ]
    for (const cursor of mangled) {
      const answer = await fixture.get(`/rates?cursor=${cursor}`, key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toContain('"cursor"')
    }
    expect(await fixture.balance(account)).toBe(990)
  })

  verifies('request/cursor-signed', async () => {
    const { key } = await fixture.live()
    const { nextCursor } = (await fixture.get('/rates?limit=1', key)).body.meta
    const bytes = Buffer.from(nextCursor, 'base64url')
    const end = bytes.subarray(12).toString()
    for (const forged of [end.replace(/^\d+/, '0'), `${end}x`, '5.00 a', '']) {
      const cursor = Buffer.concat([bytes.subarray(0, 12), Buffer.from(forged)]).toString('base64url')
      expectError(await fixture.get(`/rates?cursor=${cursor}`, key), 400, 'invalid_request')
    }
  })

  verifies('lists/cursor-other-query-400', async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const [provider] = await fixture.sql<{ slug: string }>(
      `SELECT provider_slug AS slug FROM product WHERE dataset = 'live' GROUP BY 1 HAVING count(*) > 5 LIMIT 1`,
    )
    const { nextCursor } = (await fixture.get('/rates?type=easy-access&limit=5', key)).body.meta
    for (const query of ['', 'type=notice', 'type=all', 'type=easy-access&amount=100', `type=easy-access&provider=${provider?.slug}`]) {
      expectError(await fixture.get(`/rates?${query}&cursor=${nextCursor}`, key), 400, 'invalid_request')
    }
    expect((await fixture.get(`/rates?cursor=${nextCursor}&type=easy-access`, key)).status).toBe(200)
    const byAmount = (await fixture.get('/rates?amount=100&limit=5', key)).body.meta.nextCursor
    expectError(await fixture.get(`/rates?amount=101&limit=5&cursor=${byAmount}`, key), 400, 'invalid_request')
    expect((await fixture.get(`/rates?amount=100.00&limit=5&cursor=${byAmount}`, key)).status).toBe(200)
  })

  verifies('request/cursor-bound-to-path', async () => {
    const { key } = await fixture.live()
    const { nextCursor } = (await fixture.get('/rates', key)).body.meta
    for (const path of ['/reference/products', '/reference/providers', `/rates/${await fixture.productKey()}`]) {
      expectError(await fixture.get(`${path}?cursor=${nextCursor}`, key), 400, 'invalid_request')
    }
  })

  verifies('request/cursor-bound-to-mode', async () => {
    const { key, account } = await fixture.live()
    const test = await fixture.getKey(account, { mode: 'test' })
    const live = (await fixture.get('/rates', key)).body.meta.nextCursor
    const sample = (await fixture.get('/rates', test.key)).body.meta.nextCursor
    expectError(await fixture.get(`/rates?cursor=${live}`, test.key), 400, 'invalid_request')
    expectError(await fixture.get(`/rates?cursor=${sample}`, key), 400, 'invalid_request')
    // Each cursor works in its mode, even after a rejection in the other mode.
    expect((await fixture.get(`/rates?cursor=${live}`, key)).status).toBe(200)
    expect((await fixture.get(`/rates?cursor=${sample}`, test.key)).status).toBe(200)
  })

  verifies(['request/cursor-not-bound-to-limit', 'request/cursor-not-bound-to-fields'], async () => {
    const { key } = await fixture.live({ credits: 1_000 })
    const whole = getKeys((await fixture.get('/rates?limit=20', key)).body.data)
    const { nextCursor } = (await fixture.get('/rates?limit=5&fields=provider', key)).body.meta
    const next = await fixture.get(`/rates?limit=7&fields=sourceKey,rate&cursor=${nextCursor}`, key)
    expect(getKeys(next.body.data)).toEqual(whole.slice(5, 12))
    expect(Object.keys(next.body.data[0])).toEqual(['sourceKey', 'rate'])
  })

  verifies('lists/fields-trim', async () => {
    const { key } = await fixture.live()
    const full = (await fixture.get('/rates?limit=3', key)).body.data
    const trimmed = await fixture.get('/rates?limit=3&fields=rate,sourceKey', key)
    expect(trimmed.body.data).toEqual(full.map((row: { rate: string; sourceKey: string }) => ({ rate: row.rate, sourceKey: row.sourceKey })))
    expect(trimmed.body.meta.creditsCharged).toBe(3)
    for (const fields of ['rate,%20sourceKey', 'rate,rate,sourceKey', '%20rate%20,sourceKey']) {
      expect(Object.keys((await fixture.get(`/rates?limit=1&fields=${fields}`, key)).body.data[0]).toSorted()).toEqual(['rate', 'sourceKey'])
    }
  })

  verifies(['lists/conditional-304', 'lists/conditional-304-no-body', 'charge/never-for-304'], async () => {
    const { key, account } = await fixture.live()
    for (const path of ['/rates?limit=4', `/rates/${await fixture.productKey()}`, '/reference/fscs']) {
      const first = await fixture.get(path, key)
      const before = await fixture.balance(account)
      const etag = first.headers.get('etag') ?? ''
      for (const header of [etag, etag.slice(2), `"other", ${etag}`, `${etag},W/"other"`]) {
        const again = await fixture.get(path, key, { 'if-none-match': header })
        expect([header, again.status, again.text, again.headers.get('etag')]).toEqual([header, 304, '', etag])
        expect(again.headers.get('x-svc-credits-charged')).toBe('0')
        expect(again.headers.get('x-svc-credits-balance')).toBe(String(before))
        expect(again.headers.get('x-svc-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
        expect(again.headers.get('x-ratelimit-limit')).toBe('600')
      }
      expect(await fixture.balance(account)).toBe(before)
    }
  })

  verifies('lists/conditional-changed-200', async () => {
    const { key } = await fixture.live()
    const product = await fixture.productKey()
    const first = await fixture.get(`/rates/${product}`, key)
    await fixture.sql(`UPDATE product SET account_name = 'Renamed Saver' WHERE dataset = 'live' AND source_key = $1`, [product])
    await marketChanged(fixture)
    const second = await fixture.get(`/rates/${product}`, key, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([second.status, second.body.data.accountName, second.body.meta.creditsCharged]).toEqual([200, 'Renamed Saver', 1])
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
    for (const header of ['"other"', 'W/"other"', 'other', '""']) {
      expect((await fixture.get(`/rates/${product}`, key, { 'if-none-match': header })).status, header).toBe(200)
    }
  })

  verifies('request/etag-ignores-request-facts', async () => {
    const one = await fixture.live({ credits: 500 })
    const other = await fixture.live({ credits: 90 })
    const first = await fixture.get('/rates?limit=6', one.key)
    await configChanged(fixture)
    const second = await fixture.get('/rates?limit=6', other.key)
    expect(second.body.meta.generatedAt).not.toBe(first.body.meta.generatedAt)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  verifies(['request/etag-differs-by-mode', 'request/etag-differs-by-plan', 'request/etag-differs-by-fields', 'request/etag-differs-by-limit'], async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    const hobby = await fixture.live({ plan: 'hobby', credits: 1_000 })
    const test = await fixture.getKey(account, { mode: 'test' })
    const etag = async (path: string, caller: string) => (await fixture.get(path, caller)).headers.get('etag')
    // Both modes return the same currencies, so only the mode can make the ETags differ.
    expect(await etag('/reference/currencies', key)).not.toBe(await etag('/reference/currencies', test.key))
    expect(await etag('/rates?limit=2', key)).not.toBe(await etag('/rates?limit=2', hobby.key))
    expect(await etag('/rates?limit=2&fields=rate', key)).not.toBe(await etag('/rates?limit=2', key))
    expect(await etag('/rates?limit=2&fields=rate', key)).not.toBe(await etag('/rates?limit=2&fields=baseRate', key))
    // Both limits return all rows on one page, so only the limit can make the ETags differ.
    expect(await etag('/rates?type=lifetime-isa&limit=40', key)).not.toBe(await etag('/rates?type=lifetime-isa&limit=41', key))
    expect(await etag('/rates?limit=51', key)).toBe(await etag('/rates?limit=50', key))
  })
})
