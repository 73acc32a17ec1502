import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { decode, encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { themeCookies } from '#components/site/theme-choice.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { type CookieKind, cookieKinds, makeCookie, openCookie, readToken } from '#server/auth/cookies.ts'
import { randomBase62 } from '#server/ids.ts'

const secret = 'a secret of the tests that is long enough'
const context = { publicUrl: 'https://rates.example.test', secret } as AuthContext
const claims = { sub: 'acc_somebody', sid: 'ses_something' }
const signIn = { account: 'acc_somebody', version: 1, next: '/portal' }

const base64url = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64url')

/** Encrypts claims with next-auth's derived key, but with A128CBC-HS256 (RFC 7518, 5.2.3). */
function otherAlgorithm(payload: object): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32))
  const head = base64url('{"alg":"dir","enc":"A128CBC-HS256"}')
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-128-cbc', key.subarray(16), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(payload)), cipher.final()])
  const headBits = Buffer.alloc(8)
  headBits.writeBigUInt64BE(BigInt(head.length * 8))
  const tag = createHmac('sha256', key.subarray(0, 16))
    .update(Buffer.concat([Buffer.from(head), iv, text, headBits]))
    .digest()
  return [head, '', base64url(iv), base64url(text), base64url(tag.subarray(0, 16))].join('.')
}

test('generates session tokens with more than 128 random bits', () => {
  // As in server/auth/sessions.ts: 24 characters from an alphabet of 62.
  expect(24 * Math.log2(62)).toBeGreaterThan(128)
  expect(randomBase62(24)).toMatch(/^[0-9A-Za-z]{24}$/)
})

test('decrypts its own cookies', async () => {
  const { value } = await makeCookie(context, 'code', signIn)
  expect(await openCookie(context, 'code', value)).toMatchObject(signIn)
})

test('rejects a modified cookie, a cookie of another type, and one encrypted with another secret', async () => {
  const session = await encode({ token: claims, secret })
  const { value } = await makeCookie(context, 'code', signIn)
  for (const kind of Object.keys(cookieKinds) as CookieKind[]) {
    expect([kind, await openCookie(context, kind, session)]).toEqual([kind, null])
    if (kind !== 'code') expect([kind, await openCookie(context, kind, value)]).toEqual([kind, null])
  }
  await expect(readToken({ token: value, secret })).rejects.toThrow()
  expect(await openCookie({ ...context, secret: 'another secret of the tests, long enough too' }, 'code', value)).toBeNull()
  for (const at of [0, 10, value.indexOf('..') + 5, value.length - 3]) {
    const changed = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`
    expect([at, await openCookie(context, 'code', changed)]).toEqual([at, null])
  }
})

test('rejects an expired cookie', async () => {
  const expired = await encode({ token: signIn, secret, salt: 'svc.code', maxAge: -60 })
  expect(await openCookie(context, 'code', expired)).toBeNull()
})

test('rejects a token encrypted with the right key but another algorithm', async () => {
  const other = otherAlgorithm({ ...claims, exp: Math.floor(Date.now() / 1_000) + 60 })
  // next-auth's own `decode` accepts the token.
  expect(await decode({ token: other, secret })).toMatchObject(claims)
  expect(await readToken({ token: other, secret })).toBeNull()
  expect(await readToken({ token: `${base64url('{"alg":"none"}')}.${base64url(JSON.stringify(claims))}.`, secret })).toBeNull()
  expect(await readToken({ token: await encode({ token: claims, secret }), secret })).toMatchObject(claims)
})

test('limits the theme cookie to this host over HTTPS', () => {
  const [set = '', removed = ''] = themeCookies('dark', true)
  expect(set).toBe('__Host-theme=dark; Path=/; SameSite=Lax; Max-Age=31536000; Secure')
  expect(removed).toMatch(/^theme=; .*Max-Age=0; .*Secure$/)
  expect(themeCookies('dark', false)).toEqual(['theme=dark; Path=/; SameSite=Lax; Max-Age=31536000'])
})
