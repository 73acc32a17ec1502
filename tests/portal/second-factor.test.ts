import { expect, test } from 'vitest'
import { turnOn } from '#server/auth/second-factor.store.ts'
import { codeAt, stepAt } from '#server/auth/totp.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member, portalStage } from './support/portal-stage.ts'
import { errorOf, type Page } from './support/visitor.ts'

/** Two-factor set-up, and which secret is turned on in the end. */
const stage = portalStage()

const secretOn = (page: Page): string => (/([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(page.text)?.[0] ?? '').replaceAll(' ', '')
const codeNow = (secret: string): string => codeAt(secret, stepAt(Date.now()))
const startSetUp = async ({ visitor }: Member): Promise<Page> => visitor.press(await visitor.open('/portal/settings'), 'Set up two-factor sign-in')
const getFactors = ({ id }: Member) => stage.sql<{ is_on: boolean }>('SELECT since IS NOT NULL AS is_on FROM second_factor WHERE account_id = $1', [id])

test('creates a new secret for each set-up, and turns on the last one shown', async () => {
  const member = await stage.member()
  const [first, last] = [await startSetUp(member), await startSetUp(member)]
  expect(secretOn(first)).not.toBe(secretOn(last))
  const { visitor } = member
  expect((await visitor.press(first, 'Turn on', { code: codeNow(secretOn(first)) })).text).toContain('Code is not correct.')
  const wrong = await visitor.press(last, 'Turn on', { code: '000000' })
  expect([wrong.text.includes('Code is not correct.'), secretOn(wrong)]).toEqual([true, secretOn(last)])
  expect((await visitor.press(wrong, 'Turn on', { code: codeNow(secretOn(last)) })).text).toContain('Two-factor sign-in is on.')
})

test('never turns on a secret without a valid code', async () => {
  const member = await stage.member()
  await startSetUp(member)
  expect(await inTransaction(stage.pool, (client) => turnOn(client, member.id, Buffer.from('another'), 1))).toBe(false)
  expect(await getFactors(member)).toEqual([{ is_on: false }])
})

test('cancels a pending set-up when the password changes', async () => {
  const [changed, reset] = [await stage.member(), await stage.member()]
  const pages = [await startSetUp(changed), await startSetUp(reset)] as const
  await changed.visitor.press(await changed.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  const other = stage.visitor()
  await other.press(await other.open('/reset'), 'Send reset link', { email: reset.email })
  await other.press(await other.open(linkIn(await stage.mailbox.next(reset.email))), 'Save password', { password: 'another good password' })
  expect([await getFactors(changed), await getFactors(reset)]).toEqual([[], []])
  const late = await changed.visitor.press(pages[0], 'Turn on', { code: codeNow(secretOn(pages[0])) })
  expect(late.text).toContain('This set-up has ended. Load the page again and begin another.')
})

test('stays on when the password changes', async () => {
  const member = await stage.member()
  const page = await startSetUp(member)
  await member.visitor.press(page, 'Turn on', { code: codeNow(secretOn(page)) })
  await member.visitor.press(await member.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect(await getFactors(member)).toEqual([{ is_on: true }])
})

test('restarts a set-up that was encrypted with another service secret', async () => {
  const member = await stage.member()
  await stage.sql("INSERT INTO second_factor (account_id, secret) VALUES ($1, '\\x00')", [member.id])
  const page = await startSetUp(member)
  expect((await member.visitor.press(page, 'Turn on', { code: codeNow(secretOn(page)) })).text).toContain('Two-factor sign-in is on.')
})

test('replaces recovery codes while two-factor sign-in is on, and notifies the owner', async () => {
  const member = await stage.member()
  const { visitor, email, id } = member
  const renew = (code = '') => visitor.call('security.renewRecoveryCodes', 'mutation', { code })
  expect(errorOf(await renew()).message).toBe('Two-factor sign-in is off.')
  expect(await stage.sql('SELECT FROM recovery_code WHERE account_id = $1', [id])).toEqual([])
  const page = await startSetUp(member)
  await visitor.press(page, 'Turn on', { code: codeNow(secretOn(page)) })
  expect((await renew(codeAt(secretOn(page), stepAt(Date.now()) + 1))).status).toBe(200)
  await stage.mailbox.next(email, 2)
  const mail = stage.mailbox.to(email).find(({ subject }) => subject === 'Your recovery codes were replaced')
  expect(mail?.text).toContain('Your previous recovery codes no longer work.')
})
