/** Tests two-factor set-ups, in particular which secret is activated. */
import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { turnOn } from '#server/self-service/second-factor-setup.ts'
import { codeAt, stepAt } from '../support/totp.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

const codeNow = (secret: string): string => codeAt(secret, stepAt(Date.now()))
/** Starts a set-up on the page. Returns its secret. */
const startSetUp = async ({ visitor }: Member): Promise<string> =>
  (await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set up two-factor sign-in')).result.secret
const confirm = ({ visitor }: Member, code: string) => visitor.call('security.confirmSecondFactor', 'mutation', { code })
const getFactors = ({ id }: Member) => fixture.sql<{ is_on: boolean }>('SELECT since IS NOT NULL AS is_on FROM second_factor WHERE account_id = $1', [id])

test('creates a new secret each time a set-up starts, and only the latest one can be activated', async () => {
  const member = await fixture.member()
  const [first, last] = [await startSetUp(member), await startSetUp(member)]
  expect(first).not.toBe(last)
  for (const code of [codeNow(first), '000000']) {
    expect(getError(await confirm(member, code)).data.fields).toEqual({ code: 'Code is not correct. Enter the code that your app shows now.' })
  }
  expect(getData(await confirm(member, codeNow(last)))).toHaveLength(10)
})

test('activates only the secret of the pending set-up', async () => {
  const member = await fixture.member()
  await startSetUp(member)
  expect(await inTransaction(fixture.pool, (client) => turnOn(client, member.id, Buffer.from('another'), 1))).toBe(false)
  expect(await getFactors(member)).toEqual([{ is_on: false }])
})

test('a password change cancels a pending set-up', async () => {
  const [changed, reset] = [await fixture.member(), await fixture.member()]
  const secrets = [await startSetUp(changed), await startSetUp(reset)] as const
  await changed.visitor.submitForm(await changed.visitor.open('/portal/settings/security'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  const other = fixture.visitor()
  await other.submitForm(await other.open('/reset'), 'Send reset link', { email: reset.email })
  await other.submitForm(await other.open(linkIn(await fixture.mailbox.next(reset.email))), 'Save password', { password: 'another good password' })
  expect([await getFactors(changed), await getFactors(reset)]).toEqual([[], []])
  const late = await confirm(changed, codeNow(secrets[0]))
  expect(getError(late).data.fields).toEqual({ form: 'This set-up has expired. Reload the page and start again.' })
})

test('two-factor sign-in stays on when the password changes', async () => {
  const member = await fixture.member()
  await confirm(member, codeNow(await startSetUp(member)))
  await member.visitor.submitForm(await member.visitor.open('/portal/settings/security'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect(await getFactors(member)).toEqual([{ is_on: true }])
})

test('restarts a set-up that cannot be decrypted with the current service secret', async () => {
  const member = await fixture.member()
  await fixture.sql("INSERT INTO second_factor (account_id, secret) VALUES ($1, '\\x00')", [member.id])
  expect(getData(await confirm(member, codeNow(await startSetUp(member))))).toHaveLength(10)
})

test('replaces recovery codes while two-factor sign-in is on, and notifies the owner', async () => {
  const member = await fixture.member()
  const { visitor, email, id } = member
  const renew = (code = '') => visitor.call('security.renewRecoveryCodes', 'mutation', { code })
  expect(getError(await renew()).message).toBe('Two-factor sign-in is off.')
  expect(await fixture.sql('SELECT FROM recovery_code WHERE account_id = $1', [id])).toEqual([])
  const secret = await startSetUp(member)
  await confirm(member, codeNow(secret))
  expect((await renew(codeAt(secret, stepAt(Date.now()) + 1))).status).toBe(200)
  await fixture.mailbox.next(email, 2)
  const mail = fixture.mailbox.to(email).find(({ subject }) => subject === 'Your recovery codes were replaced')
  expect(mail?.text).toContain('Your previous recovery codes no longer work.')
})
