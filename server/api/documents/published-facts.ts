import type { Availability } from '#server/api/contract/endpoint.ts'
import type { Context } from '#server/api/endpoints/define.ts'

export type DocumentName = 'openapi' | 'postman'

/** What the published documents depend on besides the registry. The same facts give the same document, byte for byte. */
export type PublishedFacts = {
  /** Absolute address of the service, without a slash at the end. */
  readonly publicUrl: string
  /** The sample dataset: all examples are answered from it. */
  readonly sample: Context['market']
  /** What an administrator set over the availability of the catalogue, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the newest version of the Data Licence. */
  readonly licence: string
  /** Announced retirement of this version, if any: values of the headers Deprecation and Sunset. */
  readonly deprecation: string | null
  readonly sunset: string | null
}
