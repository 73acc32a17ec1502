/** Tests that every change to an account appears in its history with a description. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveAccount, blockAccount, changeLimits, changePlan, unblockAccount } from '#server/accounts/accounts.ts'
import { portalRouter } from '#server/trpc/root.ts'
import { newId, webhookSecret } from '../billing/support/stripe-objects.ts'
import { StripeServer, testKey } from '../billing/support/stripe-server.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member, PortalFixture } from './support/portal-fixture.ts'
import { mutationCases } from './support/valid-mutations.ts'
import { getData } from './support/visitor.ts'

const fixture = new PortalFixture()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  await fixture.open({
    NODE_ENV: '',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    STRIPE_SECRET_KEY: testKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: stripe.base,
  })
})
afterAll(async () => {
  await fixture.close()
  await stripe.close()
})

const mutations = Object.entries(portalRouter._def.procedures)
  .filter(([, procedure]) => (procedure as unknown as { _def: { type: string } })._def.type === 'mutation')
  .map(([name]) => name)

/** Mutations that write no audit entry, with the reason. */
const unaudited: Readonly<Record<string, string>> = {
  'billing.startTopUp': 'A purchase has its own row, shown in the payments list; its credits are a ledger entry.',
  'billing.customerPage': 'Opens a page at Stripe and changes nothing here.',
  'oauth.approve': 'Changes nothing yet; exchanging its code creates a key and writes key.create.',
  'passwordReset.request': 'Only sends a link; using it writes password.reset.',
  'passwordReset.complete': 'The link of this input is used up; using a link writes password.reset.',
  'security.requireRecent': 'Only checks the identity confirmation.',
  'signUp.create': 'Creates another account, whose own history begins with sign-up.',
  'signUp.resend': 'Resends the sign-up email and changes nothing.',
  'signUp.replaceLink': 'Resends the sign-up email and changes nothing.',
  'security.reauthenticate': 'Only confirms the identity for ten minutes; the changes made then have their own entries.',
  'security.beginConnect': 'Changes nothing; connecting the provider writes provider.connect.',
  'security.sendConfirmation': 'Resends the sign-up email and changes nothing.',
  'session.switchAccount': 'Only changes which account the session shows.',
  'team.accept': 'The account that the member joins has the entry member.join.',
  'team.resend': 'Sends the same invitation again; inviting wrote member.invite.',
  'support.open': 'The message itself is stored.',
  'support.reply': 'The message itself is stored.',
  'security.beginSecondFactor': "Starting the set-up doesn't change sign-in; confirming it writes second-factor.on.",
}

const getEntries = ({ id }: Member) =>
  fixture.sql<{ actor: string; action: string; address: string | null }>('SELECT actor, action, address FROM audit_entry WHERE account_id = $1 ORDER BY id', [
    id,
  ])

/** Saves a card for an account, as a payment would. */
const saveCard = ({ id }: Member) =>
  fixture.sql(
    `INSERT INTO payment_customer (account_id, mode, customer_id, payment_method_id, card_brand, card_last4, card_expires)
     VALUES ($1, 'test', $2, 'pm_pays', 'visa', '4242', '04/2031')`,
    [id, newId('cus')],
  )

test('there is exactly one test input per mutation', () => {
  expect(Object.keys(mutationCases).toSorted()).toEqual(mutations.toSorted())
  expect(Object.keys(unaudited).filter((name) => !mutations.includes(name))).toEqual([])
})

test.each(mutations.map((name) => ({ name })))('$name writes an audit entry unless it is listed as an exception', async ({ name }) => {
  const member = await fixture.member()
  if (['billing.removeCard', 'billing.setAutoTopUp'].includes(name)) await saveCard(member)
  const [way] = fc.sample(mutationCases[name] ?? expect.unreachable(`${name} has no input.`), { numRuns: 1, seed: 7 })
  const input = await way?.({ fixture, member })
  const before = (await getEntries(member)).length
  const answer = await member.visitor.call(name, 'mutation', input)
  expect([answer.status, getData(answer) === undefined ? answer.body : null], name).toEqual([200, null])
  const lines = (await getEntries(member)).slice(before)
  if (name in unaudited) return expect(lines).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toEqual({ actor: 'account', action: expect.stringMatching(/^[a-z-]+\.[a-z-]+$/), address: '127.0.0.1' })
  if (['session.endAll', 'security.closeAccount'].includes(name)) return
  // The page shows a description, not the internal action name.
  const page = await member.visitor.open('/portal/settings/account')
  expect(page.status).toBe(200)
  for (const { action } of lines) expect(page.text).not.toContain(action)
})

