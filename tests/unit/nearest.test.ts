import { expect, test } from 'vitest'
import { nearest, suggestion } from '../../server/contract/nearest.ts'

const words = ['type', 'provider', 'amount', 'limit', 'cursor', 'fields']

test.each([
  ['tpye', 'type'],
  ['typ', 'type'],
  ['types', 'type'],
  ['TYPE', 'type'],
  ['Limit', 'limit'],
  ['lmiit', 'limit'],
  ['ammount', 'amount'],
  ['provder', 'provider'],
  ['providers', 'provider'],
  ['cusror', 'cursor'],
  ['feilds', 'fields'],
  ['zzzzzzzz', null],
  ['something-else', null],
  ['', null],
  ['p'.repeat(65), null],
])('"%s" was meant to be %s', (word, meant) => {
  expect(nearest(word, words)).toBe(meant)
})

test('among names as near the first one is taken, and an exact name before all', () => {
  expect(nearest('abd', ['abc', 'abe'])).toBe('abc')
  expect(nearest('abe', ['abc', 'abe'])).toBe('abe')
  expect(nearest('x', [])).toBeNull()
})

test('a suggestion is a sentence, or nothing', () => {
  expect(suggestion('tpye', words)).toBe(' Did you mean "type"?')
  expect(suggestion('zzzzzzzz', words)).toBe('')
})
