import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { cites, verifies } from '../requirements/verifies.ts'
import { type Caller, onEachMount } from '../v1/support/fixture.ts'
import { type Dataset, type Entry, getTarget, isLaunched } from '../v1/support/target.ts'
import { callTool, modernRequest, post, toolCall } from './support/ask.ts'
import { compare, compareNotes, openOwner } from './support/compare.ts'

// Calls every endpoint as a tool and over HTTP with the same key and arguments, and compares data and price.
cites('tools/same-endpoints', 'tools/same-key', 'tools/same-prices', 'tools/argument-names')

/** Removes the properties that depend on the time, the request or the balance. Everything else must be the same over MCP and HTTP. */
function withoutMoment(body: { data?: unknown; meta?: object; requestId?: string }) {
  const { requestId: _id, ...rest } = body
  const { requestId: _metaId, creditsBalance: _balance, generatedAt: _at, ...meta } = (body.meta ?? {}) as Record<string, unknown>
  return { ...rest, meta }
}

onEachMount((fixture) => {
  let owner: Caller
  let sample: Caller

  beforeAll(async () => {
    ;({ owner, sample } = await openOwner(fixture))
  })

  type Compared = Awaited<ReturnType<typeof compare>>

  /** Asserts that the tool result contains the HTTP body unchanged and that the response has the headers of the HTTP call. */
  function expectAlike({ http, tool }: Compared, isAboutCaller: boolean): void {
    for (const name of ['x-svc-credits-charged', 'x-svc-mode', 'x-svc-sample-data', 'x-ratelimit-limit', 'ratelimit-policy']) {
      expect([name, tool.answer.headers.get(name)]).toEqual([name, http.headers.get(name)])
    }
    expect(tool.answer.headers.get('etag')).toBeNull()
    expect(tool.answer.headers.get('x-svc-request-id')).toBe((tool.inside.meta ?? tool.inside).requestId)
    const more = http.status === 200 ? { structuredContent: tool.inside } : { isError: true }
    expect(tool.result).toEqual({ content: [{ type: 'text', text: tool.text }], ...more })
    if (isAboutCaller) expect(Object.keys(tool.inside.data)).toEqual(Object.keys(http.body.data))
    else expect(withoutMoment(tool.inside)).toEqual(withoutMoment(http.body))
  }

  describe.each(registry.map((entry) => [entry.tool, entry] as const))('%s', (_tool, entry) => {
    test.each(['sample', 'live'] as const)('has the same data, price and log row as the HTTP call with a %s key', async (dataset: Dataset) => {
      const caller = dataset === 'live' ? owner : sample
      const target = await getTarget(fixture, entry, dataset, entry.kind === 'list' && isLaunched(entry) ? 'limit=3' : '')
      const compared = await compare(fixture, entry, target, caller)
      expectAlike(compared, !entry.shared && compared.http.status === 200)
      const { meta } = compared.tool.inside
      if (meta) expect(meta.creditsBalance).toBe(await fixture.balance(caller.account))
    })
  })

  verifies('tools/tools-call', async () => {
    // `curl -d` sends a form Content-Type and Accept: */*.
    const bare = await post(fixture, toolCall('rates', { type: 'easy-access', limit: 2 }, 'my id'), owner.key, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([bare.status, bare.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(Object.keys(bare.body).toSorted()).toEqual(['id', 'jsonrpc', 'result'])
    expect([bare.body.jsonrpc, bare.body.id, bare.body.result.isError]).toEqual(['2.0', 'my id', undefined])
    expect(bare.body.result.structuredContent.data).toHaveLength(2)
    expect(bare.body.result.structuredContent.meta).toMatchObject({ limit: 2, creditsCharged: 2, sample: false })
  })

  verifies('tools/accept-header', async () => {
    const answer = await post(fixture, toolCall('ping'), owner.key, { accept: 'application/json, text/event-stream' })
    expect([answer.status, answer.body.result.structuredContent.data]).toEqual([200, { ok: true, mode: 'live', requestId: expect.any(String) }])
  })

  test('returns identical data in the 2026-07-28 envelope and in the older one', async () => {
    const { body, headers } = modernRequest('tools/call', { name: 'rates', arguments: { limit: 2 } }, 7)
    const answer = await post(fixture, body, owner.key, headers)
    const { tool } = await compare(fixture, registry.find(({ id }) => id === 'rates.list') as Entry, '/rates?limit=2', owner)
    expect([answer.status, answer.body.id, answer.body.result.resultType]).toEqual([200, 7, 'complete'])
    expect(withoutMoment(answer.body.result.structuredContent)).toEqual(withoutMoment(tool.inside))
    expect(JSON.parse(answer.body.result.content[0].text)).toEqual(answer.body.result.structuredContent)
    expect(answer.headers.get('x-svc-credits-charged')).toBe('2')
  })

  test('stores the same request parameters and message as over HTTP', async () => {
    expect(await compareNotes(fixture)).toBeGreaterThan(0)
  })

  describe('arguments', () => {
    const message = async (name: string, args: object) => {
      const { result, inside } = await callTool(fixture, owner.key, name, args)
      expect([result?.isError, inside?.error]).toEqual([true, 'invalid_request'])
      return inside.message
    }

    test('names the invalid argument in the error, as the REST API does for query parameters', async () => {
      expect(await message('rates', { typ: 'notice' })).toContain('Did you mean "type"?')
      expect(await message('rates', { type: 'notise' })).toContain('Did you mean "notice"?')
      expect(await message('rates', { type: ['notice', 'all'] })).toContain('"type" is given more than once')
      expect(await message('rates', { type: null })).toContain('"type" is empty')
      expect(await message('rates', { type: [] })).toContain('"type" is empty')
      expect(await message('rates', { type: { a: 1 } })).toContain('is not a valid "type"')
      expect(await message('rates', { limit: 0 })).toContain('"limit" must be a whole number')
      expect(await message('rates', { limit: 2.5 })).toContain('"limit" must be a whole number')
      expect(await message('rates', { limit: 1e-21 })).toContain('"limit" must be a whole number')
      expect(await message('rates', { amount: 0.1 + 0.2 })).toContain('"amount" must be an amount')
      expect(await message('rates', { fields: ['rate', 'nme'] })).toContain('"nme" is not a field')
      expect(await message('rates', { cursor: 'x' })).toContain('"cursor" does not belong to this query')
      expect(await message('rates_get', {})).toBe('"sourceKey" is missing.')
      expect(await message('rates_get', { sourceKey: '' })).toContain('"sourceKey"')
      expect(await message('rates_get', { sourceKey: 'x', slug: 'y' })).toBe('Unknown parameter "slug". Valid parameters: sourceKey.')
      expect(await message('rates_get', { sourcekey: 'x' })).toBe('Unknown parameter "sourcekey". Did you mean "sourceKey"? Valid parameters: sourceKey.')
      expect(await message('ping', { verbose: true })).toBe('Unknown parameter "verbose". This endpoint takes no parameters.')
    })

    test('accepts every argument as a string', async () => {
      const typed = await callTool(fixture, sample.key, 'rates', { amount: 20_000.5, limit: 3, fields: ['rate', 'sourceKey'] })
      const texts = await callTool(fixture, sample.key, 'rates', { amount: '20000.50', limit: '3', fields: 'rate,sourceKey' })
      expect(typed.result.structuredContent.data).toHaveLength(3)
      expect(texts.result.structuredContent.data).toEqual(typed.result.structuredContent.data)
      expect(Object.keys(typed.result.structuredContent.data[0])).toEqual(['rate', 'sourceKey'])
    })

    test.each([51, 1e15, 1e16, 1e21, Number.MAX_VALUE, '1000000000000000000000'])('reduces a limit of %d to 50', async (limit) => {
      expect((await callTool(fixture, owner.key, 'rates', { limit, fields: ['sourceKey'] })).inside.meta.limit).toBe(50)
    })

    test('returns at most 50 rows, with a cursor that works over MCP and HTTP', async () => {
      const first = await callTool(fixture, owner.key, 'rates', { limit: 500, fields: ['sourceKey'] })
      expect(first.inside.meta.limit).toBe(50)
      const second = await callTool(fixture, owner.key, 'rates', { cursor: first.inside.meta.nextCursor, limit: 2 })
      const byHttp = await fixture.get(`/rates?limit=2&cursor=${first.inside.meta.nextCursor}`, owner.key)
      expect(second.inside.data).toEqual(byHttp.body.data)
      expect(first.inside.data.map(({ sourceKey }: { sourceKey: string }) => sourceKey)).not.toContain(second.inside.data[0].sourceKey)
    })

    test('passes special characters in a product key unchanged to the endpoint', async () => {
      for (const sourceKey of ['a/b', '..', '%2F', '?x=1', 'ü€', '\ud800', '#']) {
        const { inside } = await callTool(fixture, owner.key, 'rates_get', { sourceKey })
        expect([inside.error, inside.message]).toEqual(['not_found', expect.stringMatching(/^There is no product ".+"\..* See \/reference\/products\.$/)])
        expect(inside.message).toContain(`"${sourceKey.toWellFormed()}"`)
      }
    })
  })
})
