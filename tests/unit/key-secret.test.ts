import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, isWellFormed, keyHint, newKey } from '#server/keys/key-secret.ts'

test('has a mode prefix, 30 random characters and a 6-character checksum', () => {
  for (const mode of ['live', 'test'] as const) {
    for (let i = 0; i < 200; i++) {
      const key = newKey(mode)
      expect(key).toMatch(mode === 'live' ? /^svc_live_[0-9A-Za-z]{36}$/ : /^svc_test_[0-9A-Za-z]{36}$/)
      expect(isWellFormed(key)).toBe(true)
    }
  }
})

test('the checksum is the CRC-32 of the preceding characters in base 36', () => {
  const key = newKey('live')
  const body = key.slice(0, -6)
  expect(key.slice(-6)).toBe(crc32(body).toString(36).padStart(6, '0').slice(-6))
  expect(isWellFormed('svc_live_000000000000000000000000000000djczwa')).toBe(true)
  expect(isWellFormed('svc_live_000000000000000000000000000000000000')).toBe(false)
})

test('generates unique keys with evenly distributed characters', () => {
  const keys = Array.from({ length: 2_000 }, () => newKey('live'))
  expect(new Set(keys).size).toBe(2_000)
  const counts = new Map<string, number>()
  for (const character of keys.map((key) => key.slice(9, 39)).join('')) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // In 60,000 characters, each of the 62 occurs 968 times on average; the bounds are six standard deviations away.
  for (const [character, count] of counts) expect(count > 780 && count < 1_160, `${character} ${count}`).toBe(true)
})

test('rejects any single typo', () => {
  const key = newKey('test')
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  for (let at = 0; at < key.length; at++) {
    for (const character of alphabet) if (character !== key[at]) expect(isWellFormed(key.slice(0, at) + character + key.slice(at + 1))).toBe(false)
    expect(isWellFormed(key.slice(0, at) + key.slice(at + 1))).toBe(false)
    const swapped = key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2)
    if (swapped !== key) expect(isWellFormed(swapped)).toBe(false)
  }
})

test('rejects any text that is not a key', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^svc_(live|test)_[0-9A-Za-z]{36}$/)), (text) => {
      const expected = /^svc_(live|test)_[0-9A-Za-z]{36}$/.test(text) && text.slice(-6) === crc32(text.slice(0, -6)).toString(36).padStart(6, '0').slice(-6)
      expect(isWellFormed(text)).toBe(expected)
    }),
    { seed: 1, numRuns: 500 },
  )
  for (const text of [`${newKey('live')}\n`, ` ${newKey('live')}`, newKey('live').toUpperCase(), '']) expect(isWellFormed(text)).toBe(false)
})

test('stores keys as SHA-256 hashes and shows their last four characters', () => {
  const key = newKey('live')
  expect(hashKey(key)).toEqual(createHash('sha256').update(key).digest())
  expect(keyHint(key)).toBe(key.slice(-4))
})
