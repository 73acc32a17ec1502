import { type FeedKind, feedKinds } from '../import/feed-kind.ts'
import type { FeedSource } from './source.ts'

const feedSource = (feed: FeedKind): FeedSource => ({
  name: `feed-${feed.replaceAll('_', '-')}`,
  title: `Feed of the operator, ${feed.replaceAll('_', ' ')}`,
  // On what terms is between the operator and whoever supplies the feed.
  licence: 'As agreed by the operator',
  format: 'ndjson',
  kind: 'feed',
  feed,
  // A feed comes every day; one that was missed may happen.
  freshDays: 2,
})

/** A source for each kind of feed. None has an address of its own: `feed-product=https://…`. */
export const feedSources: readonly FeedSource[] = feedKinds.map(feedSource)
