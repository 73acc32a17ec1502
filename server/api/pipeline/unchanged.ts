import type { BuiltPage } from './built-page.ts'
import type { PipelineEndpoint } from './call.ts'
import { withinDeadline } from './deadline.ts'

/** `If-None-Match` of a call, and what it could spend. */
export type Earlier = {
  readonly header: string | string[]
  /** Maximum credits that the call may cost, or null. */
  readonly ceiling: number | null
  /** Returns what balance and caps currently allow, in credits; null if the caller is never charged, so pages are never cut. */
  readonly spendable: (() => Promise<number>) | null
}

const weak = /^W\//

/** Returns `page` if a tag without its `W/` prefix matches the page, the number of rows if it matches the page cut to that number, else null. */
function getMatch(given: string, plain: string, rows: number): 'page' | number | null {
  if (given === `${plain}"`) return 'page'
  const cut = given.startsWith(`${plain}-`) ? /^-([1-9]\d{0,2})"$/.exec(given.slice(plain.length)) : null
  return cut && Number(cut[1]) < rows ? Number(cut[1]) : null
}

/**
 * Returns the tag of `If-None-Match` that is still valid, or null. A page that was cut to what the caller could afford has a separate tag, which is valid as
 * long as its rows are unchanged and the caller can't afford more of them. The balance is read without a lock: the worst case is a 304 for a caller whose
 * top-up arrives at that moment. `*` names no earlier response; it is only supported where nothing is charged, because elsewhere it would reveal, for free,
 * the tag of a page that was never paid for.
 */
export async function unchangedTag({ header, ceiling, spendable }: Earlier, page: BuiltPage, { price }: PipelineEndpoint): Promise<string | null> {
  if (typeof header !== 'string') return null
  const full = `${page.tag}"`
  const plain = page.tag.replace(weak, '')
  const rows = page.rows?.length ?? 0
  const matches = header.split(',').map((one) => getMatch(one.trim().replace(weak, ''), plain, rows))
  if (matches.includes('page') || (header.trim() === '*' && price.credits === 0)) return full
  const had = Math.max(0, ...matches.filter((match) => typeof match === 'number'))
  if (had === 0 || spendable === null) return null
  const isAll = (ceiling !== null && ceiling < (had + 1) * price.credits) || (await withinDeadline(spendable())) < (had + 1) * price.credits
  return isAll ? `${page.tag}-${had}"` : null
}
