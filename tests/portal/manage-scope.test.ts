import { expect } from 'vitest'
import { scopeList } from '#server/cli/context.ts'
import { verifies } from '../requirements/verifies.ts'
import { createKey } from './support/key-calls.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const access = { name: 'A key', addresses: '', cap: '', expires: '' }
const update = ({ visitor }: Member, id: string, typed: { scopes: string[] }) => visitor.call('keys.update', 'mutation', { ...access, id, ...typed })

verifies('keys/manage-scope-never-by-default', async () => {
  const { visitor, id } = await fixture.newcomer()
  const scopes = async () => (await fixture.sql<{ scopes: string[] }>('SELECT scopes FROM api_key WHERE account_id = $1', [id])).flatMap((key) => key.scopes)
  expect(await scopes()).toContain('market:read')
  expect(await scopes()).not.toContain('account:manage')
  // The key of the website's console, which every visitor uses.
  const shared = await fixture.sql("SELECT 1 FROM api_key WHERE mode = 'test' AND partner = false AND name <> '' AND 'account:manage' = ANY (scopes)")
  expect(shared).toEqual([])
  const form = await visitor.open('/portal/keys/new')
  expect(form.html).toContain('value="account:manage"')
  expect(form.html).not.toMatch(/<input[^>]*(?:value="account:manage"[^>]* checked|checked[^>]* value="account:manage")/)
  expect(scopeList('all')).not.toContain('account:manage')
  expect(scopeList('account:manage,rates:read')).toEqual(['account:manage', 'rates:read'])
})

verifies('keys/manage-scope-needs-recent-sign-in', async () => {
  const member = await fixture.member()
  const sample = getData(await createKey(member.visitor, { mode: 'test' }))
  const manager = getData(await createKey(member.visitor, { mode: 'test', scopes: ['rates:read', 'account:manage'] }))
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [member.id])
  const refused = [
    await update(member, sample.id, { scopes: ['rates:read', 'account:manage'] }),
    await createKey(member.visitor, { mode: 'test', scopes: ['account:manage'] }),
    await member.visitor.call('keys.rotate', 'mutation', { id: manager.id, overlapHours: 0 }),
  ]
  for (const answer of refused) expect([answer.status, getError(answer).data.proof]).toEqual([403, 'password'])
  // Removing the scope doesn't require a recent sign-in.
  expect((await update(member, manager.id, { scopes: ['rates:read'] })).status).toBe(200)
  expect(getData(await member.visitor.call('keys.read', 'query', { id: manager.id }))).toMatchObject({ scopes: ['rates:read'] })
})
