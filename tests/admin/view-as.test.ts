/** Tests the read-only view of the portal as a customer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notifyExpiredViews } from '#server/admin/view-as/view-as.ts'
import { portalRouter } from '#server/trpc/root.ts'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { mutationCases } from '../portal/support/valid-mutations.ts'
import { getData, getError, type Visitor } from '../portal/support/visitor.ts'

const fixture = portalFixture()

const kinds = Object.entries(portalRouter._def.procedures).map(([name, procedure]) => ({
  name,
  kind: (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type,
}))
const mutations = kinds.filter(({ kind }) => kind === 'mutation').map(({ name }) => ({ name }))

/** Mutations that act on the session or on a new account, never on the viewed account. */
const own = new Set([
  'passwordReset.request',
  'passwordReset.complete',
  'security.reauthenticate',
  'security.requireRecent',
  'session.switchAccount',
  'signUp.create',
  'signUp.resend',
  'signUp.replaceLink',
])

const begin = ({ visitor }: Member, { publicId: account }: Member, reason = 'A question of theirs.') =>
  visitor.call('admin.viewing.begin', 'mutation', { account, reason })

const lapse = ({ id }: Member) =>
  fixture.sql("UPDATE view_as SET ends_at = now() - interval '1 second' WHERE session_id IN (SELECT id FROM portal_session WHERE account_id = $1)", [id])

/** Returns all rows of both accounts, except request records and the administrator's sessions, which change while the account is being viewed. */
async function getEverything(member: Member, admin: Member): Promise<string[]> {
  const tables = await fixture.sql<{ name: string; own: string }>(
    `SELECT table_name AS name, column_name AS own FROM information_schema.columns WHERE table_schema = 'public'
       AND (column_name = 'account_id' OR table_name = 'account' AND column_name = 'id') AND table_name NOT LIKE 'request\\_%' ORDER BY 1`,
  )
  const getRows = ({ name, own }: { name: string; own: string }) =>
    `SELECT '${name}' AS name, to_jsonb(t)::text AS row FROM "${name}" t WHERE ${own} = $1 OR ${own} = $2 AND '${name}' <> 'portal_session'`
  const rows = await fixture.sql<{ name: string; row: string }>(tables.map(getRows).join(' UNION ALL '), [member.id, admin.id])
  return rows.map(({ name, row }) => `${name} ${row}`).toSorted()
}

let scene: Promise<{ admin: Member; member: Member; third: Member }> | undefined

/** Returns an administrator who is viewing an account, the viewed account, and a third account for mutation inputs. */
const looking = () =>
  (scene ??= (async () => {
    const [admin, member, third] = [await fixture.administrator(), await fixture.member({ credits: 17 }), await fixture.member()]
    expect((await begin(admin, member)).status).toBe(200)
    return { admin, member, third }
  })())

test.each([...own])('%s changes nothing in the viewed account', async (name) => {
  const { admin, member: viewed, third } = await looking()
  const [way] = fc.sample(mutationCases[name] ?? expect.unreachable(`mutationCases has no entry for ${name}.`), { numRuns: 1, seed: 7 })
  const input = await way?.({ fixture, member: third })
  const before = await getEverything(viewed, viewed)
  expect((await admin.visitor.call(name, 'mutation', input)).status).toBeLessThan(500)
  expect(await getEverything(viewed, viewed)).toEqual(before)
})

test.each(mutations.filter(({ name }) => !own.has(name)))('$name is rejected and changes nothing while viewing as another customer', async ({ name }) => {
  const { admin, member: viewed, third } = await looking()
  const [way] = fc.sample(mutationCases[name] ?? expect.unreachable(`mutationCases has no entry for ${name}.`), { numRuns: 1, seed: 7 })
  // The input would be valid if the viewed account submitted it itself.
  const input = await way?.({ fixture, member: third })
  const before = await getEverything(viewed, admin)
  const answer = await admin.visitor.call(name, 'mutation', input)
  const said = `You are viewing as ${viewed.publicId}. You can't change anything.`
  expect([answer.status, getError(answer)?.message, getError(answer)?.data.fields]).toEqual([403, said, { form: said }])
  expect(await getEverything(viewed, admin)).toEqual(before)
})

