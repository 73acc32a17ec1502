import { expect, test } from 'vitest'
import { markShapes } from '#components/site/mark-shapes.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'

const fixture = portalFixture()

const read = async (path: string) => {
  const response = await fetch(`${fixture.origin}${path}`, { redirect: 'manual' })
  return { status: response.status, type: response.headers.get('content-type'), location: response.headers.get('location'), text: await response.text() }
}

test('robots.txt excludes the portal, and names the sitemap', async () => {
  const { status, text } = await read('/robots.txt')
  expect(status).toBe(200)
  expect(text).toContain('Disallow: /portal')
  expect(text).toContain(`Sitemap: ${fixture.origin}/sitemap.xml`)
})

test('the sitemap lists public pages that exist, and no fictional product', async () => {
  const { status, text } = await read('/sitemap.xml')
  expect(status).toBe(200)
  const urls = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url)
  expect(urls.length).toBeGreaterThan(50)
  expect(new Set(urls).size).toBe(urls.length)
  expect(urls.filter((url) => /^\/(?:portal|admin|products|providers)\b/.test(new URL(url).pathname))).toEqual([])
  for (const url of urls.filter((_, place) => place % 8 === 0)) expect([url, (await read(new URL(url).pathname)).status]).toEqual([url, 200])
})

test.each([
  ['/pricing', '/docs/prices'],
  ['/login', '/sign-in'],
  ['/signup', '/sign-up'],
  ['/dashboard', '/portal'],
  ['/docs/quickstart', '/docs'],
  ['/docs/mcp', '/docs/tools'],
  ['/favicon.ico', '/icon.svg'],
])('%s redirects to %s', async (path, target) => {
  const { status, location } = await read(path)
  expect([status, location]).toEqual([308, target])
})

test('pages have icons and an image for link previews', async () => {
  const { text } = await read('/')
  const icon = /<link rel="icon" href="([^"]+)"/.exec(text)?.[1] ?? ''
  const image = /<meta property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? ''
  const touch = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await read(icon)).type).toBe('image/svg+xml')
  expect((await read(touch)).type).toBe('image/png')
  expect(new URL(image).origin).toBe(fixture.origin)
  expect((await read(new URL(image).pathname)).type).toBe('image/png')
})

test('the icon has the same shapes as the logo on the pages', async () => {
  const { text } = await read('/icon.svg')
  const { corner, step, strokeWidth, dots } = markShapes
  expect(text).toContain(`rx="${corner}"`)
  expect(text).toContain(`d="${step}"`)
  expect(text).toContain(`stroke-width="${strokeWidth}"`)
  for (const { cx, cy, r } of dots) expect(text).toContain(`<circle cx="${cx}" cy="${cy}" r="${r}"`)
})
