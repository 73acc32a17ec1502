import { type FeedKind, feedKinds } from '../import/feed-kind.ts'
import type { FeedSource } from './source.ts'

const feedSource = (feed: FeedKind): FeedSource => ({
  name: `feed-${feed.replaceAll('_', '-')}`,
  title: `Operator feed, ${feed.replaceAll('_', ' ')}`,
  // The licence is between the operator and the supplier of the feed.
  licence: 'As agreed by the operator',
  format: 'ndjson',
  kind: 'feed',
  feed,
  // Feeds arrive daily; missing one is acceptable.
  freshDays: 2,
})

/** One source per kind of feed. They have no default URL: `feed-product=https://…`. */
export const feedSources: readonly FeedSource[] = feedKinds.map(feedSource)
