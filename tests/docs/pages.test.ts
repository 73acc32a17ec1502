import { afterAll, beforeAll, expect, test } from 'vitest'
import { headingId } from '#components/docs/headings.ts'
import { errorCodes } from '#server/api/contract/errors.ts'
import { siteDocuments } from '#server/api/documents/site/site-documents.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { getTokens, readTexts } from './support/docs-text.ts'

const fixture = new Fixture('next')
let texts: Map<string, string>

/** `html` as received; `bare` without the contents of scripts. */
type Page = { readonly status: number; readonly type: string; readonly html: string; readonly bare: string; readonly ids: ReadonlySet<string> }

const pages = new Map<string, Page>()
/** Pages rendered from market data, one of each kind for live and for sample data, with their titles. */
let marketPages: { path: string; title: string }[] = []

beforeAll(async () => {
  await fixture.open()
  texts = await readTexts(fixture.service.origin)
  marketPages = await fixture.sql(
    `SELECT DISTINCT ON (p.dataset, kind) path, title FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug,
       LATERAL (VALUES ('product', '/products/' || p.source_key, p.account_name || ', ' || v.name), ('provider', '/providers/' || v.slug, v.name)) shown (kind, path, title)
     ORDER BY p.dataset, kind, path`,
  )
})
afterAll(() => fixture.close())
/** Strips the contents of `<script>` elements but keeps the tags. */
const withoutScripts = (html: string) => html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) => script.slice(0, script.indexOf('>') + 1))

const attributes = (bare: string, name: string) =>
  [...bare.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value.replaceAll('&amp;', '&'))

async function pageAt(path: string): Promise<Page> {
  const known = pages.get(path)
  if (known) return known
  const response = await fetch(fixture.service.origin + path, { redirect: 'manual' })
  const html = await response.text()
  const bare = withoutScripts(html)
  const page = { status: response.status, type: response.headers.get('content-type') ?? '', html, bare, ids: new Set(attributes(bare, 'id')) }
  pages.set(path, page)
  return page
}

const others = ['/', '/changelog', '/status', '/docs/search?q=rates', '/sign-in', '/sign-up']
const allPaths = () => [...siteDocuments, ...marketPages].map(({ path }) => path as string).concat(others)

test('every page exists, with one heading, a title and a language', async () => {
  expect(marketPages.map(({ path }) => path.split('/')[1])).toEqual(['products', 'providers', 'products', 'providers'])
  for (const { path, title } of [...siteDocuments, ...marketPages]) {
    const { status, html } = await pageAt(path)
    expect([path, status]).toEqual([path, 200])
    expect(html.match(/<h1\b/g), path).toHaveLength(1)
    expect(html, path).toContain('<html lang="en-GB"')
    expect(/<title>([^<]*)<\/title>/.exec(html)?.[1], path).toBe(`${title} – Savings Rates Data API`)
  }
}, 60_000)

test('every page of the documentation is available as Markdown', () => {
  for (const { path, title } of siteDocuments) expect(texts.get(path), path).toMatch(new RegExp(`^# ${title.replace(/[{}/.*]/g, '\\$&')}\n\n`))
})

/** Hosts that pages link to, but load nothing from. */
const outside = new Set(['www.rfc-editor.org'])

/** Returns true for the website of an invented provider, whose hostname nobody can register (RFC 2606). */
const isFictional = (hostname: string) => hostname.endsWith('.example')

/** Portal pages ask readers who aren't signed in to sign in first. */
const getExpectedStatus = (pathname: string): number => (pathname.startsWith('/portal/') ? 307 : 200)

async function followLink(path: string, href: string): Promise<void> {
  const url = new URL(href, `${fixture.service.origin}${path}`)
  if (url.origin !== fixture.service.origin) {
    const isProvider = /^\/(?:products|providers)\//.test(path) && isFictional(url.hostname)
    expect(isProvider || outside.has(url.hostname), `${path} leads to ${href}`).toBe(true)
    return
  }
  const target = await pageAt(url.pathname + url.search)
  expect(target.status, `${path} leads to ${href}`).toBe(getExpectedStatus(url.pathname))
  if (url.hash !== '') expect(target.ids.has(decodeURIComponent(url.hash.slice(1))), `${path} leads to ${href}`).toBe(true)
}

