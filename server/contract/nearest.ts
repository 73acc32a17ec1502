/** One row of the table of edits: what it costs to turn the first `i` letters of `a` into each beginning of `b`. */
function nextRow(a: string, b: string, i: number, previous: readonly number[], before: readonly number[]): number[] {
  const row = [i]
  for (let j = 1; j <= b.length; j++) {
    const replaced = (previous[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
    const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const swapped = i > 1 && j > 1 && isSwap ? (before[j - 2] ?? 0) + 1 : replaced
    row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
  }
  return row
}

/** Edits (insert, delete, replace, swap of neighbours) between two words. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow(a, b, i, previous, before)
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

const longestWord = 64

/** The name that was most likely meant, or null when nothing is near. Used in errors: a typo is answered with the right spelling. */
export function nearest(word: string, names: Iterable<string>): string | null {
  if (word.length > longestWord) return null
  const lower = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= fewest) continue
    const edits = distance(lower, name.toLowerCase())
    if (edits < fewest) {
      best = name
      fewest = edits
    }
  }
  return best
}

/** ` Did you mean "x"?`, or nothing when no name is near. */
export function suggestion(word: string, names: Iterable<string>): string {
  const name = nearest(word, names)
  return name === null ? '' : ` Did you mean "${name}"?`
}
