/**
 * Tests manual credit adjustments: submitting a form twice has no further effect, the balance never falls below zero, and large amounts need two
 * administrators.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { addMembership, setOwner } from '../portal/support/teams.ts'
import { getData, getError } from '../portal/support/visitor.ts'

const fixture = portalFixture()

let two: Promise<[Member, Member]> | undefined
const administrators = (): Promise<[Member, Member]> => (two ??= Promise.all([fixture.administrator(), fixture.administrator()]))

type Asked = { credits: number; key?: string; note?: string; reason?: string }

const adjust = ({ visitor }: Member, { publicId }: Member, asked: Asked) =>
  visitor.call('admin.credits.adjust', 'mutation', { account: publicId, key: randomUUID(), note: '', reason: 'Of the tests.', ...asked })

const decide = ({ visitor }: Member, id: string, isApproved = true) =>
  visitor.call('admin.credits.decide', 'mutation', { id, isApproved, reason: 'Looked at.' })

const entries = ({ id }: Member) =>
  fixture.sql<{ credits: number; balance: number; actor: string; reason: string }>(
    `SELECT credits::int, balance_after::int AS balance, actor, reason FROM ledger_entry WHERE account_id = $1 AND reference LIKE 'adj\\_%' ORDER BY id`,
    [id],
  )

const lines = ({ id }: Member) =>
  fixture.sql<{ action: string; before: unknown; after: unknown; by: string }>(
    `SELECT action, before, after, actor_account_id AS by FROM audit_entry WHERE account_id = $1 AND action LIKE 'credits.%' ORDER BY id`,
    [id],
  )

const formFault = (answer: { body: unknown }): string => getError(answer).data.fields.form

/** Creates a pending proposal and returns its id. */
async function proposed(admin: Member, member: Member, credits = 5_000): Promise<string> {
  expect(getData(await adjust(admin, member, { credits }))).toMatchObject({ state: 'waiting' })
  const [row] = await fixture.sql<{ id: string }>('SELECT c.public_id AS id FROM credit_adjustment c WHERE c.account_id = $1 ORDER BY c.id DESC LIMIT 1', [
    member.id,
  ])
  return row?.id ?? expect.unreachable()
}

test('adds and deducts credits with a ledger entry and an audit entry', async () => {
  const [[admin], member] = [await administrators(), await fixture.member({ credits: 13 })]
  expect(getData(await adjust(admin, member, { credits: 50, note: 'For the outage.' }))).toEqual({ state: 'entered', balanceCredits: 63 })
  expect(getData(await adjust(admin, member, { credits: -63 }))).toEqual({ state: 'entered', balanceCredits: 0 })
  expect(await entries(member)).toEqual([
    { credits: 50, balance: 63, actor: 'operator', reason: 'For the outage.' },
    { credits: -63, balance: 0, actor: 'operator', reason: 'Correction.' },
  ])
  const by = admin.id
  expect(await lines(member)).toEqual([
    { action: 'credits.adjust', before: { balanceCredits: 13 }, after: { balanceCredits: 63, note: 'For the outage.' }, by },
    { action: 'credits.adjust', before: { balanceCredits: 63 }, after: { balanceCredits: 0, note: 'Correction.' }, by },
  ])
})

test('rejects overdrafts, invalid amounts and closed accounts', async () => {
  const [[admin], member] = [await administrators(), await fixture.member({ credits: 13 })]
  expect(formFault(await adjust(admin, member, { credits: -14 }))).toBe('The balance would fall below 0. Deduct fewer credits.')
  for (const credits of [0, 1.5, 10_000_001]) expect((await adjust(admin, member, { credits })).status).toBe(400)
  await fixture.sql('UPDATE account SET closed_at = now() WHERE id = $1', [member.id])
  expect(formFault(await adjust(admin, member, { credits: 1 }))).toMatch(/^This account is closed\./)
  expect([await entries(member), await lines(member), await fixture.balance(member.id)]).toEqual([[], [], 13])
  expect((await adjust(admin, { ...member, publicId: 'acc_0000000000000000' }, { credits: 1 })).status).toBe(404)
})

test('credits can be added to an account in debt, but not deducted', async () => {
  const [[admin], member] = [await administrators(), await fixture.member({ credits: 0 })]
  await fixture.sql("SELECT enter_credits($1, 'refund', -35, 'stripe', 'Refund.', NULL)", [member.id])
  expect((await adjust(admin, member, { credits: -1 })).status).toBe(400)
  expect(getData(await adjust(admin, member, { credits: 5 }))).toEqual({ state: 'entered', balanceCredits: -30 })
})