test('every link on every page has an existing target, including the fragment', async () => {
  for (const path of allPaths()) {
    const hrefs = attributes((await pageAt(path)).bare, 'href').filter((href) => !/^(?:data:|mailto:|\/_next\/)/.test(href))
    for (const href of new Set(hrefs)) await followLink(path, href)
  }
}, 120_000)

test('every link in every Markdown document has an existing target', async () => {
  for (const [path, text] of texts) {
    for (const token of getTokens(text)) {
      if (token.type !== 'link' || /^(?:https:\/\/www\.rfc-editor\.org\/|mailto:)/.test(token['href'])) continue
      const url = new URL(token['href'], fixture.service.origin)
      expect([path, token['href'], (await pageAt(url.pathname)).status]).toEqual([path, token['href'], getExpectedStatus(url.pathname)])
    }
  }
})

test('every section of a Markdown document exists on its page, with the same id', async () => {
  for (const [path, text] of texts) {
    const { ids } = await pageAt(path)
    const wanted = getTokens(text).flatMap((token) => (token.type === 'heading' && token['depth'] === 2 ? [headingId(token['text'])] : []))
    expect([path, wanted.filter((id) => !ids.has(id))]).toEqual([path, []])
  }
})

/** Returns every URL that the page loads without a user action. */
const loadedBy = (bare: string) => [
  ...attributes(bare, 'src'),
  ...attributes(bare, 'srcset'),
  ...[...bare.matchAll(/<link\b[^>]*rel="(?:stylesheet|preload|icon|modulepreload)"[^>]*>/g)].flatMap(([tag]) => attributes(tag, 'href')),
]

const ownAddress = /^(?:\/(?!\/)|data:)/

test('no page loads anything from another host', async () => {
  for (const path of allPaths()) {
    const loaded = loadedBy((await pageAt(path)).bare)
    expect(loaded.length, path).toBeGreaterThan(0)
    for (const address of loaded) expect(address, path).toMatch(ownAddress)
  }
})

test('the docs use only Markdown that pages render, and contain no placeholders', () => {
  const shown = ['space', 'paragraph', 'text', 'heading', 'list', 'list_item', 'table', 'blockquote', 'code', 'codespan', 'strong', 'em', 'link', 'escape']
  for (const [path, text] of texts) {
    for (const token of getTokens(text)) expect(shown, `${path}: ${token.raw}`).toContain(token.type)
    expect(text, path).not.toMatch(/\{\{|undefined|\[object|NaN/)
  }
})

test('the docs avoid words such as "please" and "invalid", and use British spelling', () => {
  for (const [path, text] of texts) {
    const words = text.replace(/`[^`]*`/g, '').replace(/invalid_\w+/g, '')
    expect(words, path).not.toMatch(/\b(?:subscription|invalid|oops|please|sorry|successfully|utili[sz]e|e-mail)\b/i)
    expect(words, path).not.toMatch(/\b(?:color|license|behavior|center|catalog)\b/)
  }
})

test('llms.txt lists every page as Markdown', async () => {
  const { status, type, html } = await pageAt('/llms.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  for (const { path } of siteDocuments) expect(html).toContain(`(${fixture.service.origin}${path}.md)`)
  expect(html).toMatch(/^# Savings Rates Data API\n\n> /)
})

test('every URL of this site in the documents, llms.txt and the feed exists', async () => {
  const named = new Set<string>()
  for (const source of [
    '/api/developer/openapi.json',
    '/api/developer/postman.json',
    '/api/developer/postman-environment.json',
    '/llms.txt',
    '/changelog.xml',
  ]) {
    const { text } = await fixture.raw('GET', source)
    const found = [...text.matchAll(/https?:\/\/(?:api\.example\.test|127\.0\.0\.1:\d+)(\/[^\s"'\\)<>`,]*)/g)].map(([, path = '']) => path)
    expect([source, found.length > 0]).toEqual([source, true])
    for (const path of found) named.add(path)
  }
  for (const path of named) {
    // Skips API calls and MCP, which need a key, and the portal, which needs an account.
    if (/^\/(?:v1|mcp|portal)\b/.test(path)) continue
    expect([path, (await pageAt(path)).status]).toEqual([path, 200])
  }
})

