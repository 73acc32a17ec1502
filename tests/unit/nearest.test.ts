import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest, suggestion } from '#server/api/contract/nearest.ts'

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
])('for "%s" suggests %s', (word, meant) => {
  expect(nearest(word, words)).toBe(meant)
})

test('breaks ties by longest common prefix, then by the closest differing character, then by order', () => {
  const years = ['2023-24', '2024-25', '2025-26', '2026-27', '2027-28']
  expect(['2028-29', '2022-23'].map((year) => nearest(year, years))).toEqual(['2027-28', '2023-24'])
  expect(nearest('abcd', ['xbcd', 'abcx', 'abxd'])).toBe('abcx')
  expect(nearest('abd', ['abc', 'abe'])).toBe('abc')
  expect(nearest('abe', ['abc', 'abe'])).toBe('abe')
  expect(nearest('x', [])).toBeNull()
})

test('returns the suggestion as a sentence, or an empty string if there is none', () => {
  expect(suggestion('tpye', words)).toBe(' Did you mean "type"?')
  expect(suggestion('zzzzzzzz', words)).toBe('')
})

/** Computes the edit distance recursively from its definition: characters are replaced, added, removed or swapped. */
function editsBetween(a: string, b: string, known = new Map<string, number>()): number {
  const key = `${a.length} ${b.length}`
  const before = known.get(key)
  if (before !== undefined) return before
  const of = (i: number, j: number) => editsBetween(a.slice(0, a.length - i), b.slice(0, b.length - j), known)
  if (a === '' || b === '') return a.length + b.length
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
  const edits = Math.min(of(1, 0) + 1, of(0, 1) + 1, of(1, 1) + Number(a.at(-1) !== b.at(-1)), isSwap ? of(2, 2) + 1 : Number.POSITIVE_INFINITY)
  known.set(key, edits)
  return edits
}

/** Returns how well a name matches: the number of edits, then the length of the common prefix, then the distance between the first characters that differ. */
function getFit(word: string, name: string): [edits: number, along: number, gap: number] {
  const along = [...Array(word.length + 1).keys()].findLast((length) => name.startsWith(word.slice(0, length))) ?? 0
  return [editsBetween(word, name), -along, Math.abs((word.codePointAt(along) ?? 0) - (name.codePointAt(along) ?? 0))]
}

/** Returns the same result as `nearest`, computed without optimisations. */
function nearestByDefinition(word: string, names: readonly string[]): string | null {
  const fits = names.map((name) => ({ name, fit: getFit(word.toLowerCase(), name.toLowerCase()) }))
  const near = fits.filter(({ fit: [edits] }) => edits <= Math.max(2, Math.floor(word.length / 3)))
  return near.toSorted((a, b) => a.fit.map((part, place) => part - (b.fit[place] ?? 0)).find((gap) => gap < 0 || gap > 0) ?? 0)[0]?.name ?? null
}

test('returns the same suggestions as the unoptimised algorithm', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B', '-', '1', 'm', '\u00e9'), maxLength: 12 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 12 }), (typed, names) => {
      expect(nearest(typed, names)).toBe(nearestByDefinition(typed, names))
    }),
    { seed: 20_261_121, numRuns: 3_000 },
  )
})

const parts = ['north', 'south', 'river', 'castle', 'bank', 'savings', 'society', 'mutual', 'oak', 'harbour', 'trust', 'bridge', 'meadow']
const partAt = (place: number) => parts[place % parts.length] ?? ''

/** Returns slugs so similar in length and form that the pre-check cannot rule out any of them. */
function slugs(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${partAt(at)}-${partAt(at * 7 + 3)}-${partAt(Math.floor(at / 13))}-${at.toString(36)}`)
}

/** Computes the edit distance with the full table, without a pre-check. */
function editsByTable(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]))
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** Returns the shortest of several runs in milliseconds, to exclude interference from other processes. */
function leastMs(run: () => unknown): number {
  const rounds = Array.from({ length: 7 }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return Math.min(...rounds)
}

test('is at least three times as fast as computing full distance tables, and gives up on very long lists', () => {
  const names = slugs(5_000)
  for (const word of ['savings-society-mutualx', 'zzzzzzzzzzzzzzzzzzzz', 'meadow-oak-north-zz']) {
    const byTable = leastMs(() => names.map((name) => editsByTable(word, name)))
    expect(byTable / leastMs(() => nearest(word, names)), word).toBeGreaterThan(3)
  }
  expect(nearest('meadow-oak-nort-9', [...slugs(20_000), 'meadow-oak-nort-9'])).not.toBe('meadow-oak-nort-9')
})
