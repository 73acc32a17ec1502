/** Tests that only administrators can distinguish admin pages and procedures from unknown ones. */
import { expect, test } from 'vitest'
import { appRoutes } from '../../e2e/support/app-routes.ts'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, type Visitor } from '../portal/support/visitor.ts'
import { adminProcedures } from './support/admin-procedures.ts'

const fixture = portalFixture()

let others: Promise<Visitor[]> | undefined

/** Returns visitors without admin access: a signed-out one, a member, and a blocked administrator. */
const outsiders = (): Promise<Visitor[]> => {
  others ??= (async () => {
    const [member, blocked]: [Member, Member] = [await fixture.member(), await fixture.administrator()]
    await fixture.sql("UPDATE account SET state = 'blocked' WHERE id = $1", [blocked.id])
    return [fixture.visitor(), member.visitor, blocked.visitor]
  })()
  return others
}

test('finds at least two admin procedures and two admin pages to test', () => {
  expect(adminProcedures.length).toBeGreaterThan(1)
  expect(pages.length).toBeGreaterThan(1)
})

const never = 'admin.nothing.here'
const calls = (['query', 'mutation'] as const).flatMap((kind) => [undefined, { account: 'acc_0' }].map((input) => [kind, input] as const))

let unknown: Promise<{ status: number; body: unknown }[][]> | undefined

/** Returns an unknown procedure's responses to a signed-out visitor and to a member, for each kind of call. */
const unknownResponses = () => {
  unknown ??= outsiders().then((all) =>
    Promise.all(all.slice(0, 2).map((visitor) => Promise.all(calls.map(([kind, input]) => visitor.call(never, kind, input))))),
  )
  return unknown
}

test.each(adminProcedures)('$name responds like an unknown procedure to anyone except administrators', async ({ name }) => {
  const none = await unknownResponses()
  expect(none.flat().map(({ status }) => status)).toEqual(none.flat().map(() => 404))
  for (const [which, visitor] of (await outsiders()).slice(0, 2).entries()) {
    const real = await Promise.all(calls.map(([kind, input]) => visitor.call(name, kind, input)))
    expect(JSON.parse(JSON.stringify(real).replaceAll(name, never))).toEqual(none[which])
  }
})

let halfway: Promise<Member> | undefined

test.each(adminProcedures)('$name returns 403 without a second factor or for a blocked administrator', async ({ name, kind }) => {
  halfway ??= fixture.member({ isAdmin: true })
  expect((await (await halfway).visitor.call(name, kind, {})).status).toBe(403)
  expect((await (await outsiders())[2]?.call(name, kind, {}))?.status).toBe(403)
})

const pages = appRoutes
  .filter((route) => /^\/admin(?:\/|$)/.test(route) && !/\/(?:not-found|error)$/.test(route))
  .map((route) => route.replace(/\[[^/]+\]/g, 'x'))

/** Normalises a response: removes the script nonce, the date and random ids. */
async function plain(response: Response, elsewhere: string): Promise<unknown> {
  const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '-'
  const headers = [...response.headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value.replaceAll(nonce, 'NONCE')}`)
  const text = (await response.text()).replaceAll(nonce, 'NONCE').replaceAll(elsewhere, 'admin')
  // React adds a random id to each streamed response.
  const body = text.replace(/"[\w-]{21}[vm]"/g, '"ID"').split(/(?<=>)/)
  return { status: response.status, headers, body }
}

const asks: Record<string, { method?: string; headers: Record<string, string> }> = {
  'a page': { headers: {} },
  'a client-side navigation': { headers: { rsc: '1' } },
  'a prefetch': { headers: { rsc: '1', 'next-router-prefetch': '1' } },
  'a form': { method: 'POST', headers: {} },
  'a page with a forged internal header': { headers: { 'x-svc-peer': '127.0.0.1', 'x-svc-handed-on': 'open' } },
}

/** All combinations of pages and kinds of requests. The visitors alternate, so that each visitor makes every kind of request. */
const tries = pages.flatMap((path, at) => Object.keys(asks).map((ask, which) => ({ path, ask, who: (at + which) % 3 })))

test.each(tries)('$path responds like an unknown path: $ask', async ({ path, ask, who }) => {
  // Must be as long as `admin`: responses include the length of their content, which would otherwise differ.
  const elsewhere = 'nimda'
  const visitor = (await outsiders())[who] ?? expect.unreachable()
  const [real, none] = [await visitor.send(path, asks[ask]), await visitor.send(path.replace('admin', elsewhere), asks[ask])]
  expect(none.status).toBe(404)
  expect(await plain(real, elsewhere)).toEqual(await plain(none, elsewhere))
})

test.each(['Admin', 'ADMIN/audit', 'Admin/audit/csv'])('/%s responds like an unknown path, regardless of letter case', async (path) => {
  const { visitor } = await fixture.member()
  const elsewhere = path.replace(/admin/i, 'Nimda')
  const open = { headers: { 'x-svc-peer': '127.0.0.1', 'x-svc-handed-on': 'open' } }
  const [real, none] = [await visitor.send(`/${path}`, open), await visitor.send(`/${elsewhere}`, open)]
  expect([real.status, none.status]).toEqual([404, 404])
  expect(await plain(real, path.slice(0, 5))).toEqual(await plain(none, 'Nimda'))
})

test.each(pages)('%s is shown to an administrator only with a second factor', async (path) => {
  halfway ??= fixture.member({ isAdmin: true })
  const admin = await fixture.administrator()
  expect((await admin.visitor.open(path)).text).not.toContain('Two-factor sign-in required')
  const page = await (await halfway).visitor.open(path)
  expect([page.status, page.text.includes('Two-factor sign-in required')]).toEqual([200, true])
  expect(page.html).not.toContain('<table')
})

test('an administrator loses access on the next request after the role is removed', async () => {
  const admin = await fixture.administrator()
  expect((await admin.visitor.open('/admin')).status).toBe(200)
  expect(getData(await admin.visitor.call('admin.audit.list', 'query', { before: null })).lines).toEqual(expect.any(Array))
  await fixture.sql("UPDATE account SET role = 'member' WHERE id = $1", [admin.id])
  expect((await admin.visitor.open('/admin')).status).toBe(404)
  expect((await admin.visitor.call('admin.audit.list', 'query', { before: null })).status).toBe(404)
})
