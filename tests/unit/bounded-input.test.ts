import { expect, test } from 'vitest'
import { hasNul, isTooDeep, maxBodyBytes, maxDepth, readBounded } from '#server/trpc/bounded-input.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('rejects more than 32 levels of nesting', () => {
  expect([isTooDeep(nested(maxDepth)), isTooDeep(nested(maxDepth + 1)), isTooDeep('{"a":'.repeat(maxDepth + 1))]).toEqual([false, true, true])
})

test('ignores brackets inside strings', () => {
  expect(isTooDeep(JSON.stringify({ name: `a quote " and a backslash \\ ${'['.repeat(100)}` }))).toBe(false)
})

test('counts half a million brackets without recursion', () => {
  expect(isTooDeep('['.repeat(500_000))).toBe(true)
})

test('finds a NUL character in a circular object', () => {
  const value: Record<string, unknown> = { name: 'plain' }
  value['self'] = value
  expect(hasNul(value)).toBe(false)
  value['list'] = [{ text: 'a\0b' }]
  expect(hasNul(value)).toBe(true)
})

test('stops reading a body at 65,536 bytes', async () => {
  const body = (bytes: number) => new Blob(['x'.repeat(bytes)]).stream()
  expect((await readBounded(body(maxBodyBytes)))?.length).toBe(maxBodyBytes)
  expect(await readBounded(body(maxBodyBytes + 1))).toBeNull()
  expect(await readBounded(null)).toBe('')
})
