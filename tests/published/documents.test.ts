import { expect, test } from 'vitest'
import { postmanText } from '#server/api/documents/postman.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Fixture, onEachMount } from '../v1/support/fixture.ts'
import { configChanged } from '../v1/support/operator.ts'
import type { OpenApi } from './support/open-api.ts'
import { regenerate } from './support/regenerate.ts'

const openApi = '/api/developer/openapi.json'
const postman = '/api/developer/postman.json'
const environment = '/api/developer/postman-environment.json'

async function served(fixture: Fixture): Promise<OpenApi> {
  return (await fixture.raw('GET', openApi)).body
}

/** Formats from the OpenAPI Format Registry that generators support. */
const registeredFormats = new Set(['date', 'date-time', 'double', 'email', 'int32', 'int64', 'uri', 'uuid'])

type Node = { readonly [keyword: string]: unknown }

/** Returns every object in a document. */
function allNodes(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(allNodes)
  return Array.isArray(value) ? inside : [value as Node, ...inside]
}

/** Bumps the configuration version and makes a call, which makes the process reload the shared state. */
async function noticeChange(fixture: Fixture, key: string): Promise<void> {
  await configChanged(fixture)
  await fixture.get('/ping', key)
}

onEachMount((fixture) => {
  verifies('published/openapi', 'the served document matches the code', async () => {
    const answer = await fixture.raw('GET', openApi)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.body.openapi).toMatch(/^3\.1\.\d$/)
    expect(answer.body.servers).toMatchObject([{ url: 'https://api.example.test/v1' }])
    expect(answer.text).toBe(await regenerate(fixture))
    expect(answer.body.components.parameters.IfNoneMatch.description).toContain(
      '`*` matches any response from a free endpoint; endpoints that cost credits ignore it',
    )
  })

  verifies('published/openapi-for-generators', async () => {
    const nodes = allNodes(await served(fixture))
    const constants = nodes.filter((node) => node['const'] !== undefined)
    expect(constants.length).toBeGreaterThan(25)
    expect(constants.filter((node) => JSON.stringify(node['enum']) !== JSON.stringify([node['const']]))).toEqual([])
    const formats = nodes.flatMap(({ format }) => (typeof format === 'string' ? [format] : []))
    expect(formats.filter((format) => !registeredFormats.has(format))).toEqual([])
    const encoded = nodes.filter((node) => node['contentEncoding'] === 'base64')
    expect(encoded.map(({ type, pattern }) => [type, typeof pattern])).toEqual(encoded.map(() => ['string', 'string']))
    expect(encoded.length).toBeGreaterThan(1)
  })

  verifies('published/postman', 'the served collection is generated from the served document', async () => {
    const answer = await fixture.raw('GET', postman)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.body.info.schema).toContain('v2.1.0')
    expect(answer.text).toBe(await postmanText((await fixture.raw('GET', openApi)).text))
  })

  verifies('published/postman-environment', async () => {
    const { status, headers, body } = await fixture.raw('GET', environment)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect([body.name, body._postman_variable_scope]).toEqual(['Savings Rates Data API: test key', 'environment'])
    const collection = (await fixture.raw('GET', postman)).body
    const variables = new Set(collection.variable.map(({ key }: { key: string }) => key))
    expect(body.values.map(({ key, value, type }: Record<string, unknown>) => [key, value, type, variables.has(key)])).toEqual([
      ['baseUrl', 'https://api.example.test/v1', 'default', true],
      ['apiKey', '', 'secret', true],
      ['waitForLimit', 'true', 'default', true],
    ])
  })

  test.each([openApi, postman, environment])('%s is cacheable, has a stable ETag, and allows any origin', async (path) => {
    const first = await fixture.raw('GET', path)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{32}"$/)
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await fixture.raw('GET', path, { 'if-none-match': given })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    }
    expect((await fixture.raw('GET', path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test.each([openApi, postman, environment])('%s responds to HEAD without a body, and rejects write methods', async (path) => {
    const [get, head] = [await fixture.raw('GET', path), await fixture.raw('HEAD', path)]
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')])
    // Next sends chunked responses, without a Content-Length.
    if (fixture.mount === 'lean') expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await fixture.raw(method, path)
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
  })

  test('documents ignore the query and need no key', async () => {
    expect((await fixture.raw('GET', `${openApi}?v=2`)).status).toBe(200)
  })

  test('the OpenAPI document reflects availability overrides immediately', async () => {
    const { key } = await fixture.live()
    expect((await served(fixture)).paths['/switch-offers']?.['get']).toMatchObject({ 'x-svc-availability': 'open' })
    await fixture.sql(`INSERT INTO endpoint_override VALUES ('switch-offers', 'test-only')`)
    try {
      await noticeChange(fixture, key)
      const changed = (await served(fixture)).paths['/switch-offers']?.['get']
      expect(changed).toMatchObject({ 'x-svc-availability': 'test-only', description: expect.stringContaining('Open to test keys only for now') })
    } finally {
      await fixture.sql(`DELETE FROM endpoint_override`)
      await noticeChange(fixture, key)
    }
    expect((await served(fixture)).paths['/switch-offers']?.['get']).toMatchObject({ 'x-svc-availability': 'open' })
  })
})
