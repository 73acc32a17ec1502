import { twoDecimals } from '../contract/formats.ts'
import type { WalkKey } from '../market/walk.ts'

/*
 * Cursors of lists whose order can change: a place, the moment at which the walk began, and the key of the row. A key has no space. Without the moment, as
 * in cursors of before, a walk goes on in the order of now.
 */

/** `3.25@17 harrow-vale-saver`: places in hundredths. */
export const hundredthsKey = ({ place, key, since }: WalkKey<number>): string => `${twoDecimals(place)}@${since} ${key}`

/** `harrow-vale@17 Harrow Vale Bank`: places are texts, with spaces or without. */
export const textKey = ({ place, key, since }: WalkKey<string>): string => `${key}@${since} ${place}`

/** The two sides of the first space, the first of them with the moment taken off. */
function cut(text: string): { first: string; second: string; since: number | undefined } {
  const space = text.indexOf(' ')
  const [first = '', since] = text.slice(0, space).split('@')
  return { first, second: text.slice(space + 1), since: since === undefined ? undefined : Number(since) }
}

/** The place that a cursor continues after, from what `hundredthsKey` wrote. */
export function afterHundredths(text: string | null): WalkKey<number> | null {
  if (text === null) return null
  const { first, second, since } = cut(text)
  return { place: Number(first.replace('.', '')), key: second, since }
}

/** The place that a cursor continues after, from what `textKey` wrote. */
export function afterText(text: string | null): WalkKey<string> | null {
  if (text === null) return null
  const { first, second, since } = cut(text)
  return { place: second, key: first, since }
}
