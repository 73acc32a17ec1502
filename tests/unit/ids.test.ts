import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { newPublicId, newRequestId, publicRequestId, randomBase62 } from '#server/ids.ts'

const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

test('generates request ids as version-7 UUIDs without dashes', () => {
  clock.now = () => 0x0199_8877_6655
  for (let i = 0; i < 2_000; i++) expect(newRequestId()).toMatch(/^0199887766557[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  clock.now = () => 1
  expect(newRequestId()).toMatch(/^0000000000017/)
})

test('generates ids that sort by time and never repeat', () => {
  let now = 1_798_761_600_000
  clock.now = () => now++
  const ids = Array.from({ length: 5_000 }, newRequestId)
  expect(ids.toSorted()).toEqual(ids)
  clock.now = () => 1_798_761_600_000
  expect(new Set(Array.from({ length: 20_000 }, newRequestId)).size).toBe(20_000)
})

test('randomises every bit of the random part', () => {
  const ones = Array.from({ length: 128 }, () => 0)
  for (let i = 0; i < 4_000; i++) {
    const bits = BigInt(`0x${newRequestId()}`).toString(2).padStart(128, '0')
    for (let at = 0; at < 128; at++) ones[at] = (ones[at] ?? 0) + Number(bits[at])
  }
  // An id has 48 bits of time, 4 of version, 12 random, 2 of variant and 62 random. The allowed deviation of 190 is six standard deviations.
  const random = [...ones.slice(52, 64), ...ones.slice(66)]
  for (const [at, count] of random.entries()) expect(Math.abs(count - 2_000), `random bit ${at}`).toBeLessThan(190)
  expect([...ones.slice(48, 52), ...ones.slice(64, 66)]).toEqual([0, 4_000, 4_000, 4_000, 4_000, 0])
})

test('formats the public id', () => {
  expect(publicRequestId('0199')).toBe('req_0199')
  expect(newPublicId('acc')).toMatch(/^acc_[0-9A-Za-z]{16}$/)
  expect(newPublicId('key')).toMatch(/^key_[0-9A-Za-z]{16}$/)
  expect(randomBase62(0)).toBe('')
  expect(randomBase62(1_000)).toHaveLength(1_000)
})
