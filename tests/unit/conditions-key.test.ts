import { expect, test } from 'vitest'
import { conditionsKey } from '#server/market/product-filters.ts'

test('different conditions have different keys, even if a value contains separators', () => {
  type Given = Parameters<typeof conditionsKey>[0]
  const one = [{ name: 'sourceKeys0', key: 'a,b\nname0 foo' }] as unknown as Given
  const two = [
    { name: 'sourceKeys0', key: 'a,b' },
    { name: 'name0', key: 'foo' },
  ] as unknown as Given
  expect(conditionsKey(one)).not.toBe(conditionsKey(two))
})
