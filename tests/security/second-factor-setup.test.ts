/** Tests an unconfirmed two-factor set-up: a stolen session must not be able to take over the account. */
import { expect, test } from 'vitest'
import { limits } from '#server/accounts/throttle.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { turnOn } from '#server/self-service/second-factor-setup.ts'
import { goodPassword, type Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { codeAt, stepAt } from '../support/totp.ts'

const fixture = portalFixture()

const beginSetUp = async ({ visitor }: Member): Promise<string> => getData(await visitor.call('security.beginSecondFactor', 'mutation')).secret
const codeNow = (secret: string): string => codeAt(secret, stepAt(Date.now()))
/** Returns a code that stays wrong for at least 90 seconds. */
const wrongCode = (secret: string): string => {
  const near = new Set([-1, 0, 1, 2, 3].map((steps) => codeAt(secret, stepAt(Date.now()) + steps)))
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code)) ?? ''
}
const confirm = ({ visitor }: Member, code: string) => visitor.call('security.confirmSecondFactor', 'mutation', { code })
const isOn = async ({ id }: Member) => (await fixture.sql('SELECT FROM second_factor WHERE account_id = $1 AND since IS NOT NULL', [id])).length === 1
const age = ({ id }: Member, minutes: number) =>
  fixture.sql('UPDATE second_factor SET started_at = now() - make_interval(mins => $2) WHERE account_id = $1', [id, minutes])

test('requires a recent sign-in to confirm a set-up', async () => {
  const member = await fixture.member()
  const secret = await beginSetUp(member)
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [member.id])
  const refused = await confirm(member, codeNow(secret))
  expect([refused.status, getError(refused).data.proof, await isOn(member)]).toEqual([403, 'password', false])
})

test('asks for the password if the sign-in is not recent, then turns two-factor sign-in on', async () => {
  const { visitor, ...member } = await fixture.member()
  const setUp = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set up two-factor sign-in')
  const { secret } = setUp.result
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes', reauthenticated_at = NULL WHERE account_id = $1", [member.id])
  const turnOn = () => visitor.call('security.confirmSecondFactor', 'mutation', { code: codeNow(secret) })
  expect(getError(await turnOn()).data.proof).toBe('password')
  await visitor.call('security.reauthenticate', 'mutation', { password: goodPassword, code: '' })
  expect(getData(await turnOn())).toHaveLength(10)
})

test('limits wrong set-up codes, and then rejects even the right code', async () => {
  const member = await fixture.member()
  const secret = await beginSetUp(member)
  const wrong = wrongCode(secret)
  const answers = await Promise.all(Array.from({ length: 3 * limits.code.allowed }, () => confirm(member, wrong)))
  const checked = answers.filter((answer) => getError(answer).data.fields?.code !== undefined)
  expect(checked).toHaveLength(limits.code.allowed)
  // Starting the set-up again does not reset the count of wrong codes.
  const again = await confirm(member, codeNow(await beginSetUp(member)))
  expect([again.status, getError(again).message, await isOn(member)]).toEqual([429, expect.stringMatching(/^Too many attempts/), false])
})

test('a set-up expires after 15 minutes', async () => {
  const [inTime, late] = [await fixture.member(), await fixture.member()]
  const secrets = [await beginSetUp(inTime), await beginSetUp(late)] as const
  await age(inTime, 14)
  await age(late, 16)
  expect((await confirm(inTime, codeNow(secrets[0]))).status).toBe(200)
  const refused = await confirm(late, codeNow(secrets[1]))
  expect(getError(refused).data.fields).toEqual({ form: 'This set-up has expired. Reload the page and start again.' })
  expect((await confirm(late, codeNow(await beginSetUp(late)))).status).toBe(200)
})

test('refuses to turn two-factor sign-in on if the set-up expired after it was read', async () => {
  const member = await fixture.member()
  await beginSetUp(member)
  await age(member, 16)
  const [row] = await fixture.sql<{ secret: Buffer<ArrayBuffer> }>('SELECT secret FROM second_factor WHERE account_id = $1', [member.id])
  expect(await inTransaction(fixture.pool, (client) => turnOn(client, member.id, row?.secret ?? Buffer.alloc(0), 1))).toBe(false)
})
