const longestWord = 64

/** Maximum number of names compared, so that a typo can't keep the process busy. */
const maxNames = 10_000

/** Number of character buckets in the pre-check. Collisions can only make two words look more similar than they are. */
const kinds = 128

const noCharacters = () => new Int8Array(kinds)

function countCharacters(word: string): Int8Array {
  const counts = noCharacters()
  for (let i = 0; i < word.length; i++) counts[word.charCodeAt(i) % kinds] = (counts[word.charCodeAt(i) % kinds] ?? 0) + 1
  return counts
}

const unused = noCharacters()

/** Returns a lower bound for the number of edits between a name and a word, given the word's length and character counts. */
function leastDistance(characters: Int8Array, length: number, name: string): number {
  unused.set(characters)
  let shared = 0
  for (let i = 0; i < name.length; i++) {
    const kind = name.charCodeAt(i) % kinds
    const left = unused[kind] ?? 0
    if (left === 0) continue
    unused[kind] = left - 1
    shared++
  }
  return Math.max(length, name.length) - shared
}

type Row = number[]

/** Fills one row of the edit distance table: the cost of turning the first `i` characters of `a` into each prefix of `b`. Returns the minimum. */
function fillRow(row: Row, a: string, b: string, i: number, previous: Row, before: Row): number {
  row[0] = i
  let least = i
  for (let j = 1; j <= b.length; j++) {
    const replaced = (previous[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced
    const cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped)
    row[j] = cost
    if (cost < least) least = cost
  }
  return least
}

/** Returns the number of edits (insert, delete, replace, swap of neighbours) between two words, capped at `limit`. */
function distance(a: string, b: string, limit: number): number {
  let before: Row = []
  let previous: Row = Array.from({ length: b.length + 1 }, (_, column) => column)
  let row: Row = []
  for (let i = 1; i <= a.length; i++) {
    // The row minimum never decreases, so once it reaches the limit, the result can't be lower.
    if (fillRow(row, a, b, i, previous, before) >= limit) return limit
    ;[before, previous, row] = [previous, row, before]
  }
  return previous[b.length] ?? 0
}

/** Returns the code of a character, or 0 past the end of the text. */
const codeAt = (text: string, at: number) => (at < text.length ? text.charCodeAt(at) : 0)

/**
 * Finds the first difference between two words, and how far apart the characters there are. Compared with `2028-29`, both `2027-28` and `2023-24` first differ
 * at the fourth character, but `2027-28` by less.
 */
function firstDifference(word: string, name: string): { readonly at: number; readonly gap: number } {
  let at = 0
  while (at < word.length && word[at] === name[at]) at++
  return { at, gap: Math.abs(codeAt(word, at) - codeAt(name, at)) }
}

/**
 * Breaks ties between names with the same number of edits. Returns true if `name` beats `than`: it shares a longer prefix with `word`, or an equally long
 * prefix and is closer to `word` at the next character.
 */
function isCloser(word: string, name: string, than: string): boolean {
  const [one, other] = [firstDifference(word, name), firstDifference(word, than)]
  return one.at === other.at ? one.gap < other.gap : one.at > other.at
}

/** Returns the name that was most likely meant, or null if none is close. Used in error messages to suggest the right spelling. */
export function nearest(word: string, names: Iterable<string>): string | null {
  if (word.length > longestWord) return null
  const lower = word.toLowerCase()
  const characters = countCharacters(lower)
  let best: string | null = null
  let maxEdits = Math.max(2, Math.floor(word.length / 3))
  let compared = 0
  for (const name of names) {
    if (++compared > maxNames) break
    if (Math.abs(name.length - word.length) > maxEdits) continue
    const other = name.toLowerCase()
    if (leastDistance(characters, lower.length, other) > maxEdits) continue
    const edits = distance(lower, other, maxEdits + 1)
    if (edits > maxEdits || (best !== null && edits === maxEdits && !isCloser(lower, other, best.toLowerCase()))) continue
    best = name
    maxEdits = edits
  }
  return best
}

/** Returns ` Did you mean "x"?`, or an empty string if no name is close. */
export function suggestion(word: string, names: Iterable<string>): string {
  const name = nearest(word, names)
  return name === null ? '' : ` Did you mean "${name}"?`
}
