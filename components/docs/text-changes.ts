/** What changed between two texts: paragraphs that are gone and that are new, in the order in which they stand. */
export type TextChange = { readonly kind: 'removed' | 'added'; readonly text: string }

/** More is not compared: whoever reads so long a list reads the texts themselves. */
const mostBlocks = 600

const blocksOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')

/** How many blocks two texts have in common from each place on, a row for each block of the first. */
function commonFrom(before: readonly string[], after: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, below] = [table[i] ?? new Uint16Array(), table[i + 1] ?? new Uint16Array()]
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return table
}

/** Null: the texts are too long to be compared. */
export function textChanges(before: string, after: string): TextChange[] | null {
  const [old, now] = [blocksOf(before), blocksOf(after)]
  if (Math.max(old.length, now.length) > mostBlocks) return null
  const common = commonFrom(old, now)
  const left = (i: number, j: number): number => common[i]?.[j] ?? -1
  const changes: TextChange[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) [i, j] = [i + 1, j + 1]
    else if (left(i + 1, j) >= left(i, j + 1)) changes.push({ kind: 'removed', text: old[i++] ?? '' })
    else changes.push({ kind: 'added', text: now[j++] ?? '' })
  }
  return changes
}
