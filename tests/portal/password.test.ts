import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashPassword, isCommonPassword, isPassword, passwordFault } from '#server/accounts/password.ts'
import { getStep } from '#server/auth/second-factor.ts'
import { codeAt } from '../support/totp.ts'

test.each([
  'qwerty123456',
  '1qaz2wsx3edc',
  'UNBELIEVABLE',
  'administrator',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'passwordpassword',
  '123456789012',
  'abcdefghijklm',
  '987654321098',
])('%s is a common password', (password) => expect(isCommonPassword(password)).toBe(true))

test.each(['four green apples fell', 'Tr0ub4dor and three', 'a1b2c3d4e5f6zz', '紫陽花が咲く六月の朝に雨が降る'])('%s is not a common password', (password) => {
  expect(passwordFault(password, { email: 'somebody@example.test' })).toBeNull()
})

const ada = { email: 'ada.lovelace@analytical-engines.example', name: 'Engine No. 1' }

test.each([
  ['my Savings-Rates login', 'Password must not contain the name of this service.'],
  ['who knows Lovelace well', 'Password must not contain part of your email address.'],
  ['a.d.a.l.o.v.e.l.a.c.e', 'Password must not contain part of your email address.'],
  ['analytical apples fell', 'Password must not contain part of your email address.'],
  ['four engine no 1 apples', 'Password must not contain the name of your account.'],
  ['ada ate green apples', null],
])('"%s" must not contain account details: %s', (password, fault) => {
  expect(passwordFault(password, ada)).toBe(fault)
})

test('never treats random passwords as common', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 16, maxLength: 64, unit: fc.constantFrom(...'bdfhjlnprtvxz0246') }), (text) => !isCommonPassword(`Zq${text}7kW`)),
  )
})

test('hashes passwords with argon2id at the configured cost', async () => {
  const hash = await hashPassword('four green apples fell')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPassword(hash, 'four green apples fell')).toBe(true)
  expect(await isPassword(hash, 'four green apples fall')).toBe(false)
  expect(await isPassword(null, 'placeholder for an unknown account')).toBe(false)
})

test('normalises Unicode before hashing', async () => {
  expect(await isPassword(await hashPassword('caf\u00e9 au lait x'), 'cafe\u0301 au lait x')).toBe(true)
})

// Test vectors of RFC 6238, appendix B, truncated to six digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at Unix time %i the code is %s', (seconds, code) => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code)
  for (const drift of [-30, 0, 30]) expect(getStep(secret, code, (seconds + drift) * 1_000)).toBe(Math.floor(seconds / 30))
  expect(getStep(secret, code, (seconds + 90) * 1_000)).toBeNull()
})