test('a monthly cap applies immediately, and the portal shows when it is used up', async () => {
  const member = await fixture.member()
  const { visitor } = member
  const made = await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const call = () => fetch(`${fixture.origin}/v1/rates?limit=5`, { headers: { authorization: `Bearer ${getData(made).key}` } })
  const alerts = () => visitor.open('/portal/billing/alerts')
  const wrong = await visitor.submitForm(await alerts(), 'Save cap', { capCredits: 'ten' })
  expect(wrong.text).toContain('Cap must be a whole number of credits from 0 to 100,000,000, or empty.')
  expect((await visitor.submitForm(await alerts(), 'Save cap', { capCredits: '1,000' })).status).toBe(200)
  expect((await alerts()).html).toContain('value="1,000"')
  expect((await visitor.submitForm(await alerts(), 'Save cap', { capCredits: '5' })).status).toBe(200)
  expect((await visitor.open('/portal/billing')).text).not.toContain('reached your monthly cap')
  expect([(await call()).status, (await call()).status]).toEqual([200, 402])
  expect((await visitor.open('/portal/billing')).text).toMatch(/You've reached your monthly cap of 5 credits. Live calls return 402 until 1 \w+ 20\d\d./)
  await visitor.submitForm(await alerts(), 'Save cap', { capCredits: '' })
  expect((await call()).status).toBe(200)
  expect((await visitor.open('/portal/settings/account')).text).toContain('Monthly cap changed')
})

test("the account's history shows changes made by the operator", async () => {
  const { visitor, email, id } = await fixture.newcomer()
  await approveAccount(fixture.pool, email)
  await blockAccount(fixture.pool, email, 'A check is under way.')
  await unblockAccount(fixture.pool, email)
  await changePlan(fixture.pool, email, 'business')
  await changeLimits(fixture.pool, email, { perMinute: 90 })
  const lines = await fixture.sql<object>('SELECT actor, action, before, after FROM audit_entry WHERE account_id = $1 AND actor = $2 ORDER BY id', [
    id,
    'operator',
  ])
  expect(lines).toEqual([
    { actor: 'operator', action: 'account.approve', before: { state: 'review' }, after: { state: 'open' } },
    { actor: 'operator', action: 'account.block', before: { state: 'open' }, after: { state: 'blocked', blockReason: 'A check is under way.' } },
    { actor: 'operator', action: 'account.unblock', before: { state: 'blocked' }, after: { state: 'open' } },
    { actor: 'operator', action: 'plan.change', before: { plan: 'hobby' }, after: { plan: 'business' } },
    { actor: 'operator', action: 'limits.change', before: { perMinute: null, perDay: null }, after: { perMinute: 90, perDay: null } },
  ])
  const page = await visitor.open('/portal/settings/account')
  for (const words of ['Account approved', 'Account blocked', 'Account unblocked', 'Plan changed', 'Limits changed']) {
    expect(page.text).toMatch(new RegExp(`${words} [^.]* by support`))
  }
})

test('deletes the email and name of a closed account from all tables except the email queue', async () => {
  const { visitor, email } = await fixture.newcomer()
  const [moved, name] = [fixture.newEmail(), `Company of ${email}`]
  await visitor.submitForm(await visitor.open('/portal/settings'), 'Save name', { name })
  await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Send link to new address', { email: moved, currentPassword: goodPassword })
  await visitor.submitForm(await visitor.open(linkIn(await fixture.mailbox.next(moved))), 'Confirm email')
  const closed = await visitor.submitForm(await visitor.open('/portal/settings/account'), 'Close account', { email: moved, currentPassword: goodPassword })
  expect(closed.text).toContain('Your account is closed.')
  const tables = await fixture.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('email', 'email_outbox', 'bulk_email')",
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const table of tables) {
    const rows = await fixture.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table.name}" t WHERE to_jsonb(t)::text LIKE ANY ($1)`, [
      [email, moved].map((address) => `%${address}%`),
    ])
    expect([table.name, rows]).toEqual([table.name, []])
  }
})
