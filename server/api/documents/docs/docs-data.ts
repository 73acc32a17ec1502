import type { Context } from '#server/api/endpoints/define.ts'
import type { PublishedValues } from '../published-values.ts'

/** Input of the documentation pages besides the registry. URLs in them start with `publicUrl`. */
export type DocsData = PublishedValues & {
  /** Dataset of live keys. */
  readonly live: Context['market']
}
