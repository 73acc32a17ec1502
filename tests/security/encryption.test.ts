import { expect, test } from 'vitest'
import { decrypt, encrypt } from '#server/accounts/encryption.ts'

const secret = 'a secret of the tests that is long enough'
const stored = () => encrypt(secret, 'second factor', '17', 'JBSWY3DPEHPK3PXP')

test('encrypts the same text differently each time', () => {
  expect(stored().equals(stored())).toBe(false)
  expect(stored().toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
})

test('decrypts with the same secret, purpose and subject', () => {
  expect(decrypt(secret, 'second factor', '17', stored())).toBe('JBSWY3DPEHPK3PXP')
})

test('refuses to decrypt if a single bit of any byte was changed', () => {
  const bytes = stored()
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => decrypt(secret, 'second factor', '17', changed), `byte ${at}`).toThrow()
  }
})

test.each([
  ['another secret', 'another secret of the tests, long enough too', 'second factor', '17'],
  ['another purpose', secret, 'webhook secret', '17'],
  ['another subject', secret, 'second factor', '18'],
])('refuses to decrypt with %s', (_, otherSecret, purpose, subject) => {
  expect(() => decrypt(otherSecret, purpose, subject, stored())).toThrow()
})
