import { suggestion } from '#server/api/contract/nearest.ts'
import { percent } from '../decimal.ts'
import { FaultList, FeedError } from './feed-faults.ts'
import type { FeedRecord } from './validate-feed.ts'

/** Line that is invalid regardless of existing history. */
export type StrayLine = { readonly line: number; readonly fault: 'future' | 'unknown' | 'other' | 'two' }

const strayMessages: Record<StrayLine['fault'], readonly [field: string, problem: string]> = {
  future: ['effectiveDate', 'must not be later than today in London'],
  unknown: ['sourceKey', 'is not a product of the dataset; for a former product add providerSlug, accountName and accountType'],
  other: ['providerSlug', 'and accountType must match the product'],
  two: ['providerSlug', 'and accountType must be the same on all lines of a product'],
}

/** Line that is inconsistent with the changes before or after it. `rate` is the resulting rate, `now` the expected rate; null means not listed. */
export type BrokenLink = {
  readonly line: number
  readonly fault: 'same day' | 'first' | 'between' | 'gone' | 'same' | 'end'
  /** Day of the previous change. */
  readonly since: string | null
  readonly rate: number | null
  readonly now: number | null
}

const value = (rate: number | null) => (rate === null ? 'is true' : `is ${percent(rate)}`)

function describeEnd({ rate, now }: BrokenLink): string {
  const rule = 'the last change must match the current listing'
  if (rate !== null && rate === now) return `${value(rate)}, as in the dataset, but the base rate or bonus differs; ${rule}`
  return `${value(rate)}, but the dataset ${now === null ? 'does not list the product' : `lists the product at ${percent(now)}`}; ${rule}`
}

function describeFirst({ rate, now }: BrokenLink): string {
  if (rate !== null && rate === now)
    return `${value(rate)}, as at the start of the product's recorded history, but the base rate or bonus differs; the last change before it must set the same terms`
  const [first, goal] = now === null ? ['with its withdrawal', 'have withdrawn set to true'] : [`at ${percent(now)}`, 'set that rate']
  return `${value(rate)}, but the product's recorded history starts ${first}; the last change before it must ${goal}`
}

const linkMessages: Record<BrokenLink['fault'], (link: BrokenLink) => readonly [field: string, problem: string]> = {
  'same day': () => ['effectiveDate', 'is the day on which the product was first seen, but the rate differs; earlier changes need earlier dates'],
  first: (link) => [link.rate === null ? 'withdrawn' : 'rate', describeFirst(link)],
  between: () => ['effectiveDate', 'falls between changes already in the history'],
  gone: () => ['withdrawn', 'must not be the first change of a product'],
  same: ({ rate, since }) => [
    rate === null ? 'withdrawn' : 'rate',
    `repeats the previous change: ${rate === null ? 'the product has been withdrawn' : `the rate has been ${percent(rate)}`} since ${since}; remove this line`,
  ],
  end: (link) => [link.rate === null ? 'withdrawn' : 'rate', describeEnd(link)],
}

export function addStrayLines(faults: FaultList, lines: readonly StrayLine[]): void {
  for (const { line, fault } of lines) faults.add(line, ...strayMessages[fault])
}

export function addBrokenLinks(faults: FaultList, links: readonly BrokenLink[]): void {
  for (const link of links) faults.add(link.line, ...linkMessages[link.fault](link))
}

/** Adds an error for each line with an unknown provider, suggesting the closest known slug. */
export function refuseProviders(faults: FaultList, unknown: readonly { readonly line: number; readonly slug: string }[], slugs: readonly string[]): void {
  const hints = new Map<string, string>()
  for (const { line, slug } of unknown) {
    const hint = hints.get(slug) ?? suggestion(slug, slugs)
    hints.set(slug, hint)
    faults.add(line, 'providerSlug', `is not a provider in the dataset: "${slug}".${hint} Import providers first.`)
  }
}

/**
 * Yields the batches of a feed unchanged. If the feed turns out to have invalid lines, also reports its lines with unknown providers, so that one run reports
 * everything. If it has none, providers are checked when the feed is applied.
 */
export async function* withUnknownProviders(batches: AsyncIterable<readonly FeedRecord[]>, fileName: string, slugs: readonly string[]) {
  const known = new Set(slugs)
  const unknown: { line: number; slug: string }[] = []
  const look = ({ line, values }: FeedRecord) => {
    const slug = values['providerSlug']
    if (typeof slug === 'string' && !known.has(slug)) unknown.push({ line, slug })
  }
  try {
    for await (const batch of batches) {
      batch.forEach(look)
      yield batch
    }
  } catch (error) {
    if (!(error instanceof FeedError) || unknown.length === 0) throw error
    const faults = new FaultList()
    faults.addAll(error)
    refuseProviders(faults, unknown, slugs)
    faults.throwIfAny(fileName)
  }
}