test('shows the data of the viewed account without updating its sessions', async () => {
  const { admin, member } = await looking()
  const seen = () => fixture.sql('SELECT id, seen_at, address FROM portal_session WHERE account_id = $1', [member.id])
  await fixture.sql("UPDATE portal_session SET seen_at = now() - interval '1 day' WHERE account_id = $1", [member.id])
  const before = await seen()
  expect(getData(await admin.visitor.call('account.overview', 'query')).balanceCredits).toBe(17)
  expect(getData(await admin.visitor.call('profile.read', 'query'))).toMatchObject({ email: member.email, isAdmin: false })
  for (const path of [
    '/portal',
    '/portal/billing',
    '/portal/settings',
    '/portal/settings/security',
    '/portal/settings/account',
    '/portal/keys',
    '/portal/usage',
    '/portal/requests',
    '/portal/webhooks',
  ]) {
    const page = await admin.visitor.open(path)
    expect([path, page.status, page.path]).toEqual([path, 200, path])
    expect(page.text).toContain(`You're seeing the portal as ${member.email} sees it and can't change anything.`)
    expect(page.html).not.toContain(admin.email)
    expect(page.html).not.toContain('href="/admin"')
  }
  expect((await admin.visitor.open('/portal')).text).toContain('17 credits')
  expect(await seen()).toEqual(before)
})

test("while viewing, the admin area stays available and the API reference does not offer the customer's keys", async () => {
  const { admin, member } = await looking()
  const page = await admin.visitor.open('/admin')
  expect([page.status, page.html.includes(`Account menu, ${admin.email}`), page.text.includes("You're seeing the portal")]).toEqual([200, true, false])
  // The page offers keys only if this is false.
  const isViewing = async (visitor: Visitor) => getData(await visitor.call('session.current', 'query')).isViewing
  expect([await isViewing(admin.visitor), await isViewing(member.visitor)]).toEqual([true, false])
})

test('disables form fields and shows an error if a form is submitted anyway', async () => {
  const { admin, member } = await looking()
  const page = await admin.visitor.open('/portal/settings')
  expect(page.html).toMatch(/<fieldset disabled/)
  const answered = await admin.visitor.submitForm(page, 'Save name', { name: 'Somebody else' })
  expect(answered.text).toContain('There is a problem')
  expect(answered.text).toContain(`You are viewing as ${member.publicId}. You can't change anything.`)
  expect(await fixture.sql('SELECT name FROM account WHERE id = ANY ($1)', [[admin.id, member.id]])).toEqual([{ name: '' }, { name: '' }])
})

test('rejects queries and mutations after viewing expires, until the administrator leaves the view', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member({ credits: 23 })]
  const form = await admin.visitor.open('/portal/settings')
  await begin(admin, member)
  expect((await begin(admin, member)).status).toBe(400)
  await lapse(admin)
  const page = await admin.visitor.open('/portal/billing')
  expect([page.path, page.text.includes(`Viewing as ${member.publicId} ended`)]).toEqual(['/admin/viewing', true])
  for (const [name, kind, input] of [
    ['account.overview', 'query', undefined],
    ['profile.rename', 'mutation', { name: 'Mine' }],
  ] as const) {
    const answer = await admin.visitor.call(name, kind, input)
    expect([answer.status, getError(answer).message]).toEqual([
      403,
      `Your session viewing as ${member.publicId} has expired. Stop viewing to return to your own portal.`,
    ])
  }
  // A form that the administrator opened before viewing the account is also rejected, because it is unclear which account it should change.
  await admin.visitor.submit(form, 'Save name', { name: 'Mine' })
  expect(await fixture.sql('SELECT name FROM account WHERE id = ANY ($1)', [[admin.id, member.id]])).toEqual([{ name: '' }, { name: '' }])
  expect(page.text).toContain('Go back to my own portal')
  await admin.visitor.call('admin.viewing.end', 'mutation', { reason: 'Stopped viewing.' })
  expect((await admin.visitor.open('/portal')).text).toContain('100 credits')
  expect((await admin.visitor.call('profile.rename', 'mutation', { name: 'Mine' })).status).toBe(200)
})