test('adjusts credits only once if a form is submitted twice', async () => {
  const [[admin], member] = [await administrators(), await fixture.member({ credits: 0 })]
  const key = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => adjust(admin, member, { credits: 50, key })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  const again = await adjust(admin, member, { credits: 70, key })
  expect(formFault(again)).toBe('This form was already submitted. The credits were not adjusted again.')
  expect([await fixture.balance(member.id), (await entries(member)).length, (await lines(member)).length]).toEqual([50, 1, 1])
})

test("requires a second administrator once an account's adjustments exceed 1,000 credits a day", async () => {
  const [[admin, other], member] = [await administrators(), await fixture.member({ credits: 0 })]
  expect(getData(await adjust(admin, member, { credits: 900 }))).toMatchObject({ state: 'entered' })
  expect(getData(await adjust(admin, member, { credits: -100 }))).toMatchObject({ state: 'entered' })
  // Concurrent adjustments can't exceed the limit either: each one locks the wallet before it checks the total.
  const answers = await Promise.all([1, 2].map(() => adjust(other, member, { credits: 600 })))
  expect(answers.map((answer) => getData(answer).state).toSorted()).toEqual(['entered', 'waiting'])
  expect(getData(await adjust(admin, member, { credits: 1 }))).toMatchObject({ state: 'waiting' })
  expect(await fixture.balance(member.id)).toBe(1_400)
})

