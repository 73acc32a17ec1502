/** Tests how administrators draft, preview and publish changelog entries. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { endpointNames } from '#server/api/documents/catalogue.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'
import { makeKey } from '../support/accounts.ts'
import { notifiedAccounts, restoreSharedAfter } from './support/restore-shared.ts'

const fixture = portalFixture()
restoreSharedAfter(fixture)

const text = {
  kind: 'changed',
  title: 'Rates name their `source`',
  body: '**Each** has one. See [prices](/docs/prices).\n\n- savings\n- cards',
  endpointIds: 'rates.list',
}

test('drafts, previews, edits and publishes an entry', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  await makeKey(fixture.pool, member)
  const { visitor } = admin
  const form = await visitor.open('/admin/changelog/new')
  const wrong = await visitor.submitForm(form, 'Save and preview', { ...text, title: '', endpointIds: 'rates.lst', reason: 'News.' })
  expect(wrong.text).toContain('Every value must be an endpoint id')
  expect((await visitor.submitForm(form, 'Save and preview')).text).toContain(
    'There is a problem The title must be one line of up to 120 characters. The text must have 1 to 10000 characters. Enter a reason. It is recorded in the audit log.',
  )
  const { id } = (await visitor.submitForm(form, 'Save and preview', { ...text, reason: 'News.' })).result
  const open = () => visitor.open(`/admin/changelog/${id}`)
  const draft = await open()
  expect(id).toMatch(/^chg_/)
  for (const text of ['Rates name their source', 'Changelog: Rates name their source', `See prices (${fixture.origin}/docs/prices).`])
    expect(draft.text).toContain(text)
  expect(draft.html).toContain('href="/docs/prices"')
  expect(draft.text).toMatch(/changelog#\d{4}-\d\d-\d\d-rates-name-their-source/)
  expect(draft.text).toContain(`Each has one. See prices (${fixture.origin}`)
  expect((await visitor.open('/admin/changelog')).text).toContain('Rates name their source')
  expect((await fixture.visitor().open('/changelog')).text).not.toContain('Rates name their source')

  expect((await visitor.submitForm(draft, 'Save draft', { body: 'Each has one, since today.', reason: 'Shorter.' })).status).toBe(200)
  const rewritten = await open()
  expect(rewritten.text).toContain('Each has one, since today.')
  expect((await visitor.submitForm(rewritten, 'Save draft', { reason: 'Once more.' })).text).toContain('No changes to save.')
  // Only the displayed revision of a draft can be published.
  const button = `Publish and email ${await notifiedAccounts(fixture)}`
  expect((await visitor.submitForm(draft, button, { reason: 'It is true.' })).text).toContain('This draft has changed since you opened it.')
  expect((await visitor.submitForm(rewritten, button, { reason: 'It is true.' })).status).toBe(200)
  expect((await visitor.open('/admin/changelog')).text).toContain('No drafts.')
  const page = await fixture.visitor().open('/changelog')
  expect(page.text).toContain('Each has one, since today.')
  expect((await fixture.mailbox.next(member.email)).text).toContain('Each has one, since today.')
  expect((await visitor.open(`/admin/changelog/${id}`)).status).toBe(404)
  const lines = await fixture.sql<{ action: string; subject: string }>('SELECT action, subject FROM audit_entry WHERE actor_account_id = $1 ORDER BY id', [
    admin.id,
  ])
  expect(lines.map(({ action }) => action)).toEqual(['changelog.draft', 'changelog.rewrite', 'changelog.publish'])
  expect(page.html).toContain(`id="${lines.at(-1)?.subject}"`)
  await expect
    .poll(async () => (await visitor.open('/admin/changelog')).text, { timeout: 15_000 })
    .toMatch(/Rates name their source Kind Changed Published .*? Emails \d+ sent/)
}, 60_000)

test('rejects an entry identical to a published one, and can discard drafts', async () => {
  const { visitor, id: adminId } = await fixture.administrator()
  const ask = (name: string, input: object) => visitor.call(`admin.changelog.${name}`, 'mutation', { reason: 'A test.', ...input })
  const given = { kind: 'added', title: 'Said once', body: 'Text.', endpointIds: [] }
  const [first, second] = [getData(await ask('begin', given)), getData(await ask('begin', given))]
  const published = await ask('publish', { id: first.id, revision: 1 })
  expect(getData(published).entry).toMatch(/said-once$/)
  expect((await ask('publish', { id: first.id, revision: 1 })).status).toBe(404)
  const again = await ask('publish', { id: second.id, revision: 1 })
  expect([again.status, JSON.stringify(again.body)]).toEqual([400, expect.stringContaining('has identical content')])
  expect((await ask('discard', { id: second.id, revision: 1 })).status).toBe(200)
  expect(await fixture.sql('SELECT 1 FROM changelog_draft WHERE public_id = $1', [second.id])).toEqual([])
  const lines = await fixture.sql<{ action: string }>('SELECT action FROM audit_entry WHERE actor_account_id = $1 ORDER BY id', [adminId])
  expect(lines.map(({ action }) => action)).toEqual(['changelog.draft', 'changelog.draft', 'changelog.publish', 'changelog.discard'])
})

test('publishing without a recent sign-in asks for a code, then publishes the displayed revision', async () => {
  const { visitor, id: adminId } = await fixture.administrator()
  const [title, code] = ['Old sessions are asked for a code', 'abcd-efgh-ijkl-mnop-qrst-uvwx-yz23']
  await fixture.sql('INSERT INTO recovery_code (account_id, hash) VALUES ($1, $2)', [adminId, createHash('sha256').update(code.replaceAll('-', '')).digest()])
  const { id } = (await visitor.submitForm(await visitor.open('/admin/changelog/new'), 'Save and preview', { ...text, title, reason: 'News.' })).result
  const draft = await visitor.open(`/admin/changelog/${id}`)
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [adminId])
  const button = `Publish and email ${await notifiedAccounts(fixture)}`
  const publish = (fields: Record<string, string>) => visitor.submitForm(draft, button, { reason: 'It is true.', ...fields })
  const asked = await publish({})
  expect(asked.text).toContain("Confirm it's you")
  const wrong = await publish({ identityCode: 'not a recovery code' })
  expect(wrong.text).toContain('There is a problem Code is not correct.')
  expect((await fixture.visitor().open('/changelog')).text).not.toContain(title)
  expect((await publish({ identityCode: code })).status).toBe(200)
  expect((await fixture.visitor().open('/changelog')).text).toContain(title)
})

test('the changelog entry form has a checkbox for each endpoint', async () => {
  const { visitor } = await fixture.administrator()
  const { html } = await visitor.open('/admin/changelog/new')
  const values = [...html.matchAll(/<input[^>]*name="endpointIds"[^>]*value="([^"]+)"/g)].map(([, value]) => value)
  expect(values).toEqual(endpointNames().map(({ id }) => id))
})
