import { expect, test } from 'vitest'
import { portalFixture } from './support/portal-for-file.ts'

const fixture = portalFixture()

const publicPages = [
  '/',
  '/docs',
  '/docs/prices',
  '/reference',
  '/reference/rates-list',
  '/changelog',
  '/licence',
  '/status',
  '/terms',
  '/help',
  '/no-such-page',
]

/** Returns the account links in the header of a page. */
const accountLinks = (html: string): string[] => [
  ...new Set([...html.slice(html.indexOf('<header'), html.indexOf('</header>')).matchAll(/href="\/(sign-in|sign-up|portal)"/g)].map(([, link = '']) => link)),
]

test('public pages link to sign-in; for signed-in users, the browser replaces these links', async () => {
  const { visitor } = await fixture.member()
  for (const path of publicPages)
    for (const one of [visitor, fixture.visitor()]) expect([path, accountLinks((await one.open(path)).html)]).toEqual([path, ['sign-in', 'sign-up']])
  // On this page, the link is in the form, not in the header.
  for (const one of [visitor, fixture.visitor()]) {
    const { html } = await one.open('/reset')
    expect([accountLinks(html), html.slice(html.indexOf('<main')).includes('href="/sign-in"')]).toEqual([[], true])
  }
})

test("public pages don't look up the session", async () => {
  const { visitor, id } = await fixture.member()
  await fixture.sql("UPDATE portal_session SET seen_at = now() - interval '1 day' WHERE account_id = $1", [id])
  for (const path of ['/docs', '/status', '/no-such-page']) await visitor.open(path)
  expect(await fixture.sql("SELECT 1 FROM portal_session WHERE account_id = $1 AND seen_at > now() - interval '1 hour'", [id])).toEqual([])
})

test('links 404 pages to the nearest section', async () => {
  const [member, admin] = [await fixture.member(), await fixture.administrator()]
  const getLink = async (visitor: typeof member.visitor, path: string) => {
    const { status, html } = await visitor.open(path)
    return [status, /<a class="prose-link[^>]*href="([^"]+)"/.exec(html.slice(html.indexOf('<main')))?.[1]]
  }
  expect(await getLink(member.visitor, '/portal/no-such-page')).toEqual([404, '/portal'])
  expect(await getLink(admin.visitor, '/admin/no-such-page')).toEqual([404, '/admin'])
  expect(await getLink(member.visitor, '/admin/no-such-page')).toEqual([404, '/'])
  expect(await getLink(member.visitor, '/no-such-page')).toEqual([404, '/'])
})
