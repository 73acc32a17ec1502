import { twoDecimals } from '#server/api/contract/formats.ts'
import type { PageCursor } from '#server/market/keyset-pager.ts'

/**
 * Cursors for lists whose order can change. A cursor contains the sort value of the row, its key, and the number of the newest move (see `PageCursor`) when the
 * first page was read. In lists that callers keep a copy of, it also contains `updatedUntil` of the first page. Keys contain no spaces. Cursors from older
 * releases lack these two, and continue in the current order.
 */

/** Row of a list to continue after, and the time up to which the first page had every change, ISO 8601. */
export type ListCursor<Place> = PageCursor<Place> & { readonly updatedUntil?: string | null | undefined }

/** Writes the state of the first page: the number of the newest move, and the time in milliseconds. */
function getState<Place>({ since, updatedUntil }: ListCursor<Place>): string {
  return updatedUntil ? `${since}@${Date.parse(updatedUntil)}` : `${since}`
}

/** Writes a cursor such as `3.25@17 harrow-vale-saver`. `place` is in hundredths. */
export const hundredthsKey = (cursor: ListCursor<number>): string => `${twoDecimals(cursor.place)}@${getState(cursor)} ${cursor.key}`

/** Writes a cursor such as `harrow-vale@17 Harrow Vale Bank`. The sort value comes last, because it may contain spaces. */
export const textKey = (cursor: ListCursor<string>): string => `${cursor.key}@${getState(cursor)} ${cursor.place}`

/** Splits a cursor into the parts before and after its first space, and the state of the first page at the end of the first part. */
function cut(text: string) {
  const space = text.indexOf(' ')
  const [first = '', since, until] = text.slice(0, space).split('@')
  const updatedUntil = until === undefined ? undefined : new Date(Number(until)).toISOString()
  return { first, second: text.slice(space + 1), state: { since: since === undefined ? undefined : Number(since), updatedUntil } }
}

/** Parses a cursor written by `hundredthsKey`. */
export function afterHundredths(text: string | null): ListCursor<number> | null {
  if (text === null) return null
  const { first, second, state } = cut(text)
  return { place: Number(first.replace('.', '')), key: second, ...state }
}

/** Parses a cursor written by `textKey`. */
export function afterText(text: string | null): ListCursor<string> | null {
  if (text === null) return null
  const { first, second, state } = cut(text)
  return { place: second, key: first, ...state }
}
