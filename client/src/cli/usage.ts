/** An error in the arguments or the settings. Its message says what to do. */
export class UsageError extends Error {}

/** Exit codes by meaning. */
export const exitCodes = { success: 0, 'the API rejected the call, or a limit ended it early': 1, 'wrong usage': 2, 'no response': 3 } as const

/** Converts `minRate` to `min-rate`. */
export const toFlag = (name: string): string => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** Returns the number of edits that turn one word into another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + Number(from[i - 1] !== to[j - 1])))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Returns a suggestion for a mistyped word, or an empty string. */
export function suggestion(word: string, known: readonly string[]): string {
  const [best] = known.map((one) => ({ one, edits: distance(word, one) })).toSorted((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.min(3, Math.floor(word.length / 2)) ? ` Did you mean "${best.one}"?` : ''
}
