/** Paragraph that is in only one of two documents. */
export type TextChange = { readonly kind: 'removed' | 'added'; readonly text: string }

/** Maximum number of paragraphs to compare. Longer documents are not compared. */
const maxBlocks = 600

const splitBlocks = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')

/**
 * Builds the longest-common-subsequence table: for each pair of positions in the two documents, the length of the longest common subsequence of the blocks from
 * there on.
 */
function commonSuffixes(before: readonly string[], after: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, below] = [table[i] ?? new Uint16Array(), table[i + 1] ?? new Uint16Array()]
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return table
}

/** Compares two documents paragraph by paragraph, in order. Returns null if they are too long. */
export function textChanges(before: string, after: string): TextChange[] | null {
  const [old, now] = [splitBlocks(before), splitBlocks(after)]
  if (Math.max(old.length, now.length) > maxBlocks) return null
  const common = commonSuffixes(old, now)
  const remaining = (i: number, j: number): number => common[i]?.[j] ?? -1
  const changes: TextChange[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) [i, j] = [i + 1, j + 1]
    else if (remaining(i + 1, j) >= remaining(i, j + 1)) changes.push({ kind: 'removed', text: old[i++] ?? '' })
    else changes.push({ kind: 'added', text: now[j++] ?? '' })
  }
  return changes
}