test('the Markdown URLs of pages without Markdown return 404', async () => {
  const nothing = ['/docs/nothing.md', '/portal.md', '/reference/rates.md', '/docs/errors.md.md']
  for (const path of [...nothing, ...marketPages.map((page) => `${page.path}.md`)]) expect((await fixture.raw('GET', path)).status, path).toBe(404)
  expect((await fixture.raw('GET', '/docs/../.env.md')).status).toBe(400)
  // The versioning guide names the pages without a Markdown version, and says that `.md` works for all others.
  const [, sentence = ''] =
    /`\.md` to its URL\.\s+The (.*), and product and provider pages have no Markdown version\./.exec(texts.get('/docs/versioning') ?? '') ?? []
  const named = [...sentence.matchAll(/\]\(\S*?(\/[^)/]*)\)/g)].map(([, path = '']) => path)
  expect(named.toSorted()).toEqual(others.filter((path) => !/sign-|search/.test(path)).toSorted())
  for (const path of named) expect((await fixture.raw('GET', `${path}.md`)).status, path).toBe(404)
})

verifies('published/page-per-error', async () => {
  const { key } = await fixture.live({ plan: 'hobby', credits: 0 }, { scopes: ['rates:read', 'history:read', 'market:read'] })
  const calls: readonly [string, string | null][] = [
    ['/rates', null],
    ['/rates', 'svc_test_nothing'],
    ['/rates', key],
    ['/providers', key],
    ['/history', key],
    ['/market/overview', key],
    ['/rates?tpye=notice', key],
    ['/nothing', key],
  ]
  const seen = new Set<string>()
  for (const [path, by] of calls) {
    const { body } = await fixture.get(path, by)
    const { pathname } = new URL(body.docs)
    const page = await pageAt(pathname)
    expect([page.status, pathname]).toEqual([200, `/docs/errors/${body.error}`])
    expect(page.html).toMatch(new RegExp(`<h1[^>]*>${body.error}</h1>`))
    seen.add(body.error)
  }
  expect([...seen].toSorted()).toEqual(
    [
      'endpoint_restricted',
      'insufficient_credits',
      'insufficient_scope',
      'invalid_api_key',
      'invalid_request',
      'missing_api_key',
      'not_found',
      'plan_upgrade_required',
    ].toSorted(),
  )
  for (const code of errorCodes) expect((await pageAt(`/docs/errors/${code}`)).html, code).toContain('Never charged.')
})

verifies('published/licence-version', async () => {
  const { html } = await pageAt('/licence/v2026-09')
  expect(html).toMatch(/<h1[^>]*>Data Licence v2026-09<\/h1>/)
  const headings = [...html.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(headings).toEqual(expect.arrayContaining(['1. What you may do', '2. Attribution', '3. Redistribution', '7. No warranty']))
  expect(html).toContain('Data: Savings Rates Data API, used under the Data Licence v2026-09')
  expect((await pageAt('/licence/v2020-01')).status).toBe(404)
})

test('the reference shows the cost, scope and availability of every endpoint', async () => {
  const { key } = await fixture.test()
  const listed = new Map<string, { cost: string; scope: string; availability: string }>()
  for (const row of (await fixture.get('/me', key)).body.data.endpoints) listed.set(`${row.method} ${row.path}`, row)
  const words: Record<string, string> = { open: 'Open', 'test-only': 'Test only', 'coming-soon': 'Coming soon' }
  for (const { id, method, path } of allEndpoints) {
    const text = texts.get(`/reference/${id.replaceAll('.', '-')}`) ?? ''
    const row = listed.get(`${method} ${path}`)
    expect(text, path).toContain(`| Cost | ${row?.cost}`)
    if (row?.scope !== 'any-key') expect(text, path).toContain(`| Scope | ${row?.scope} |`)
    expect(text, path).toMatch(new RegExp(`\\| Availability \\| ${words[row?.availability ?? '']}`))
  }
})

test('the pages reflect an availability change within seconds', async () => {
  const availability = async () =>
    /\| Availability \| ([^|]*) \|/.exec(await (await fetch(`${fixture.service.origin}/reference/market-overview.md`)).text())?.[1]
  expect(await availability()).toMatch(/^Test only: live keys get 403 and are not charged\./)
  await fixture.sql("INSERT INTO endpoint_override (endpoint_id, availability) VALUES ('market.overview', 'open')")
  await fixture.sql('UPDATE service_state SET version = version + 1')
  await expect.poll(availability, { timeout: 15_000, interval: 300 }).toMatch(/^Open to live and test keys\./)
})
