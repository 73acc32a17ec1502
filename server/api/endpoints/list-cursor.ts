import { twoDecimals } from '#server/api/contract/formats.ts'
import type { PageCursor } from '#server/market/keyset-pager.ts'

/**
 * Cursors for lists whose order can change. A cursor contains the sort value of the row, its key, and the number of the newest move (see `PageCursor`) when the
 * first page was read. Keys contain no spaces. Cursors from older releases lack this number and continue in the current order.
 */

/** Writes a cursor such as `3.25@17 harrow-vale-saver`. `place` is in hundredths. */
export const hundredthsKey = ({ place, key, since }: PageCursor<number>): string => `${twoDecimals(place)}@${since} ${key}`

/** Writes a cursor such as `harrow-vale@17 Harrow Vale Bank`. The sort value comes last, because it may contain spaces. */
export const textKey = ({ place, key, since }: PageCursor<string>): string => `${key}@${since} ${place}`

/** Splits a cursor into the parts before and after its first space, and the move number at the end of the first part. */
function cut(text: string): { first: string; second: string; since: number | undefined } {
  const space = text.indexOf(' ')
  const [first = '', since] = text.slice(0, space).split('@')
  return { first, second: text.slice(space + 1), since: since === undefined ? undefined : Number(since) }
}

/** Parses a cursor written by `hundredthsKey`. */
export function afterHundredths(text: string | null): PageCursor<number> | null {
  if (text === null) return null
  const { first, second, since } = cut(text)
  return { place: Number(first.replace('.', '')), key: second, since }
}

/** Parses a cursor written by `textKey`. */
export function afterText(text: string | null): PageCursor<string> | null {
  if (text === null) return null
  const { first, second, since } = cut(text)
  return { place: second, key: first, since }
}
