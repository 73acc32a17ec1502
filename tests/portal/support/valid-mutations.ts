import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { generateSecret } from 'otplib'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { ticketTopicNames } from '#server/api/contract/support.ts'
import { newId } from '../../billing/support/stripe-objects.ts'
import { codeAt, stepAt } from '../../support/totp.ts'
import { alertCases } from './alert-cases.ts'
import { newAuthorizationRequest } from './authorization-request.ts'
import { goodPassword, type Member, type PortalFixture } from './portal-fixture.ts'
import { singleSignOnCases } from './single-sign-on-cases.ts'
import { addInvitation, addMembership, setOwner } from './teams.ts'
import { getData } from './visitor.ts'

export type Actor = { readonly fixture: PortalFixture; readonly member: Member }

/** Function that creates the preconditions of a mutation and returns its input. */
export type MutationCase = (actor: Actor) => Promise<object | undefined>

const given =
  (input?: object): MutationCase =>
  async () =>
    input
const text = fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'abcdefghij XYZ0123456789') }).map((words) => `N${words.trim()}`)
const credits = fc.integer({ min: 0, max: 400 })

const mode = fc.constantFrom('test', 'live')
const newKey = fc
  .record({ mode, name: text, scopes: fc.constantFrom(['rates:read'], ['rates:read', 'providers:read']), cap: fc.option(credits), hasEnd: fc.boolean() })
  .map(({ cap, hasEnd, ...key }) => ({
    ...key,
    addresses: '',
    cap: key.mode === 'live' && cap !== null ? String(cap) : '',
    expires: hasEnd ? '2035-01-31' : '',
  }))

async function createKey({ visitor }: Member, key: object): Promise<string> {
  return getData(await visitor.call('keys.create', 'mutation', key)).id
}

/** Adds a recovery code to an account and returns it. */
async function freshCode({ fixture, member }: Actor): Promise<string> {
  const code = generateSecret({ length: 10 }).toLowerCase()
  await fixture.sql('INSERT INTO recovery_code (account_id, hash) VALUES ($1, $2)', [member.id, createHash('sha256').update(code).digest()])
  return code
}

/** Turns two-factor sign-in on or off. */
async function putFactor(actor: Actor, isWanted: boolean): Promise<void> {
  const { visitor } = actor.member
  const { hasSecondFactor } = getData(await visitor.call('security.read', 'query'))
  if (hasSecondFactor && !isWanted) await visitor.call('security.turnOffSecondFactor', 'mutation', { code: await freshCode(actor) })
  if (hasSecondFactor || !isWanted) return
  await visitor.call('security.confirmSecondFactor', 'mutation', { code: await rightCode(visitor) })
}

/** Starts a two-factor set-up and returns the code that an app would show. */
async function rightCode(visitor: Member['visitor']): Promise<string> {
  const { secret } = getData(await visitor.call('security.beginSecondFactor', 'mutation'))
  return codeAt(secret, stepAt(Date.now()))
}

async function otherSession(actor: Actor): Promise<string> {
  const { fixture, member } = actor
  await putFactor(actor, false)
  await fixture.signIn(fixture.visitor(), member.email)
  const all: { id: string; isThis: boolean }[] = getData(await member.visitor.call('session.list', 'query'))
  return all.find(({ isThis }) => !isThis)?.id ?? ''
}

/** Adds a member to the account of an actor. */
async function otherMember({ fixture, member }: Actor): Promise<Member> {
  const other = await fixture.member()
  await addMembership(fixture, member, other, 'developer')
  return other
}

/** Revokes the invitations of an account and resets the hourly limit, so that another can be sent. */
async function withoutInvitations({ fixture, member }: Actor): Promise<void> {
  await fixture.sql('DELETE FROM throttle')
  await fixture.sql('UPDATE invitation SET revoked_at = now() WHERE account_id = $1', [member.id])
}

/** Returns the id of a new invitation. */
async function openInvitation(actor: Actor): Promise<string> {
  const { fixture, member } = actor
  await withoutInvitations(actor)
  await member.visitor.call('team.invite', 'mutation', { email: fixture.newEmail(), role: 'developer' })
  return getData(await member.visitor.call('team.read', 'query')).invitations[0].id
}

const aWebhook = { url: 'https://hooks.example.com/', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '', description: '' }

