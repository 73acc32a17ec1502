/** Tests the access that a transfer of ownership ends, and the information that former members can still see. */
import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { answerTrpc } from '#server/trpc/http.ts'
import { testAdminContext } from '../admin/support/admin-caller.ts'
import { newId } from '../billing/support/stripe-objects.ts'
import { verifies } from '../requirements/verifies.ts'
import type { Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { addInvitation, removeMembership, setOwner, teamMember } from './support/teams.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const transfer = (owner: Member, { publicId: member }: Member) => owner.visitor.call('team.transfer', 'mutation', { member })

async function withCard({ id }: Member): Promise<void> {
  await fixture.sql(
    `INSERT INTO payment_customer (account_id, mode, customer_id, payment_method_id, card_brand, card_last4, card_expires)
     VALUES ($1, 'test', $2, 'pm_pays', 'visa', '4242', '04/2031')`,
    [id, newId('cus')],
  )
  await fixture.sql('INSERT INTO auto_top_up (account_id, is_on, threshold_credits, amount_pence, ceiling_pence) VALUES ($1, true, 10, 500, 5000)', [id])
  await fixture.sql(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, saves_card)
     VALUES ($2, $1, $2, 'checkout', 'test', 500, 50, true)`,
    [id, newId('top')],
  )
}

verifies('teams/transfer-ends', async () => {
  const owner = await fixture.member()
  const [next, token] = [await teamMember(fixture, owner, 'developer'), newId('token')]
  await withCard(owner)
  await addInvitation(fixture, owner, fixture.newEmail(), token)
  expect((await transfer(owner, next)).status).toBe(200)
  expect(
    await fixture.sql(
      'SELECT payment_method_id, card_last4, is_stale, is_on, off_reason FROM payment_customer JOIN auto_top_up USING (account_id) WHERE account_id = $1',
      [owner.id],
    ),
  ).toEqual([{ payment_method_id: null, card_last4: null, is_stale: true, is_on: false, off_reason: 'The account was transferred.' }])
  expect(await fixture.sql('SELECT saves_card FROM top_up WHERE account_id = $1', [owner.id])).toEqual([{ saves_card: false }])
  expect((await fixture.visitor().open(`/join/${token}`)).text).toContain('This invitation has expired, been revoked or already been accepted.')
})

test('rejects closing an account that is transferred while the request waits', async () => {
  const owner = await fixture.member()
  const next = await teamMember(fixture, owner, 'developer')
  let closing: ReturnType<Member['visitor']['call']> | undefined
  await inTransaction(fixture.pool, async (tx) => {
    await tx.query('SELECT FROM wallet WHERE account_id = $1 FOR UPDATE', [owner.id])
    closing = owner.visitor.call('security.closeAccount', 'mutation', { email: owner.email })
    await expect
      .poll(async () => (await fixture.sql("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT lock_wallets%'")).length)
      .toBeGreaterThan(0)
    await tx.query('UPDATE account SET owner_id = $2 WHERE id = $1', [owner.id, next.id])
  })
  const answer = (await closing) ?? expect.unreachable('The account was not closed.')
  expect([answer.status, getError(answer).message]).toEqual([403, 'Your access to this account has just changed. Reload the page.'])
  expect(await fixture.sql('SELECT closed_at FROM account WHERE id = $1', [owner.id])).toEqual([{ closed_at: null }])
})

test('rejects a change if the session ends while the body arrives', async () => {
  const owner = await fixture.member()
  const context = testAdminContext(fixture.pool, owner)
  let hasEnded = false
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      // The body is read after the session; by its last byte, the session has ended.
      hasEnded = true
      stream.enqueue(new TextEncoder().encode(JSON.stringify({ name: 'Ada' })))
      stream.close()
    },
  })
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const init = { method: 'POST', body, duplex: 'half' as const, headers }
  const request = new Request('http://127.0.0.1/api/trpc/profile.rename', init)
  const contexts: boolean[] = []
  const answer = await answerTrpc(request, async () => {
    contexts.push(hasEnded)
    return hasEnded ? { ...context, viewer: null, shown: null } : context
  })
  expect([contexts, answer.status]).toEqual([[false, true], 401])
  expect(await fixture.sql('SELECT name FROM account WHERE id = $1', [owner.id])).toEqual([{ name: '' }])
})

test('shows the name of a member in the history and next to their keys only while they have access', async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  await member.visitor.call('profile.rename', 'mutation', { name: 'Grace Hopper' })
  await member.visitor.call('keys.create', 'mutation', { mode: 'test', name: 'Nightly', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const seen = async () => {
    const { lines } = getData(await owner.visitor.call('profile.history', 'query', { before: null }))
    const keys = getData(await owner.visitor.call('keys.list', 'query'))
    return [lines.find(({ action }: { action: string }) => action === 'key.create').member, keys[0].createdBy]
  }
  expect(await seen()).toEqual(['Grace Hopper', 'Grace Hopper'])
  await removeMembership(fixture, owner, member)
  await fixture.sql("UPDATE account SET email = $2, name = '' WHERE id = $1", [member.id, fixture.newEmail()])
  expect(await seen()).toEqual(['a former member', 'a former member'])
})

test('names the account that prevents closing only to its owner', async () => {
  const [founder, other] = [await fixture.member(), await fixture.member()]
  const next = await fixture.member()
  await setOwner(fixture, other, founder)
  await setOwner(fixture, founder, next)
  await next.visitor.call('session.switchAccount', 'mutation', { account: founder.publicId })
  const answer = await next.visitor.call('security.closeAccount', 'mutation', { email: next.email })
  expect([answer.status, getError(answer).message]).toEqual([
    400,
    "This account can't be closed, because the person who opened it owns another account. Contact support.",
  ])
})

test("an account's name cannot put a link into a team email", async () => {
  const owner = await fixture.member()
  const member = await teamMember(fixture, owner, 'developer')
  await owner.visitor.call('profile.rename', 'mutation', { name: 'Verify at https://evil.example' })
  await owner.visitor.call('team.remove', 'mutation', { member: member.publicId })
  const { subject, text } = await fixture.mailbox.next(member.email)
  expect(subject).toBe('You were removed from Verify at https evil example')
  expect(text).not.toContain('evil.example')
})
