import { expect, test, vi } from 'vitest'
import type { ConfigSnapshot } from '#server/api/pipeline/config-snapshot.ts'
import { PublishedDocuments, type ToPostman } from '#server/api/published-documents.ts'
import { clock } from '#server/clock.ts'
import { MarketView } from '#server/market/market-view.ts'

const settings = { publicUrl: 'https://api.example.test', deprecation: null, sunset: null }
const empty = new MarketView({ providers: [], products: [], cards: [] })

function getFacts(version: number): ConfigSnapshot {
  return { version, marketVersion: 1, overrides: new Map(), licence: 'v2026-09', market: { version: 1, dataset: () => empty } } as unknown as ConfigSnapshot
}

function documents(toPostman: ToPostman, facts = () => getFacts(1)) {
  const errors: object[] = []
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: (details: object) => errors.push(details), fatal: vi.fn() }
  return { errors, documents: new PublishedDocuments(settings, facts, toPostman, log as never) }
}

test('without sample data, builds the document without the example responses', async () => {
  const { documents: served } = documents(async () => '{}')
  const { status, body } = await served.answer('openapi', 'GET', null)
  const { paths } = JSON.parse(String(body))
  expect(status).toBe(200)
  expect(paths['/rates'].get.responses['200'].content['application/json']).not.toHaveProperty('examples')
  expect(paths['/reference/currencies'].get.responses['200'].content['application/json']).toHaveProperty('examples')
})

test('builds a document once for concurrent requests, and rebuilds it only if its text would change', async () => {
  const toPostman = vi.fn(async (openApi: string) => `{"length":${openApi.length}}`)
  let version = 1
  const { documents: served } = documents(toPostman, () => getFacts(version))
  const both = await Promise.all([served.answer('postman', 'GET', null), served.answer('postman', 'GET', null)])
  expect(both[0]?.body).toBeInstanceOf(Buffer)
  expect(both[1]?.body).toBe(both[0]?.body)
  version = 2
  await served.answer('postman', 'GET', null)
  const now = vi.spyOn(clock, 'now').mockReturnValue(Date.now() + 61_000)
  await served.answer('postman', 'GET', null)
  now.mockRestore()
  expect(toPostman).toHaveBeenCalledTimes(1)
})

test('returns the standard 500 and logs the error if the collection cannot be built', async () => {
  const toPostman = vi.fn<ToPostman>().mockRejectedValueOnce(new Error('no thread')).mockResolvedValue('{}\n')
  const { documents: served, errors } = documents(toPostman)
  const failed = await served.answer('postman', 'GET', null)
  expect([failed.status, JSON.parse(String(failed.body))]).toEqual([
    500,
    {
      error: 'internal_error',
      message: expect.any(String),
      requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      docs: 'https://api.example.test/docs/errors/internal_error',
    },
  ])
  expect(failed.body).not.toContain('no thread')
  expect(errors).toMatchObject([{ err: { message: 'no thread' }, requestId: JSON.parse(String(failed.body)).requestId.slice('req_'.length) }])
  expect(await served.answer('postman', 'GET', null)).toMatchObject({ status: 200, body: Buffer.from('{}\n') })
})
