import { expect, test } from 'vitest'
import { createLog } from '#server/observability/log.ts'
import { PublicPageCache, type PublicPageCacheDeps } from '#server/runtime/page-cache/public-page-cache.ts'
import type { PageRequest } from '#server/runtime/page-cache/public-pages.ts'
import type { RenderedPage } from '#server/runtime/page-cache/render-page.ts'

const settings = { publicUrl: 'http://localhost:3000', isDevelopment: false, providers: { google: null, oidc: null }, scripts: {} }

const pageRequest = (url: string): PageRequest => ({ key: url, url, theme: 'system', isThemed: true, scheme: 'http', host: 'localhost' })

const rendered = (text: string, more: Partial<RenderedPage> = {}): RenderedPage => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(`<p>${text}</p>`),
  nonce: 'a-nonce',
  ...more,
})

/** Cache whose pages show how often they have been rendered, and whose clock and content version the test sets. */
function openCache(more: Partial<PublicPageCacheDeps> = {}) {
  const state = { now: 0, version: '1', count: 0 }
  const render = async () => rendered(`Rendering ${++state.count}`)
  const deps = { render, version: () => state.version, settings, log: createLog('silent'), now: () => state.now, ...more }
  const cache = new PublicPageCache(deps)
  const find = (url = '/') => cache.find(pageRequest(url))?.bodies.identity.toString() ?? null
  const get = async (url = '/') => find(url) ?? (await cache.render(pageRequest(url))).bodies.identity.toString()
  return { state, cache, find, get }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

test('serves a page for ten seconds without rendering it again', async () => {
  const { state, get } = openCache()
  expect(await get()).toBe('<p>Rendering 1</p>')
  state.now = 9_999
  expect(await get()).toBe('<p>Rendering 1</p>')
  await settle()
  expect(state.count).toBe(1)
})

test('serves a page older than ten seconds while a new one is rendered', async () => {
  const { state, get } = openCache()
  await get()
  state.now = 10_000
  expect(await Promise.all([get(), get(), get()])).toEqual(Array(3).fill('<p>Rendering 1</p>'))
  await settle()
  expect([await get(), state.count]).toEqual(['<p>Rendering 2</p>', 2])
})

test('never serves a page that is older than 60 seconds', async () => {
  const { state, get } = openCache()
  await get()
  state.now = 60_001
  expect(await get()).toBe('<p>Rendering 2</p>')
})

test('never serves a page of an earlier content version', async () => {
  const { state, get } = openCache()
  await get()
  state.version = '2'
  expect(await get()).toBe('<p>Rendering 2</p>')
})

test('concurrent requests for a page share one rendering', async () => {
  const { state, get } = openCache()
  const pages = await Promise.all(Array.from({ length: 200 }, () => get()))
  expect([new Set(pages).size, state.count]).toEqual([1, 1])
})

test('does not share a rendering that began before the content changed, and does not store it', async () => {
  const waiting: (() => void)[] = []
  let count = 0
  const { state, get, find } = openCache({
    render: async () => {
      const text = `Rendering ${++count}`
      await new Promise<void>((resolve) => waiting.push(resolve))
      return rendered(text)
    },
  })
  const before = get()
  state.version = '2'
  const after = get()
  for (const end of waiting.toReversed()) end()
  expect(await Promise.all([before, after])).toEqual(['<p>Rendering 1</p>', '<p>Rendering 2</p>'])
  expect(find()).toBe('<p>Rendering 2</p>')
})

test('keeps serving a page whose refresh fails, up to 60 seconds, then reports the failure', async () => {
  const failures: unknown[] = []
  let isBroken = false
  const log = Object.assign(createLog('silent'), { error: (fields: unknown) => failures.push(fields) })
  const render = async () => (isBroken ? rendered('Broken', { status: 500 }) : rendered('Sound'))
  const { state, get } = openCache({ render, log })
  await get()
  isBroken = true
  state.now = 10_000
  expect(await get()).toBe('<p>Sound</p>')
  await settle()
  state.now = 59_000
  expect(await get()).toBe('<p>Sound</p>')
  await settle()
  expect(failures).toHaveLength(2)
  state.now = 60_001
  await expect(get()).rejects.toThrow('status 500')
  isBroken = false
  expect(await get()).toBe('<p>Sound</p>')
})

test('sends a 404 page without storing it, and removes a page that no longer exists', async () => {
  let status = 404
  const { cache, find, state } = openCache({ render: async () => rendered('Page', { status }) })
  const missing = await cache.render(pageRequest('/'))
  expect([missing.status, missing.headers['Cache-Control'], missing.headers['ETag'], find()]).toEqual([404, 'no-store', undefined, null])
  status = 200
  await cache.render(pageRequest('/'))
  expect(find()).toBe('<p>Page</p>')
  status = 404
  state.now = 10_000
  expect(find()).toBe('<p>Page</p>')
  await settle()
  expect(find()).toBeNull()
})

test('rejects pages that set a cookie, and redirects', async () => {
  const headers = { 'content-type': 'text/html', 'set-cookie': 'svc.session=secret' }
  await expect(openCache({ render: async () => rendered('Mine', { headers }) }).get()).rejects.toThrow('a cookie')
  await expect(openCache({ render: async () => rendered('', { status: 307 }) }).get()).rejects.toThrow('status 307')
})

test('drops the least recently used pages when the memory limit is reached', async () => {
  const { find, get } = openCache({ maxBytes: 3 * 4_200 })
  for (const url of ['/a', '/b', '/c']) await get(url)
  find('/a')
  await get('/d')
  expect(['/a', '/b', '/c', '/d'].map((url) => find(url) !== null)).toEqual([true, false, true, true])
})

test('compresses a page again only if it has changed', async () => {
  const text = 'Same text. '.repeat(500)
  const { cache, state } = openCache({ render: async () => rendered(text) })
  const first = await cache.render(pageRequest('/'))
  state.now = 10_000
  const second = await cache.render(pageRequest('/'))
  expect(first.bodies.br?.length).toBeLessThan(200)
  expect(second.bodies).toBe(first.bodies)
})
