import fc from 'fast-check'
import { codeAt, stepAt } from '../../../server/auth/totp.ts'
import { newId } from '../../billing/support/stripe-objects.ts'
import { goodPassword, type Member, type PortalStage } from './portal-stage.ts'
import { dataOf } from './visitor.ts'

export type Actor = { readonly stage: PortalStage; readonly member: Member }

/** Brings about what a mutation needs before it can take effect, and gives its input. */
export type Way = (actor: Actor) => Promise<object | undefined>

const proof = { currentPassword: goodPassword }
const given =
  (input?: object): Way =>
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

async function madeKey({ visitor }: Member, key: object): Promise<string> {
  return dataOf(await visitor.call('keys.create', 'mutation', key)).id
}

/** Switches the second factor on, or off. */
async function putFactor({ visitor }: Member, isWanted: boolean): Promise<void> {
  const { hasSecondFactor } = dataOf(await visitor.call('security.read', 'query'))
  if (hasSecondFactor && !isWanted) await visitor.call('security.turnOffSecondFactor', 'mutation', proof)
  if (hasSecondFactor || !isWanted) return
  await visitor.call('security.confirmSecondFactor', 'mutation', { code: await rightCode(visitor) })
}

/** The code that an app would show once a set-up is begun. */
async function rightCode(visitor: Member['visitor']): Promise<string> {
  const { secret } = dataOf(await visitor.call('security.beginSecondFactor', 'mutation', proof))
  return codeAt(secret, stepAt(Date.now()))
}

async function otherSession({ stage, member }: Actor): Promise<string> {
  await putFactor(member, false)
  await stage.signIn(stage.visitor(), member.email)
  const all: { id: string; isThis: boolean }[] = dataOf(await member.visitor.call('session.list', 'query'))
  return all.find(({ isThis }) => !isThis)?.id ?? ''
}

/** Every mutation of the portal with generated inputs that it accepts. A test looks whether one is missing. */
export const ways: Readonly<Record<string, fc.Arbitrary<Way>>> = {
  // No checkout of the model's own purchases: those are for £30 and less.
  'billing.startTopUp': fc
    .record({ amountPence: fc.integer({ min: 301, max: 10_000 }).map((tens) => tens * 10), savesCard: fc.boolean() })
    .map((purchase) => async () => ({ key: newId('key'), ...purchase })),
  'billing.customerPage': fc.constant(given()),
  'billing.removeCard': fc.constant(given()),
  'billing.setAlerts': fc.array(credits, { maxLength: 5 }).map((thresholds) => given({ thresholds })),
  'billing.setCap': fc.option(credits).map((capCredits) => given({ capCredits })),
  'billing.setAutoTopUp': fc
    .record({
      isOn: fc.boolean(),
      thresholdCredits: fc.integer({ min: 1, max: 300 }),
      tens: fc.integer({ min: 50, max: 200 }),
      times: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ tens, times, ...wanted }) => given({ ...wanted, amountPence: tens * 10, ceilingPence: tens * 10 * times })),
  'keys.create': newKey.map(given),
  'keys.rotate': fc.tuple(newKey, fc.constantFrom(0, 1, 6, 24)).map(([key, overlapHours]) => async ({ member }) => ({
    id: await madeKey(member, key),
    overlapHours,
  })),
  'keys.revoke': newKey.map((key) => async ({ member }) => ({ id: await madeKey(member, key) })),
  'licence.accept': fc.constant(async ({ stage, member }) => {
    await stage.sql("UPDATE account SET accepted_licence = 'v2020-01' WHERE id = $1", [member.id])
    return undefined
  }),
  'profile.rename': text.map((name) => given({ name })),
  'security.changePassword': fc.constant(given({ ...proof, password: goodPassword })),
  'security.changeEmail': fc.nat().map((number) => given({ ...proof, email: `new-${newId('x')}-${number}@example.test` })),
  'security.beginSecondFactor': fc.constant(given(proof)),
  'security.confirmSecondFactor': fc.constant(async ({ member }) => {
    await putFactor(member, false)
    return { code: await rightCode(member.visitor) }
  }),
  'security.turnOffSecondFactor': fc.constant(async ({ member }) => {
    await putFactor(member, true)
    return proof
  }),
  'security.renewRecoveryCodes': fc.constant(async ({ member }) => {
    await putFactor(member, true)
    return proof
  }),
  'security.closeAccount': fc.constant(async ({ member }) => ({ ...proof, email: member.email })),
  'session.end': fc.constant(async (actor) => ({ id: await otherSession(actor) })),
  'session.endAll': fc.constant(given()),
}
