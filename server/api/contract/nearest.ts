const longestWord = 64

/** Names that are looked at, at most: a caller who mistypes must not keep the process busy. */
const mostNames = 10_000

/** Letters fall into this many kinds for the first look. Two that share a kind only make words look more alike than they are. */
const kinds = 128

const noLetters = () => new Int8Array(kinds)

function countLetters(word: string): Int8Array {
  const counts = noLetters()
  for (let i = 0; i < word.length; i++) counts[word.charCodeAt(i) % kinds] = (counts[word.charCodeAt(i) % kinds] ?? 0) + 1
  return counts
}

const unused = noLetters()

/** How many edits there are at least between a word of these letters and a name: each letter that only one of the two has is one. */
function leastDistance(letters: Int8Array, length: number, name: string): number {
  unused.set(letters)
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

/** Fills one row of the table of edits: what it costs to turn the first `i` letters of `a` into each beginning of `b`. Returns the least of them. */
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

/** Edits (insert, delete, replace, swap of neighbours) between two words; `limit` when there are as many or more. */
function distance(a: string, b: string, limit: number): number {
  let before: Row = []
  let previous: Row = Array.from({ length: b.length + 1 }, (_, column) => column)
  let row: Row = []
  for (let i = 1; i <= a.length; i++) {
    // The least of a row never falls from one row to the next, so the end cannot be below it.
    if (fillRow(row, a, b, i, previous, before) >= limit) return limit
    ;[before, previous, row] = [previous, row, before]
  }
  return previous[b.length] ?? 0
}

/** The end of a word counts as a letter before all others. */
const codeAt = (text: string, at: number) => (at < text.length ? text.charCodeAt(at) : 0)

/** Where a name parts from a word, and how far apart their letters are there: `2027-28` leaves `2028-29` where `2023-24` does, and lies closer. */
function parting(word: string, name: string): { readonly at: number; readonly gap: number } {
  let at = 0
  while (at < word.length && word[at] === name[at]) at++
  return { at, gap: Math.abs(codeAt(word, at) - codeAt(name, at)) }
}

/** Of two names with as many edits, whether `name` goes along with the word for longer, or lies closer to it where both leave it. */
function isCloser(word: string, name: string, than: string): boolean {
  const [one, other] = [parting(word, name), parting(word, than)]
  return one.at === other.at ? one.gap < other.gap : one.at > other.at
}

/** The name that was most likely meant, or null when nothing is near. Used in errors: a typo is answered with the right spelling. */
export function nearest(word: string, names: Iterable<string>): string | null {
  if (word.length > longestWord) return null
  const lower = word.toLowerCase()
  const letters = countLetters(lower)
  let best: string | null = null
  let most = Math.max(2, Math.floor(word.length / 3))
  let looked = 0
  for (const name of names) {
    if (++looked > mostNames) break
    if (Math.abs(name.length - word.length) > most) continue
    const other = name.toLowerCase()
    if (leastDistance(letters, lower.length, other) > most) continue
    const edits = distance(lower, other, most + 1)
    if (edits > most || (best !== null && edits === most && !isCloser(lower, other, best.toLowerCase()))) continue
    best = name
    most = edits
  }
  return best
}

/** ` Did you mean "x"?`, or nothing when no name is near. */
export function suggestion(word: string, names: Iterable<string>): string {
  const name = nearest(word, names)
  return name === null ? '' : ` Did you mean "${name}"?`
}
