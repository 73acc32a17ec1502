import { grouped, percent } from '../decimal.ts'
import type { FeedPreview } from './feed-preview.ts'

/** More than this of a list at once is a broken feed more often than news. Few rows may always change: a small market has large shares. */
const limits = {
  withdrawn: { share: 20, least: 10 },
  rates: { share: 40, least: 20 },
} as const

/** What a feed comes to beside what is listed before it. */
export type Extent = {
  /** Rows of the kind, in words for people: `products`. */
  readonly noun: string
  readonly listed: number
  readonly withdrawn: number
  readonly productsListed: number
  readonly productsWithdrawn: number
  readonly ratesChanged: number
}

const isTooMuch = (count: number, of: number, { share, least }: (typeof limits)[keyof typeof limits]) => count >= least && count * 100 > share * of

function sentence(act: string, count: number, of: number, noun: string, share: number): string {
  return `It would ${act} ${grouped(count)} of ${grouped(of)} ${noun} (${percent(Math.round((count * 10_000) / of))}); more than ${share}% at once needs to be confirmed.`
}

/** The reasons to stop and ask before a feed is applied, one sentence each; none for an ordinary feed. */
export function reasonsToStop({ noun, listed, withdrawn, productsListed, productsWithdrawn, ratesChanged }: Extent): string[] {
  const reasons: string[] = []
  if (isTooMuch(withdrawn, listed, limits.withdrawn)) reasons.push(sentence('withdraw', withdrawn, listed, noun, limits.withdrawn.share))
  else if (isTooMuch(productsWithdrawn, productsListed, limits.withdrawn)) {
    reasons.push(sentence('withdraw', productsWithdrawn, productsListed, 'products', limits.withdrawn.share))
  }
  if (isTooMuch(ratesChanged, productsListed, limits.rates)) {
    reasons.push(sentence('change the rate of', ratesChanged, productsListed, 'products', limits.rates.share))
  }
  return reasons
}

/** A feed that was stopped whole, because it would change more than a feed usually does. `lines` are the reasons; `what` to do is a sentence. */
export class GuardError extends Error {
  override name = 'GuardError'
  readonly lines: readonly string[]
  /** What it would have changed. */
  readonly preview: FeedPreview

  constructor(fileName: string, preview: FeedPreview, what = 'If it is right, import it again with --confirm.') {
    const { reasons } = preview
    super([`${fileName}: stopped, nothing was imported.`, ...reasons.map((reason) => `  ${reason}`), `  ${what}`].join('\n'))
    this.lines = reasons
    this.preview = preview
  }
}
