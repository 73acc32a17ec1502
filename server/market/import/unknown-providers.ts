import { suggestion } from '#server/api/contract/nearest.ts'
import { FaultList, FeedError } from './feed-error.ts'
import type { FeedRecord } from './validate-feed.ts'

/** Adds a fault for each line with an unknown provider, suggesting the closest known slug. */
export function refuseProviders(faults: FaultList, unknown: readonly { readonly line: number; readonly slug: string }[], slugs: readonly string[]): void {
  const hints = new Map<string, string>()
  for (const { line, slug } of unknown) {
    const hint = hints.get(slug) ?? suggestion(slug, slugs)
    hints.set(slug, hint)
    faults.add(line, 'providerSlug', `is not a provider in the dataset: "${slug}".${hint} Import providers first.`)
  }
}

/**
 * Passes the batches of a feed through. If the feed turns out to have faulty lines, lines with unknown providers are reported with them, so that one
 * run reports everything. Otherwise providers are checked when the feed is applied.
 */
export async function* withUnknownProviders(
  batches: AsyncIterable<readonly FeedRecord[]>,
  { fileName, slugs }: { readonly fileName: string; readonly slugs: readonly string[] },
): AsyncGenerator<readonly FeedRecord[]> {
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
