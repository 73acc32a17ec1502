import { expect, test } from 'vitest'
import { appRoutes } from '../../e2e/support/app-routes.ts'
import { type Member, portalStage } from '../portal/support/portal-stage.ts'
import { dataOf, type Visitor } from '../portal/support/visitor.ts'
import { adminProcedures } from './support/admin-procedures.ts'

/** To whoever is no administrator there is no desk: its pages and procedures are as unknown as any that never were. */
const stage = portalStage()

let others: Promise<Visitor[]> | undefined

/** Nobody, somebody with an account, and an administrator whose account is blocked. */
const strangers = (): Promise<Visitor[]> => {
  others ??= (async () => {
    const [member, blocked]: [Member, Member] = [await stage.member(), await stage.administrator()]
    await stage.sql("UPDATE account SET state = 'blocked' WHERE id = $1", [blocked.id])
    return [stage.visitor(), member.visitor, blocked.visitor]
  })()
  return others
}

test('there are procedures and pages to hide', () => {
  expect(adminProcedures.length).toBeGreaterThan(1)
  expect(pages.length).toBeGreaterThan(1)
})

const never = 'admin.nothing.here'
const calls = (['query', 'mutation'] as const).flatMap((kind) => [undefined, { account: 'acc_0' }].map((input) => [kind, input] as const))

let unknown: Promise<{ status: number; body: unknown }[][]> | undefined

/** What nobody, and somebody with an account, are told of a procedure that never was, call by call. */
const toldOfNothing = () => {
  unknown ??= strangers().then((all) =>
    Promise.all(all.slice(0, 2).map((visitor) => Promise.all(calls.map(([kind, input]) => visitor.call(never, kind, input))))),
  )
  return unknown
}

test.each(adminProcedures)('$name is as unknown to others as what never was', async ({ name }) => {
  const none = await toldOfNothing()
  expect(none.flat().map(({ status }) => status)).toEqual(none.flat().map(() => 404))
  for (const [which, visitor] of (await strangers()).slice(0, 2).entries()) {
    const real = await Promise.all(calls.map(([kind, input]) => visitor.call(name, kind, input)))
    expect(JSON.parse(JSON.stringify(real).replaceAll(name, never))).toEqual(none[which])
  }
})

let halfway: Promise<Member> | undefined

test.each(adminProcedures)('$name wants a second factor, and an account that is not blocked', async ({ name, kind }) => {
  halfway ??= stage.member({ isAdmin: true })
  expect((await (await halfway).visitor.call(name, kind, {})).status).toBe(403)
  expect((await (await strangers())[2]?.call(name, kind, {}))?.status).toBe(403)
})

const pages = appRoutes
  .filter((route) => /^\/admin(?:\/|$)/.test(route) && !/\/(?:not-found|error)$/.test(route))
  .map((route) => route.replace(/\[[^/]+\]/g, 'x'))

/** An answer without what differs from one to the next: the nonce of its scripts, the time, and ids by chance. */
async function plain(response: Response, elsewhere: string): Promise<unknown> {
  const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '-'
  const headers = [...response.headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value.replaceAll(nonce, 'NONCE')}`)
  const text = (await response.text()).replaceAll(nonce, 'NONCE').replaceAll(elsewhere, 'admin')
  // What scripts are sent has an id by chance, by which React tells two answers apart.
  const body = text.replace(/"[\w-]{21}[vm]"/g, '"ID"').split(/(?<=>)/)
  return { status: response.status, headers, body }
}

const asks: Record<string, { method?: string; headers: Record<string, string> }> = {
  'a page': { headers: {} },
  'what a page moves on with': { headers: { rsc: '1' } },
  'what a page asks for ahead': { headers: { rsc: '1', 'next-router-prefetch': '1' } },
  'a form': { method: 'POST', headers: {} },
  'a page, with the word that opens the way': { headers: { 'x-svc-desk': 'open' } },
}

/** Every page in every way, by one of the strangers: one after the other has their turn, so that each of them tries each way. */
const tries = pages.flatMap((path, at) => Object.keys(asks).map((ask, which) => ({ path, ask, who: (at + which) % 3 })))

test.each(tries)('$path is no page to others: $ask', async ({ path, ask, who }) => {
  // A word as long as the one that it stands in for, since lengths are told as well.
  const elsewhere = 'nimda'
  const visitor = (await strangers())[who] ?? expect.unreachable()
  const [real, none] = [await visitor.send(path, asks[ask]), await visitor.send(path.replace('admin', elsewhere), asks[ask])]
  expect(none.status).toBe(404)
  expect(await plain(real, elsewhere)).toEqual(await plain(none, elsewhere))
})

test.each(['Admin', 'ADMIN/audit', 'Admin/audit/csv'])('/%s is nothing in capitals either', async (path) => {
  const { visitor } = await stage.member()
  const elsewhere = path.replace(/admin/i, 'Nimda')
  const open = { headers: { 'x-svc-desk': 'open' } }
  const [real, none] = [await visitor.send(`/${path}`, open), await visitor.send(`/${elsewhere}`, open)]
  expect([real.status, none.status]).toEqual([404, 404])
  expect(await plain(real, path.slice(0, 5))).toEqual(await plain(none, 'Nimda'))
})

test('nobody comes to the desk by the place where its pages stand', async () => {
  const [admin, member] = [await stage.administrator(), await stage.member()]
  for (const { visitor } of [admin, member]) expect((await visitor.open('/desk/audit')).status).toBe(404)
})

test.each(pages)('%s holds nothing back from an administrator but for want of a second factor', async (path) => {
  halfway ??= stage.member({ isAdmin: true })
  const admin = await stage.administrator()
  expect((await admin.visitor.open(path)).text).not.toContain('Two-factor sign-in first')
  const page = await (await halfway).visitor.open(path)
  expect([page.status, page.text.includes('Two-factor sign-in first')]).toEqual([200, true])
  expect(page.html).not.toContain('<table')
})

test('an administrator who is made a member has no desk with the next request', async () => {
  const admin = await stage.administrator()
  expect((await admin.visitor.open('/admin')).status).toBe(200)
  expect(dataOf(await admin.visitor.call('admin.audit.list', 'query', { before: null })).lines).toEqual(expect.any(Array))
  await stage.sql("UPDATE account SET role = 'member' WHERE id = $1", [admin.id])
  expect((await admin.visitor.open('/admin')).status).toBe(404)
  expect((await admin.visitor.call('admin.audit.list', 'query', { before: null })).status).toBe(404)
})