/** Creates an endpoint and a test event, with webhooks enabled for the account. */
async function createWebhook({ fixture, member: { id: accountId, visitor } }: Actor): Promise<{ id: string; delivery: string }> {
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true) ON CONFLICT (account_id) DO UPDATE SET is_on = true', [accountId])
  const { id } = getData(await visitor.call('webhooks.create', 'mutation', aWebhook))
  const { delivery } = getData(await visitor.call('webhooks.test', 'mutation', { id, type: null }))
  // Only finished deliveries can be redelivered, and nothing is delivered in this test.
  await fixture.sql("UPDATE webhook_delivery SET state = 'dead' WHERE public_id = $1", [delivery])
  return { id, delivery }
}

/** Changes an account's access to webhooks. */
const withoutWebhooks = (sql: string): fc.Arbitrary<MutationCase> =>
  fc.constant(async ({ fixture, member }) => {
    await fixture.sql(sql, [member.id])
    return undefined
  })

/** Deletes all endpoints, because their number is limited, and creates one. */
const withWebhook = (input: (made: { id: string; delivery: string }) => object): fc.Arbitrary<MutationCase> =>
  fc.constant(async (actor) => {
    const all: { id: string }[] = getData(await actor.member.visitor.call('webhooks.list', 'query')) ?? []
    for (const { id } of all) await actor.member.visitor.call('webhooks.delete', 'mutation', { id })
    return input(await createWebhook(actor))
  })

