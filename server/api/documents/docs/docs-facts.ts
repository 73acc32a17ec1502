import type { Context } from '#server/api/endpoints/define.ts'
import type { PublishedFacts } from '../published-facts.ts'

/** What the pages of the documentation depend on besides the registry. Addresses in them begin with `publicUrl`. */
export type DocsFacts = PublishedFacts & {
  /** The dataset of live keys. */
  readonly live: Context['market']
}
