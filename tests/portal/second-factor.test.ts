/** Tests two-factor set-ups, in particular which secret is activated. */
import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { turnOn } from '#server/self-service/second-factor-setup.ts'
import { codeAt, stepAt } from '../support/totp.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getError, type Page } from './support/visitor.ts'

const fixture = portalFixture()

const secretOn = (page: Page): string => (/([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(page.text)?.[0] ?? '').replaceAll(' ', '')
const codeNow = (secret: string): string => codeAt(secret, stepAt(Date.now()))
const startSetUp = async ({ visitor }: Member): Promise<Page> => visitor.submitForm(await visitor.open('/portal/settings'), 'Set up two-factor sign-in')
const getFactors = ({ id }: Member) => fixture.sql<{ is_on: boolean }>('SELECT since IS NOT NULL AS is_on FROM second_factor WHERE account_id = $1', [id])

test('creates a new secret each time a set-up starts, and only the latest one can be activated', async () => {
  const member = await fixture.member()
  const [first, last] = [await startSetUp(member), await startSetUp(member)]
  expect(secretOn(first)).not.toBe(secretOn(last))
  const { visitor } = member
  expect((await visitor.submitForm(first, 'Turn on', { code: codeNow(secretOn(first)) })).text).toContain('Code is not correct.')
  const wrong = await visitor.submitForm(last, 'Turn on', { code: '000000' })
  expect([wrong.text.includes('Code is not correct.'), secretOn(wrong)]).toEqual([true, secretOn(last)])
  expect((await visitor.submitForm(wrong, 'Turn on', { code: codeNow(secretOn(last)) })).text).toContain('Two-factor sign-in is on.')
})

test('activates only the secret of the pending set-up', async () => {
  const member = await fixture.member()
  await startSetUp(member)
  expect(await inTransaction(fixture.pool, (client) => turnOn(client, member.id, Buffer.from('another'), 1))).toBe(false)
  expect(await getFactors(member)).toEqual([{ is_on: false }])
})

test('a password change cancels a pending set-up', async () => {
  const [changed, reset] = [await fixture.member(), await fixture.member()]
  const pages = [await startSetUp(changed), await startSetUp(reset)] as const
  await changed.visitor.submitForm(await changed.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  const other = fixture.visitor()
  await other.submitForm(await other.open('/reset'), 'Send reset link', { email: reset.email })
  await other.submitForm(await other.open(linkIn(await fixture.mailbox.next(reset.email))), 'Save password', { password: 'another good password' })
  expect([await getFactors(changed), await getFactors(reset)]).toEqual([[], []])
  const late = await changed.visitor.submitForm(pages[0], 'Turn on', { code: codeNow(secretOn(pages[0])) })
  expect(late.text).toContain('This set-up has expired. Reload the page and start again.')
})

test('two-factor sign-in stays on when the password changes', async () => {
  const member = await fixture.member()
  const page = await startSetUp(member)
  await member.visitor.submitForm(page, 'Turn on', { code: codeNow(secretOn(page)) })
  await member.visitor.submitForm(await member.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect(await getFactors(member)).toEqual([{ is_on: true }])
})

test('restarts a set-up that cannot be decrypted with the current service secret', async () => {
  const member = await fixture.member()
  await fixture.sql("INSERT INTO second_factor (account_id, secret) VALUES ($1, '\\x00')", [member.id])
  const page = await startSetUp(member)
  expect((await member.visitor.submitForm(page, 'Turn on', { code: codeNow(secretOn(page)) })).text).toContain('Two-factor sign-in is on.')
})

test('replaces recovery codes while two-factor sign-in is on, and notifies the owner', async () => {
  const member = await fixture.member()
  const { visitor, email, id } = member
  const renew = (code = '') => visitor.call('security.renewRecoveryCodes', 'mutation', { code })
  expect(getError(await renew()).message).toBe('Two-factor sign-in is off.')
  expect(await fixture.sql('SELECT FROM recovery_code WHERE account_id = $1', [id])).toEqual([])
  const page = await startSetUp(member)
  await visitor.submitForm(page, 'Turn on', { code: codeNow(secretOn(page)) })
  expect((await renew(codeAt(secretOn(page), stepAt(Date.now()) + 1))).status).toBe(200)
  await fixture.mailbox.next(email, 2)
  const mail = fixture.mailbox.to(email).find(({ subject }) => subject === 'Your recovery codes were replaced')
  expect(mail?.text).toContain('Your previous recovery codes no longer work.')
})
