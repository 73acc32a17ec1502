import { expect, test } from 'vitest'
import { linkIn } from '../portal/support/mailbox.ts'
import { goodPassword } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { codeAt, stepAt } from '../support/totp.ts'

const portal = portalFixture()

test('generates recovery codes with 140 random bits each, and stores only their hashes', async () => {
  const { visitor, id } = await portal.member()
  const { secret } = getData(await visitor.call('security.beginSecondFactor', 'mutation', { currentPassword: goodPassword }))
  const answer = await visitor.call('security.confirmSecondFactor', 'mutation', { code: codeAt(secret, stepAt(Date.now())) })
  expect(getError(answer)).toBeUndefined()
  const codes = getData(answer) as string[]
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^(?:[a-z2-7]{4}-){6}[a-z2-7]{4}$/)
    expect(code.replaceAll('-', '').length * Math.log2(32)).toBeGreaterThanOrEqual(128)
  }
  const rows = await portal.sql<{ row: string }>('SELECT recovery_code::text AS row FROM recovery_code WHERE account_id = $1', [id])
  expect(rows).toHaveLength(10)
  for (const code of codes) for (const { row } of rows) expect(row).not.toContain(code.replaceAll('-', ''))
})

test('keeps two-factor sign-in on after a password reset by email', async () => {
  const { email, id } = await portal.member()
  await portal.sql("INSERT INTO second_factor (account_id, secret, since) VALUES ($1, '\\x00', now())", [id])
  const visitor = portal.visitor()
  await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  const page = await visitor.open(linkIn(await portal.mailbox.next(email)))
  await visitor.submitForm(page, 'Save password', { password: 'another good password' })
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await portal.signIn(visitor, email, 'another good password')).path).toMatch(/^\/sign-in\/code/)
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
})
