import { z } from 'zod'
import examples from '../data/feed-examples.json' with { type: 'json' }
import type { FeedKind } from './feed-kind.ts'
import { feedSchemas } from './feed-schema.ts'

const titles = {
  provider: 'Record of a provider feed',
  product: 'Record of a savings product feed',
  card: 'Record of a card feed',
  switch_offer: 'Record of a switch offer feed',
  account_offer: 'Record of an account offer feed',
  service_quality: 'Record of a service quality feed',
  rate_history: 'Record of a rate history feed',
} as const satisfies Record<FeedKind, string>

/** JSON Schema (2020-12) of a feed record, with examples. Doesn't include cross-field rules, which only the import checks. */
export function feedJsonSchema(kind: FeedKind): object {
  const { $schema, ...schema } = z.toJSONSchema(feedSchemas[kind], { io: 'input' })
  return { $schema, title: titles[kind], ...schema, examples: examples[kind] }
}
