/** Order by code units, the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Index of the first row past the boundary; the rows past it must all stand behind those that are not. */
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

/** A page of rows behind a boundary. The rows past it must all stand behind those that are not, and a row of the last page is not past it. */
export function pageAfter<Row>(rows: readonly Row[], limit: number, isPast: (row: Row) => boolean): { rows: readonly Row[]; more: boolean } {
  const start = firstPast(rows, isPast)
  return { rows: rows.slice(start, start + limit), more: start + limit < rows.length }
}
