import { afterEach, expect, test } from 'vitest'
import { AddressLimit } from '#server/api/pipeline/rate-windows.ts'
import { clock } from '#server/clock.ts'

const realNow = clock.now
const minute = 60_000 * 29_000_000

afterEach(() => {
  clock.now = realNow
})

test('allows an address 1,000 calls per UTC minute', () => {
  clock.now = () => minute + 15_000
  const limit = new AddressLimit()
  for (let i = 1; i <= 1_000; i++) expect(limit.count('203.0.113.7')).toEqual({ limit: 1_000, left: 1_000 - i, resetSeconds: 45, isOver: false })
  expect(limit.count('203.0.113.7')).toEqual({ limit: 1_000, left: 0, resetSeconds: 45, isOver: true })
  expect(limit.count('203.0.113.8')).toMatchObject({ left: 999, isOver: false })
  clock.now = () => minute + 59_999
  expect(limit.count('203.0.113.7')).toMatchObject({ isOver: true, resetSeconds: 1 })
  clock.now = () => minute + 60_000
  expect(limit.count('203.0.113.7')).toEqual({ limit: 1_000, left: 999, resetSeconds: 60, isOver: false })
})

test('counts an IPv4-mapped IPv6 address as its IPv4 address', () => {
  const limit = new AddressLimit()
  limit.count('203.0.113.7')
  expect(limit.count('::ffff:203.0.113.7').left).toBe(998)
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::1'],
  ['2001:db8::1', '2001:db8::2'],
  ['2001:db8::1', '2001:db8:0:0:1::'],
  ['2001:db8:1::', '2001:db8:1:0:9:9:9:9'],
  ['::1', '::2'],
])('counts %s and %s together, as they share a /64', (one, other) => {
  const limit = new AddressLimit()
  limit.count(one)
  expect(limit.count(other).left).toBe(998)
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8::1', '2001:db9::1'],
  ['::1', '1::1'],
])('counts %s and %s separately, as their networks differ', (one, other) => {
  const limit = new AddressLimit()
  limit.count(one)
  expect(limit.count(other).left).toBe(999)
})

test('counts all callers without an address together', () => {
  const limit = new AddressLimit()
  limit.count(null)
  expect(limit.count(null).left).toBe(998)
})