test('starting and ending a view-as session is logged', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const page = await admin.visitor.open(`/admin/accounts/${member.publicId}/viewing`)
  expect((await admin.visitor.submitForm(page, 'View as this account', { reason: '' })).text).toContain('Enter a reason. It is recorded in the audit log.')
  expect((await admin.visitor.submitForm(page, 'View as this account', { reason: 'They see no credits.' })).status).toBe(200)
  const portal = await admin.visitor.open('/portal')
  expect([portal.path, portal.text.includes("and can't change anything."), portal.text.includes('Stop viewing')]).toEqual(['/portal', true, true])
  await admin.visitor.call('admin.viewing.end', 'mutation', { reason: 'Stopped viewing.' })
  expect((await admin.visitor.open('/portal')).text).not.toContain("can't change anything.")
  const lines = await fixture.sql<object>(
    "SELECT action, reason, actor_account_id AS by FROM audit_entry WHERE account_id = $1 AND actor = 'admin' ORDER BY id",
    [member.id],
  )
  expect(lines).toEqual([
    { action: 'viewing.begin', reason: 'They see no credits.', by: admin.id },
    { action: 'viewing.end', reason: 'Stopped viewing.', by: admin.id },
  ])
  const { text } = await member.visitor.open('/portal/settings/account')
  expect(text).toMatch(/Portal viewed by support [^.]* by support/)
  expect(text).not.toContain('They see no credits.')
})

const linesAbout = async ({ id }: Member) => {
  const rows = await fixture.sql<{ action: string; actor: string; subject: string | null }>(
    "SELECT action, actor, subject FROM audit_entry WHERE account_id = $1 AND action LIKE 'viewing.%' ORDER BY id",
    [id],
  )
  return rows.map(({ action, actor, subject }) => [action, actor, subject])
}

test('logs the end of viewing when switching accounts, on expiry and on sign-out', async () => {
  const [admin, turned, lapsed, last] = [await fixture.administrator(), await fixture.member(), await fixture.member(), await fixture.member()]
  const [started, ended] = [
    ['viewing.begin', 'admin', null],
    ['viewing.end', 'admin', null],
  ]
  const ranOut = ['viewing.lapse', 'service', admin.publicId]
  await begin(admin, turned)
  await begin(admin, lapsed)
  expect(await linesAbout(turned)).toEqual([started, ended])
  await lapse(admin)
  await notifyExpiredViews(fixture.pool)
  expect(await linesAbout(lapsed)).toEqual([started, ranOut])
  await begin(admin, last)
  await notifyExpiredViews(fixture.pool)
  expect([await linesAbout(lapsed), await linesAbout(last)]).toEqual([[started, ranOut], [started]])
  await admin.visitor.submitForm(await admin.visitor.open('/portal'), 'Sign out')
  await notifyExpiredViews(fixture.pool)
  expect(await linesAbout(last)).toEqual([started, ranOut])
  expect(JSON.stringify((await last.visitor.call('profile.history', 'query', { before: null })).body)).not.toContain('viewing.lapse')
})

test('an administrator cannot view their own or a closed account, and viewing ends if the role is removed', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  expect((await begin(admin, admin)).status).toBe(400)
  await begin(admin, member)
  await fixture.sql('UPDATE account SET closed_at = now() WHERE id = $1', [member.id])
  expect((await admin.visitor.open('/portal')).path).toBe('/admin/viewing')
  await admin.visitor.call('admin.viewing.end', 'mutation', { reason: 'Closed.' })
  expect((await begin(admin, member)).status).toBe(400)
  const other = await fixture.member({ credits: 31 })
  await begin(admin, other)
  await fixture.sql("UPDATE account SET role = 'member' WHERE id = $1", [admin.id])
  expect(getData(await admin.visitor.call('account.overview', 'query')).balanceCredits).toBe(100)
  expect((await admin.visitor.open('/portal')).text).not.toContain("can't change anything.")
})

test('an administrator can sign out while viewing', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  await begin(admin, member)
  const out = await admin.visitor.submitForm(await admin.visitor.open('/portal'), 'Sign out')
  expect(out.path).toBe('/sign-in')
  expect((await admin.visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await member.visitor.open('/portal')).path).toBe('/portal')
})
