import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { feedKinds } from '#server/market/import/feed-kind.ts'
import { ownDatabase } from '../support/own-database.ts'
import { svcProgram } from '../support/programs.ts'
import { ndjson, product, provider } from './feeds.ts'
import { publisher, says } from './sources/publisher.ts'
import { sample, webPage } from './sources/samples.ts'

const database = ownDatabase()

type Said = { readonly code: number; readonly out: string; readonly err: string }

/** Generous timeout, because each test starts several processes. */
const unhurried = { timeout: 90_000 }

/** Runs a CLI command and returns its exit code and output. */
function run(args: string[], env: Record<string, string> = {}): Promise<Said> {
  return new Promise((resolve) => {
    const settings = { env: { ...process.env, DATABASE_URL: database.url, ...env }, maxBuffer: 16_000_000 }
    const child = execFile(process.execPath, [svcProgram, 'market', ...args], settings, (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }))
  })
}

type Schema = { description?: string; title?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; examples?: object[] }

/** Returns the paths of schema fields without a description, at any depth. */
function undescribed(schema: Schema, at: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description === undefined ? [`${at}.${name}`] : []),
    ...undescribed(field, `${at}.${name}`),
  ])
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [...own, ...inner.flatMap((part) => undescribed(part, at))]
}

test('prints the schema of each feed with every field described and valid examples', unhurried, async () => {
  const { code, out, err } = await run(['schema', '--json'])
  expect([code, err]).toEqual([0, ''])
  const schemas = JSON.parse(out) as Record<string, Schema>
  expect(Object.keys(schemas)).toEqual([...feedKinds])
  for (const [kind, schema] of Object.entries(schemas)) {
    expect(undescribed(schema, kind)).toEqual([])
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: expect.stringMatching(/^Record of an? /) })
    const fits = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
    expect(schema.examples?.length).toBeGreaterThan(0)
    for (const example of schema.examples ?? []) expect([kind, fits.safeParse(example).error]).toEqual([kind, undefined])
  }
})

test('prints the schema of one kind, and lists the kinds if it is unknown', unhurried, async () => {
  const { out } = await run(['schema', 'product'])
  const all = JSON.parse((await run(['schema', '--json'])).out)
  expect(JSON.parse(out)).toEqual(all.product)
  expect(out.split('\n').length).toBeGreaterThan(100)
  const wrong = await run(['schema', 'prices'])
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toContain('Must be one of provider, product, card')
})

test('refreshes the configured sources, reports each result, and fails if one failed', unhurried, async () => {
  const [bank, prices] = [await publisher(says(sample('boe-iadb-IUDBEDR.csv'))), await publisher(says(webPage))]
  const env = { MARKET_SOURCES: `boe-bank-rate=${bank.url},ons-cpi=${prices.url}` }
  const both = await run(['refresh'], env)
  expect(both.code).toBe(1)
  const lines = both.out.trim().split('\n')
  expect(lines).toEqual([
    expect.stringMatching(/^boe-bank-rate: 17 rows, \d+ new or changed\. As of 2026-10-06( \(stale\))?\.$/),
    expect.stringMatching(/^ons-cpi: failed\. The URL returned a web page instead of CSV\..* As of 2026-08-31/),
  ])
  const one = await run(['refresh', '--source', 'boe-bank-rate', '--json'], env)
  expect([one.code, JSON.parse(one.out)]).toEqual([
    0,
    { sources: [{ source: 'boe-bank-rate', outcome: 'read', values: 17, changed: 0, asOf: '2026-10-06', stale: expect.any(Boolean) }] },
  ])
})

test('fetches nothing without sources, and rejects an unknown source', unhurried, async () => {
  const none = await run(['refresh', '--json'], { MARKET_SOURCES: '' })
  expect([none.code, none.out]).toEqual([0, '{"sources":[]}\n'])
  expect((await run(['refresh'], { MARKET_SOURCES: '' })).out).toBe('MARKET_SOURCES is empty, so nothing was fetched. Pass --source.\n')
  const unknown = await run(['refresh', '--source', 'boe-bankrate'])
  expect([unknown.code, unknown.out]).toEqual([1, ''])
  expect(unknown.err).toContain('--source contains the unknown source "boe-bankrate". Did you mean "boe-bank-rate"?')
  expect((await run(['refresh', '--source', 'feed-product'])).err).toContain('--source needs a URL for feed-product')
})

test('reports a missing file and a feed without the expected rows before importing anything', unhurried, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-feeds-'))
  const [providers, products] = [join(folder, 'providers.ndjson'), join(folder, 'products.ndjson')]
  await writeFile(providers, ndjson(provider('count-bank')))
  const missing = await run(['import', providers, join(folder, 'cards.ndjson')])
  expect(missing.code).toBe(1)
  expect(missing.err).toMatch(/^File not found: \S+cards\.ndjson\. Paths are relative to \S+\. Nothing was imported\.$/m)
  const known = async () => (await database.pool.query("SELECT 1 FROM provider WHERE slug = 'count-bank'")).rowCount
  expect(await known()).toBe(0)
  const short = await run(['import', providers, '--expect', '2', '--partial'])
  expect([short.code, short.err]).toEqual([1, expect.stringContaining('the feed has 1 rows, expected 2')])
  expect((await run(['import', providers, '--require-count', '--partial'])).err).toContain('no line states the row count')
  expect(await known()).toBe(0)
  expect((await run(['import', providers, '--expect', '1', '--partial'])).code).toBe(0)
  expect(await known()).toBe(1)
  // Reports invalid lines and unknown providers in a single run.
  await writeFile(products, ndjson(product('a', { providerSlug: 'nobody' }), product('b', { providerSlug: 'count-bank', rate: 'high' })))
  const both = await run(['import', products, '--partial'])
  expect(both.err).toContain('2 invalid lines')
  expect(both.err).toContain('line 1: providerSlug is not a provider in the dataset: "nobody".')
  expect(both.err).toContain('line 2: rate ')
  await rm(folder, { recursive: true })
})
