import type { BuiltPage } from './built-page.ts'
import type { GateEndpoint } from './call.ts'
import { withinDeadline } from './deadline.ts'

/** What a caller says of an earlier answer, and how much it could spend on this one. */
export type Earlier = {
  readonly header: string | string[]
  /** Most credits that the call may cost, or null. */
  readonly ceiling: number | null
  /** What balance and caps leave at this moment, in credits; null: nothing is ever charged, so nothing is ever cut. */
  readonly spendable: (() => Promise<number>) | null
}

const weak = /^W\//

/** Whether a tag of `If-None-Match` is that of the page, or of how many of its rows; null: of something else. Weak comparison: the prefix does not count. */
function matchOf(given: string, plain: string, rows: number): 'page' | number | null {
  if (given === `${plain}"`) return 'page'
  const cut = given.startsWith(`${plain}-`) ? /^-([1-9]\d{0,2})"$/.exec(given.slice(plain.length)) : null
  return cut && Number(cut[1]) < rows ? Number(cut[1]) : null
}

/**
 * The tag of `If-None-Match` that still holds, or null. A page that was cut to what could be paid has a tag of its own, which holds while its rows do and no
 * more of them could be had: what is decided here from a look at the balance is at worst a 304 to somebody whose top-up came in at this moment.
 * `*`, which names no earlier answer, is heard where nothing is charged: elsewhere it would hand out, for free, the tag of a page that was never paid for.
 */
export async function unchangedTag({ header, ceiling, spendable }: Earlier, page: BuiltPage, { price }: GateEndpoint): Promise<string | null> {
  if (typeof header !== 'string') return null
  const full = `${page.tag}"`
  const plain = page.tag.replace(weak, '')
  const rows = page.rows?.length ?? 0
  const matches = header.split(',').map((one) => matchOf(one.trim().replace(weak, ''), plain, rows))
  if (matches.includes('page') || (header.trim() === '*' && price.credits === 0)) return full
  const had = Math.max(0, ...matches.filter((match) => typeof match === 'number'))
  if (had === 0 || spendable === null) return null
  const isAll = (ceiling !== null && ceiling < (had + 1) * price.credits) || (await withinDeadline(spendable())) < (had + 1) * price.credits
  return isAll ? `${page.tag}-${had}"` : null
}