/** Generates valid inputs for every portal mutation. A test checks that no mutation is missing. */
export const mutationCases: Readonly<Record<string, fc.Arbitrary<MutationCase>>> = {
  ...alertCases,
  // The amounts exceed £30, so that these purchases can't be mistaken for the ledger model's.
  'billing.startTopUp': fc
    .record({ amountPence: fc.integer({ min: 301, max: 10_000 }).map((tens) => tens * 10), savesCard: fc.boolean() })
    .map((purchase) => async () => ({ key: newId('key'), ...purchase })),
  'billing.customerPage': fc.constant(given()),
  'billing.removeCard': fc.constant(given()),
  'billing.setDetails': fc
    .record({ name: text, line1: text, city: text, country: fc.constantFrom('GB', 'IE', 'US'), vatNumber: fc.constantFrom('', 'GB 123 4567 89', 'ie1234567t') })
    .map((details) => given({ line2: '', postcode: '', ...details })),
  'billing.setAlerts': fc.array(credits, { maxLength: 5 }).map((thresholds) => given({ thresholds })),
  'billing.setCap': fc.option(credits).map((capCredits) => given({ capCredits })),
  'billing.setAutoTopUp': fc
    .record({
      isOn: fc.boolean(),
      tens: fc.integer({ min: 50, max: 200 }),
      less: fc.integer({ min: 0, max: 49 }),
      times: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ tens, less, times, ...wanted }) => given({ ...wanted, thresholdCredits: tens - less, amountPence: tens * 10, ceilingPence: tens * 10 * times })),
  'keys.create': newKey.map(given),
  'oauth.approve': newKey.map((key) => async ({ fixture }) => ({ ...key, request: await newAuthorizationRequest(fixture) })),
  'keys.rotate': fc.tuple(newKey, fc.constantFrom(0, 1, 6, 24)).map(([key, overlapHours]) => async ({ member }) => ({
    id: await createKey(member, key),
    overlapHours,
  })),
  'keys.update': fc.tuple(newKey, text).map(([key, name]) => async ({ member }) => {
    const { mode: _, ...typed } = key
    return { ...typed, name, id: await createKey(member, key) }
  }),
  'keys.revoke': newKey.map((key) => async ({ member }) => ({ id: await createKey(member, key) })),
  'licence.accept': fc.constant(async ({ fixture, member }) => {
    await fixture.sql("UPDATE account SET accepted_licence = 'v2020-01' WHERE id = $1", [member.id])
    return { label: getData(await member.visitor.call('licence.current', 'query')).label }
  }),
  'passwordReset.request': fc.constant(async ({ member }) => ({ email: member.email })),
  'passwordReset.complete': fc.constant(given({ token: 'used', password: goodPassword })),
  'profile.rename': text.map((name) => given({ name })),
  'profile.setPurpose': text.map((purpose) => given({ purpose })),
  'profile.setTimeZone': fc.constantFrom('Europe/London', 'Asia/Kolkata', 'America/Argentina/Ushuaia').map((timeZone) => given({ timeZone })),
  'security.changePassword': fc.constant(given({ currentPassword: goodPassword, password: goodPassword })),
  'security.changeEmail': fc.nat().map((number) => async (actor) => {
    // Resets the hourly limit on email changes, which other tests cover.
    await actor.fixture.sql('DELETE FROM throttle')
    return { code: await freshCode(actor), email: `new-${newId('x')}-${number}@example.test` }
  }),
  'security.reauthenticate': fc.constant(async (actor) => {
    await putFactor(actor, false)
    return { password: goodPassword, code: '' }
  }),
  'security.beginConnect': fc.constant(given({ provider: 'oidc' })),
  'security.disconnect': fc.nat().map((number) => async ({ fixture, member }) => {
    const issuer = 'https://id.example.test'
    await fixture.sql('INSERT INTO provider_identity (issuer, subject, account_id) VALUES ($1, $2, $3)', [issuer, `${newId('x')}-${number}`, member.id])
    return { issuer }
  }),
  'security.beginSecondFactor': fc.constant(given()),
  'security.confirmSecondFactor': fc.constant(async (actor) => {
    await putFactor(actor, false)
    return { code: await rightCode(actor.member.visitor) }
  }),
  'security.sendConfirmation': fc.constant(given()),
  'security.turnOffSecondFactor': fc.constant(async (actor) => {
    await putFactor(actor, true)
    return { code: await freshCode(actor) }
  }),
  'security.renewRecoveryCodes': fc.constant(async (actor) => {
    await putFactor(actor, true)
    return { code: await freshCode(actor) }
  }),
  'security.requireRecent': fc.constant(given({ next: '/portal' })),
  'security.closeAccount': fc.constant(async ({ member }) => ({ email: member.email })),
  'session.end': fc.constant(async (actor) => ({ id: await otherSession(actor) })),
  'session.endAll': fc.constant(given()),
  'session.switchAccount': fc.constant(async ({ member }) => ({ account: member.publicId })),
  'support.open': fc.constantFrom(...ticketTopicNames).map((topic) => async (actor) => {
    // Resets the hourly limit on messages, which other tests cover.
    await actor.fixture.sql('DELETE FROM throttle')
    return { topic, text: 'Hello' }
  }),
  'support.reply': fc.constant(async (actor) => {
    await actor.fixture.sql('DELETE FROM throttle')
    return { id: getData(await actor.member.visitor.call('support.open', 'mutation', { topic: 'other', text: 'Hello' })).id, text: 'Still there?' }
  }),
  'webhooks.enable': withoutWebhooks('DELETE FROM webhook_account WHERE account_id = $1'),
  'webhooks.ask': withoutWebhooks(
    'INSERT INTO webhook_account (account_id, is_on, is_blocked) VALUES ($1, false, true) ON CONFLICT (account_id) DO UPDATE SET is_on = false, is_blocked = true, asked_at = NULL',
  ),
  'signUp.create': fc
    .nat()
    .map((number) => given({ email: `new-${newId('x')}-${number}@example.test`, password: goodPassword, licence: 'yes', licenceShown: dataLicence })),
  'signUp.resend': fc.constant(given()),
  'signUp.replaceLink': fc.constant(given({ token: 'used' })),
  'team.invite': fc.nat().map((number) => async (actor) => {
    await withoutInvitations(actor)
    return { email: `new-${newId('x')}-${number}@example.test`, role: 'developer' }
  }),
  'team.resend': fc.constant(async (actor) => ({ id: await openInvitation(actor) })),
  'team.revoke': fc.constant(async (actor) => ({ id: await openInvitation(actor) })),
  'team.changeRole': fc.constant(async (actor) => ({ member: (await otherMember(actor)).publicId, role: 'billing' })),
  'team.remove': fc.constant(async (actor) => ({ member: (await otherMember(actor)).publicId })),
  'team.leave': fc.constant(async (actor) => {
    // The owner can't leave.
    await setOwner(actor.fixture, actor.member, await actor.fixture.member())
    await addMembership(actor.fixture, actor.member, actor.member, 'developer')
    return undefined
  }),
  'team.transfer': fc.constant(async (actor) => ({ member: (await otherMember(actor)).publicId })),
  ...singleSignOnCases,
  'team.accept': fc.constant(async ({ fixture, member }) => {
    const token = newId('token')
    await addInvitation(fixture, await fixture.member(), member.email, token)
    return { token }
  }),
  'webhooks.create': withWebhook(() => aWebhook),
  'webhooks.update': withWebhook(({ id }) => ({ ...aWebhook, id, description: 'Another' })),
  ...Object.fromEntries(['rotate', 'pause', 'resume', 'delete'].map((name) => [`webhooks.${name}`, withWebhook(({ id }) => ({ id }))])),
  'webhooks.test': withWebhook(({ id }) => ({ id, type: null })),
  'webhooks.redeliver': withWebhook(({ id, delivery }) => ({ id, delivery })),
  'webhooks.redeliverRange': withWebhook(({ id }) => ({ id, from: '2026-01-01T00:00', to: '2099-01-01T00:00' })),
  'webhooks.redeliverFailed': withWebhook(({ id }) => ({ id })),
}
