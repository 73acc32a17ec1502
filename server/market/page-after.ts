/** Compares by code unit, the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Index of the first row for which `isPast` is true. It must be false for a prefix of the rows and true for the rest. */
export function firstPast<Row>(rows: readonly Row[], isPast: (row: Row) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row === undefined || isPast(row)) high = middle
    else low = middle + 1
  }
  return low
}

/** Page of rows after a boundary. `isPast` must be false for the rows up to the boundary and true for the rest. */
export function pageAfter<Row>(rows: readonly Row[], limit: number, isPast: (row: Row) => boolean): { rows: readonly Row[]; more: boolean } {
  const start = firstPast(rows, isPast)
  return { rows: rows.slice(start, start + limit), more: start + limit < rows.length }
}
