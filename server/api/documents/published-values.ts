import type { Availability } from '#server/api/contract/endpoint.ts'
import type { Context } from '#server/api/endpoints/define.ts'

export type DocumentName = 'openapi' | 'postman' | 'postman-environment'

/** Input of the published documents, in addition to the registry. The same input gives the same document, byte for byte. */
export type PublishedValues = {
  /** Absolute URL of the service, without a trailing slash. */
  readonly publicUrl: string
  /** Sample dataset, the source of all examples. */
  readonly sample: Context['market']
  /** Administrators' availability overrides, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the latest version of the Data Licence. */
  readonly licence: string
  /** Values of the Deprecation and Sunset headers, if the retirement of this version has been announced; else null. */
  readonly deprecation: string | null
  readonly sunset: string | null
}

/** Input of the documentation pages, in addition to the registry. URLs in them start with `publicUrl`. */
export type DocsData = PublishedValues & {
  /** Dataset of live keys. */
  readonly live: Context['market']
  /** Support address; null if none is configured. */
  readonly supportEmail: string | null
}
