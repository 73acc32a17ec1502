import type { Context } from '#server/api/endpoints/define.ts'
import type { PublishedFacts } from '../published-facts.ts'

/** Input of the documentation pages besides the registry. URLs in them start with `publicUrl`. */
export type DocsFacts = PublishedFacts & {
  /** Dataset of live keys. */
  readonly live: Context['market']
}
