import { expect, test } from 'vitest'
import { turnOn } from '#server/auth/second-factor.store.ts'
import { codeAt, stepAt } from '#server/auth/totp.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member, portalStage } from './support/portal-stage.ts'
import { errorOf, type Page } from './support/visitor.ts'

/** Setting the second factor up: whose secret it is that is turned on in the end. */
const stage = portalStage()

const secretOn = (page: Page): string => (/([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(page.text)?.[0] ?? '').replaceAll(' ', '')
const codeNow = (secret: string): string => codeAt(secret, stepAt(Date.now()))
const begun = async ({ visitor }: Member): Promise<Page> => visitor.press(await visitor.open('/portal/settings'), 'Set up two-factor sign-in')
const factorsOf = ({ id }: Member) => stage.sql<{ is_on: boolean }>('SELECT since IS NOT NULL AS is_on FROM second_factor WHERE account_id = $1', [id])

test('each beginning has a secret of its own, and the last one shown is the one that is turned on', async () => {
  const member = await stage.member()
  const [first, last] = [await begun(member), await begun(member)]
  expect(secretOn(first)).not.toBe(secretOn(last))
  const { visitor } = member
  expect((await visitor.press(first, 'Turn on', { code: codeNow(secretOn(first)) })).text).toContain('Code is not correct.')
  const wrong = await visitor.press(last, 'Turn on', { code: '000000' })
  expect([wrong.text.includes('Code is not correct.'), secretOn(wrong)]).toEqual([true, secretOn(last)])
  expect((await visitor.press(wrong, 'Turn on', { code: codeNow(secretOn(last)) })).text).toContain('Two-factor sign-in is on.')
})

test('a secret that nobody has shown a code of is not turned on', async () => {
  const member = await stage.member()
  await begun(member)
  expect(await inTransaction(stage.pool, (client) => turnOn(client, member.id, Buffer.from('another'), 1))).toBe(false)
  expect(await factorsOf(member)).toEqual([{ is_on: false }])
})

test('a set-up that was begun ends with the password that it was begun with', async () => {
  const [changed, reset] = [await stage.member(), await stage.member()]
  const pages = [await begun(changed), await begun(reset)] as const
  await changed.visitor.press(await changed.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  const other = stage.visitor()
  await other.press(await other.open('/reset'), 'Send reset link', { email: reset.email })
  await other.press(await other.open(linkIn(await stage.mailbox.next(reset.email))), 'Save password', { password: 'another good password' })
  expect([await factorsOf(changed), await factorsOf(reset)]).toEqual([[], []])
  const late = await changed.visitor.press(pages[0], 'Turn on', { code: codeNow(secretOn(pages[0])) })
  expect(late.text).toContain('This set-up has ended. Load the page again and begin another.')
})

test('a factor that is on stays on when the password is changed', async () => {
  const member = await stage.member()
  const page = await begun(member)
  await member.visitor.press(page, 'Turn on', { code: codeNow(secretOn(page)) })
  await member.visitor.press(await member.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect(await factorsOf(member)).toEqual([{ is_on: true }])
})

test('a set-up that was sealed with another secret of the service is begun anew', async () => {
  const member = await stage.member()
  await stage.sql("INSERT INTO second_factor (account_id, secret) VALUES ($1, '\\x00')", [member.id])
  const page = await begun(member)
  expect((await member.visitor.press(page, 'Turn on', { code: codeNow(secretOn(page)) })).text).toContain('Two-factor sign-in is on.')
})

test('recovery codes are replaced while the factor is on, and the owner is told', async () => {
  const member = await stage.member()
  const { visitor, email, id } = member
  const renew = (code = '') => visitor.call('security.renewRecoveryCodes', 'mutation', { code })
  expect(errorOf(await renew()).message).toBe('Two-factor sign-in is off.')
  expect(await stage.sql('SELECT FROM recovery_code WHERE account_id = $1', [id])).toEqual([])
  const page = await begun(member)
  await visitor.press(page, 'Turn on', { code: codeNow(secretOn(page)) })
  expect((await renew(codeAt(secretOn(page), stepAt(Date.now()) + 1))).status).toBe(200)
  await stage.mailbox.next(email, 2)
  const mail = stage.mailbox.to(email).find(({ subject }) => subject === 'Your recovery codes were replaced')
  expect(mail?.text).toContain('Your previous recovery codes no longer work.')
})
