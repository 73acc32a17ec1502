import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { portalPages } from '../../components/portal/portal-pages.ts'
import { switchWebhooks } from '../../server/webhooks/endpoints.ts'
import { portalStage } from '../portal/support/portal-stage.ts'
import { dataOf, type Visitor } from '../portal/support/visitor.ts'

/** What a first visit loads, in bytes after gzip. The files are those of the build; the page says which of them it loads at once. */
const stage = portalStage()

const kilobyte = 1_000
const root = join(import.meta.dirname, '../..')
const sizes = new Map<string, number>()

function sizeOf(address: string): number {
  const known = sizes.get(address)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join(root, address.replace(/^\/_next\//, '.next/').split('?')[0] ?? '')), { level: 9 }).length
  sizes.set(address, size)
  return size
}

async function firstLoad(path: string, visitor: Visitor = stage.visitor()): Promise<{ scripts: number; styles: number; fonts: string[] }> {
  const response = await visitor.send(path)
  expect([path, response.status]).toEqual([path, 200])
  const html = await response.text()
  // Old browsers alone load what is marked as no module.
  const tags = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag))
  const scripts = tags.flatMap((tag) => / src="([^"]+)"/.exec(tag)?.[1] ?? [])
  const styles = [...html.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)].flatMap(([tag]) => / href="([^"]+)"/.exec(tag)?.[1] ?? [])
  const fonts = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel=preload; as="font"/g)].flatMap(([, address]) => address ?? [])
  const sum = (addresses: readonly string[]) => [...new Set(addresses)].reduce((total, address) => total + sizeOf(address), 0)
  return { scripts: sum(scripts), styles: sum(styles), fonts: [...new Set(fonts)] }
}

const budgets: readonly { group: string; kilobytes: number; paths: readonly string[] }[] = [
  {
    group: 'public and auth',
    kilobytes: 150,
    paths: [
      '/',
      '/docs',
      '/docs/webhooks',
      '/docs/prices',
      '/docs/errors/not_found',
      '/docs/search?q=rates',
      '/changelog',
      '/licence/v2026-09',
      '/status',
      '/sign-in',
      '/sign-up',
      '/reset',
      '/reset/used',
      '/confirm/used',
    ],
  },
  { group: 'console and reference', kilobytes: 165, paths: ['/console', '/reference', '/reference/rates-list'] },
]

async function expectWithin(kilobytes: number, paths: readonly string[], visitor?: Visitor): Promise<void> {
  for (const path of paths) {
    const { scripts, styles } = await firstLoad(path, visitor)
    // An empty page of Next has well over this; less would mean that nothing was measured.
    expect(scripts, path).toBeGreaterThan(100 * kilobyte)
    expect(scripts / kilobyte, path).toBeLessThanOrEqual(kilobytes)
    expect(styles, path).toBeGreaterThan(2 * kilobyte)
    expect(styles / kilobyte, path).toBeLessThanOrEqual(18)
  }
}

test.each(budgets)('$group: at most $kilobytes kB of scripts and 18 kB of styles', ({ kilobytes, paths }) => expectWithin(kilobytes, paths))

test('portal, signed in: at most 220 kB of scripts and 18 kB of styles', async () => {
  const { visitor, email } = await stage.member()
  const typed = { mode: 'live', name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
  const { id } = dataOf(await visitor.call('keys.create', 'mutation', typed))
  await switchWebhooks(stage, email, true)
  const webhook = { url: 'https://example.com/webhooks', description: '', types: ['rate.changed'], providers: [], accountTypes: [], minChangeBp: null }
  const endpoint = `/portal/webhooks/${dataOf(await visitor.call('webhooks.create', 'mutation', webhook)).id}`
  const rooms = portalPages.map(({ href }) => href)
  await expectWithin(
    220,
    [...rooms, '/portal/welcome', '/portal/keys/new', `/portal/keys/${id}`, '/portal/licence', '/portal/webhooks/new', endpoint, `${endpoint}/edit`],
    visitor,
  )
})

test('one font is loaded ahead of the rest, from here', async () => {
  const { fonts } = await firstLoad('/docs')
  expect(fonts).toEqual([expect.stringMatching(/^\/_next\/static\/media\/.+\.woff2$/)])
})
