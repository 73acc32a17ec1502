import { z } from 'zod'
import examples from '../data/feed-examples.json' with { type: 'json' }
import type { FeedKind } from './feed-kind.ts'
import { feedSchemas } from './feed-schema.ts'

const titles = {
  provider: 'A line of a feed of providers',
  product: 'A line of a feed of savings products',
  card: 'A line of a feed of cards',
  switch_offer: 'A line of a feed of switch offers',
  account_offer: 'A line of a feed of account offers',
  service_quality: 'A line of a feed of service quality',
  rate_history: 'A line of a feed of past changes of rates',
} as const satisfies Record<FeedKind, string>

/** What a line of a feed has to be, as JSON Schema (2020-12), with examples. Rules that join fields are no part of it: the import tells of them. */
export function feedJsonSchema(kind: FeedKind): object {
  const { $schema, ...schema } = z.toJSONSchema(feedSchemas[kind], { io: 'input' })
  return { $schema, title: titles[kind], ...schema, examples: examples[kind] }
}
