import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'

const portal = portalFixture()

/** Returns all portal paths without parameters, except the Stripe return page, which needs a payment id. */
function portalPaths(): string[] {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../.next/app-path-routes-manifest.json'), 'utf8')) as Record<string, string>
  const pages = Object.entries(manifest).filter(([file]) => file.endsWith('/page'))
  return pages.map(([, path]) => path).filter((path) => path.startsWith('/portal') && !path.includes('[') && path !== '/portal/billing/return')
}

test('every portal page requires sign-in, is not cached and has a sign-out button', async () => {
  const paths = portalPaths()
  expect(paths.length).toBeGreaterThan(8)
  const { visitor } = await portal.member()
  for (const path of paths) {
    const unauthenticated = await portal.visitor().open(path)
    expect([path, unauthenticated.path.startsWith('/sign-in')]).toEqual([path, true])
    const page = await visitor.open(path)
    expect([path, page.status]).toEqual([path, 200])
    expect([path, page.headers.get('cache-control')]).toEqual([path, expect.stringContaining('no-store')])
    expect([path, />Sign out</.test(page.html)]).toEqual([path, true])
  }
})