test('only another administrator can approve or decline a proposal, and only once', async () => {
  const [[admin, other], third, member] = [await administrators(), await fixture.administrator(), await fixture.member({ credits: 0 })]
  const id = await proposed(admin, member)
  expect(formFault(await decide(admin, id))).toBe('You made this proposal. Another administrator must approve or decline it.')
  const answers = await Promise.all([other, third, other, third].map((one) => decide(one, id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  expect(formFault(await decide(other, id, false))).toBe('This proposal has already been approved or declined.')
  expect([await fixture.balance(member.id), (await entries(member)).length]).toEqual([5_000, 1])
  expect((await lines(member)).map(({ action }) => action)).toEqual(['credits.propose', 'credits.approve'])
  // A database constraint also prevents approving your own proposal.
  const own = 'UPDATE credit_adjustment SET decided_by = proposed_by WHERE public_id = $1'
  await expect(fixture.sql(own, [id])).rejects.toThrow('credit_adjustment_second_pair_of_eyes')
})

test('requires another administrator for adjustments to your own account', async () => {
  const [[admin, other], third] = [await administrators(), await fixture.administrator()]
  const id = await proposed(third, third, 1)
  expect(formFault(await decide(third, id))).toBe('You made this proposal. Another administrator must approve or decline it.')
  const theirs = await proposed(admin, other)
  expect(formFault(await decide(other, theirs))).toBe('This is your own account. Another administrator must approve or decline it.')
  expect([await fixture.balance(other.id), await fixture.balance(third.id)]).toEqual([100, 100])
  expect([(await decide(other, id)).status, (await decide(third, theirs, false)).status]).toEqual([200, 200])
  expect([await fixture.balance(other.id), await fixture.balance(third.id)]).toEqual([100, 101])
})

test('requires another administrator for adjustments to an account that you are a member of or own by transfer', async () => {
  const [[admin, other], owned, joined] = [await administrators(), await fixture.member({ credits: 0 }), await fixture.member({ credits: 0 })]
  await setOwner(fixture, owned, admin)
  await addMembership(fixture, joined, admin, 'read_only')
  for (const account of [owned, joined]) {
    await proposed(admin, account, 1)
    const theirs = await proposed(other, account)
    expect(formFault(await decide(admin, theirs))).toBe('This is your own account. Another administrator must approve or decline it.')
    const block = { account: account.publicId, customerMessage: '', reason: 'Of the tests.' }
    expect(formFault(await admin.visitor.call('admin.accounts.block', 'mutation', block))).toBe("You can't block your own account.")
    const plan = { account: account.publicId, plan: 'business', reason: 'Of the tests.' }
    expect(formFault(await admin.visitor.call('admin.accounts.setPlan', 'mutation', plan))).toBe(
      "You can't change your own account. Ask another administrator.",
    )
    const webhooks = { account: account.publicId, isOn: 'yes', reason: 'Of the tests.' }
    expect(getError(await admin.visitor.call('admin.accounts.setWebhooks', 'mutation', webhooks)).message).toContain('Ask another administrator.')
    const preview = getData(await admin.visitor.call('admin.credits.preview', 'query', { account: account.publicId, credits: 1 }))
    expect(JSON.stringify(preview)).toContain('Second administrator required.')
    expect(await fixture.balance(account.id)).toBe(0)
  }
})

test('a proposal cannot be approved if it was declined, has expired or would overdraw the account, or if the account is closed', async () => {
  const [[admin, other], member] = [await administrators(), await fixture.member({ credits: 3_000 })]
  const declined = await proposed(admin, member)
  expect((await decide(other, declined, false)).status).toBe(200)
  expect((await decide(other, declined)).status).toBe(400)
  const ended = await proposed(admin, member)
  await fixture.sql("UPDATE credit_adjustment SET ends_at = now() - interval '1 second' WHERE public_id = $1", [ended])
  expect(formFault(await decide(other, ended))).toMatch(/^This proposal expired after 7 days without a decision\./)
  const taking = await proposed(admin, member, -2_500)
  await adjust(other, member, { credits: -1_000 })
  expect(formFault(await decide(other, taking))).toBe('The balance would now fall below 0. Decline the proposal.')
  const late = await proposed(admin, member)
  await fixture.sql('UPDATE account SET closed_at = now() WHERE id = $1', [member.id])
  expect(formFault(await decide(other, late))).toMatch(/^This account is closed\./)
  expect((await decide(other, late, false)).status).toBe(200)
  expect(await fixture.balance(member.id)).toBe(2_000)
  expect((await decide(other, 'adj_0000000000000000')).status).toBe(404)
})

test('shows the customer the adjustment and its note, but not the internal reason', async () => {
  const [[admin, other], member] = [await administrators(), await fixture.member({ credits: 0 })]
  await adjust(admin, member, { credits: 50, note: 'For the outage.', reason: 'Asked for by their lawyer.' })
  await decide(other, await proposed(admin, member), false)
  const [billing, settings] = [await member.visitor.open('/portal/billing'), await member.visitor.open('/portal/settings/account')]
  expect(billing.text).toContain('For the outage')
  expect(settings.text).toMatch(/Credits adjusted [^.]* by support/)
  expect(settings.text).not.toContain('credits.adjust')
  const { lines: customerMessage } = getData(await member.visitor.call('profile.history', 'query', { before: null }))
  expect(customerMessage).toEqual([expect.objectContaining({ action: 'credits.adjust', address: null, before: null, after: null })])
  expect(`${billing.html}${settings.html}`).not.toContain('lawyer')
})

test('previews an adjustment and ignores a second submission', async () => {
  const [[admin, other], member] = [await administrators(), await fixture.member({ credits: 13 })]
  const preview = (credits: string) => admin.visitor.call('admin.credits.preview', 'query', { account: member.publicId, credits })
  const page = await admin.visitor.open(`/admin/accounts/${member.publicId}/credits`)
  const submit = (fields: Record<string, string>) => admin.visitor.submitForm(page, 'Preview', fields)
  for (const typed of ['x', '']) expect(getError(await preview(typed)).data.fields).toEqual({ credits: 'Enter a whole number other than 0.' })
  expect(getError(await preview('-14')).data.fields.credits).toContain('The balance would fall below 0.')
  expect(getData(await preview('50'))).toMatchObject({
    lines: ['Adds 50. New balance 63. Can be reversed but not edited.'],
    button: 'Add 50 credits',
  })
  expect((await submit({ credits: '50', reason: '' })).text).toContain('Enter a reason. It is recorded in the audit log.')
  expect((await submit({ credits: '50', reason: 'Goodwill.' })).result).toEqual({ state: 'entered', balanceCredits: 63 })
  expect((await admin.visitor.open(page.path)).text).toContain('has 63 credits.')
  expect((await submit({ credits: '50', reason: 'Goodwill.' })).text).toContain('The credits were not adjusted again.')
  const large = getData(await preview('5000'))
  expect([large.button, large.lines.join(' ')]).toEqual([
    'Propose: add 5,000 credits',
    expect.stringMatching(/Second administrator required\..* You have already used 50 of these credits in the last day\./),
  ])
  await admin.visitor.submitForm(await admin.visitor.open(page.path), 'Preview', { credits: '5000', reason: 'A migration.' })
  expect((await admin.visitor.open('/admin/credits')).text).toContain('You proposed this. Another administrator must approve or decline it.')
  const queue = await other.visitor.open('/admin/credits')
  expect(queue.text).toContain(`Balance 63. Adds 5,000. New balance 5,063.`)
  // The page shows the account and the proposer.
  expect(queue.text).toContain(`Add 5,000 credits to ${member.email} ${member.publicId}`)
  expect(queue.text).toContain(`Proposed by ${admin.email} ${admin.publicId}`)
  expect(queue.html).not.toMatch(/(?:href|action)="[^"]*@/)
  expect((await other.visitor.submitForm(queue, 'Approve: add 5,000 credits', { reason: 'Agreed.' })).status).toBe(200)
  expect(await fixture.balance(member.id)).toBe(5_063)
})
