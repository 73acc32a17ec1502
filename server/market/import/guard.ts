import { grouped, percent } from '../decimal.ts'
import type { FeedPreview } from './row-change.ts'

/**
 * Limits on the share of a list (in percent) that may change at once: a larger change is probably a broken feed. Changes of fewer than `least` rows are always
 * allowed, because in a small market a few rows are already a large share.
 */
const limits = {
  withdrawn: { share: 20, least: 10 },
  rates: { share: 40, least: 20 },
} as const

/** Number of listed rows, and how many of them a feed would withdraw. `noun` is the display name of the rows, such as `products`. */
type Extent = { readonly noun: string; readonly listed: number; readonly withdrawn: number }

const isTooMuch = (count: number, of: number, { share, least }: (typeof limits)[keyof typeof limits]) => count >= least && count * 100 > share * of

function sentence(act: string, count: number, of: number, noun: string, share: number): string {
  return `The feed would ${act} ${grouped(count)} of ${grouped(of)} ${noun} (${percent(Math.round((count * 10_000) / of))}); more than ${share}% at once requires confirmation.`
}

/**
 * Returns the reasons to require confirmation before a feed is applied, one sentence each; empty for an ordinary feed. `changed` is the number of products whose
 * rate the feed would change.
 */
export function reasonsToStop({ noun, listed, withdrawn }: Extent, products: Omit<Extent, 'noun'> & { readonly changed: number }): string[] {
  const reasons: string[] = []
  const { share } = limits.withdrawn
  if (isTooMuch(withdrawn, listed, limits.withdrawn)) reasons.push(sentence('withdraw', withdrawn, listed, noun, share))
  else if (isTooMuch(products.withdrawn, products.listed, limits.withdrawn))
    reasons.push(sentence('withdraw', products.withdrawn, products.listed, 'products', share))
  if (isTooMuch(products.changed, products.listed, limits.rates))
    reasons.push(sentence('change the rate of', products.changed, products.listed, 'products', limits.rates.share))
  return reasons
}

/** Thrown for a feed that exceeds the limits on changes; nothing is imported. `lines` are the reasons, and `advice` says what to do. */
export class GuardError extends Error {
  override name = 'GuardError'
  readonly lines: readonly string[]
  /** Changes that the feed would have made. */
  readonly preview: FeedPreview

  constructor(fileName: string, preview: FeedPreview, advice = 'If this is correct, import the feed again with --confirm.') {
    const { reasons } = preview
    super([`${fileName}: stopped. Nothing was imported.`, ...reasons.map((reason) => `  ${reason}`), `  ${advice}`].join('\n'))
    this.lines = reasons
    this.preview = preview
  }
}

/** Phase of an import: reading the feed, comparing it with the market, writing the changes. */
export type ImportPhase = 'reading' | 'comparing' | 'writing'

/** Reports the phase and the number of records read: periodically while reading, and once at each later phase. */
export type OnProgress = (phase: ImportPhase, records: number) => void
