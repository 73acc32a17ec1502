import { expect, test } from 'vitest'
import { textChanges } from '#components/docs/text-changes.ts'

const signs = (before: string, after: string) => textChanges(before, after)?.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text}`)

test('lists only removed and added paragraphs, in order', () => {
  expect(signs('a\n\nb\n\nc', 'a\n\nb\n\nc')).toEqual([])
  expect(signs('a\n\nb\n\nc', 'a\n\nB\n\nc')).toEqual(['-b', '+B'])
  expect(signs('a\n\nc', 'a\n\nb\n \nc\n\nd')).toEqual(['+b', '+d'])
  expect(signs('a\n\nb\n\nc', 'c')).toEqual(['-a', '-b'])
  expect(signs('', 'a')).toEqual(['+a'])
  expect(signs('a\n\nb', 'b\n\na')).toEqual(['-a', '+a'])
})

test('returns null for very long documents', () => {
  expect(textChanges('a\n\n'.repeat(601), 'a')).toBeNull()
})
