import type { Plan } from '#server/api/contract/access.ts'
import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import type { CallContext, Endpoint } from '#server/api/contract/endpoint.ts'
import type { ErrorCode, Refusal } from '#server/api/contract/errors.ts'
import type { KeyAudience } from '#server/keys/key-format.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { CallRecord } from '#server/observability/telemetry/calls.ts'

/** Response data serialised as JSON, row by row, so that a page can be cut without serialising it again. */
export type BuiltPage = {
  /** `"data":…` in full. */
  readonly data: string
  readonly dataBytes: number
  /** JSON of each row, with its cursor key in `keys`; null for a single item. */
  readonly rows: readonly string[] | null
  readonly keys: readonly string[]
  /** True if more rows follow the last one. */
  readonly more: boolean
  /** Weak ETag over the data and the properties of the page, without its closing quote. */
  readonly tag: string
  readonly generatedAt: string
  readonly builtAt: number
  /** Cursor after the last row, once it has been signed. It is the same for every reader of this page. */
  next?: string
  /** Version of the shared state that it was built from. */
  readonly version: number
}

export type PipelineEndpoint = Endpoint<CallContext<MarketView, AccountSummary>>

/** Request headers, by lower-case name. */
export type CallHeaders = { readonly [name: string]: string | string[] | undefined }

/** Parsed and validated parameters of a call. */
export type Reading = {
  readonly input: Record<string, unknown>
  readonly limit: number
  readonly cursor: string | null
  readonly fields: readonly string[] | null
  /** Requested fields that not every plan includes, with the plan that each needs; usually empty. */
  readonly reserved: readonly (readonly [field: string, plan: Plan])[]
  /** Path and filters, which a cursor is bound to. */
  readonly binding: string
  /** Cache key of a shared page, without mode and plan. */
  readonly key: string
  /** Pages built for this target, one per variant, as a shortcut past the lookup. Weak: the page cache owns them and bounds their number. */
  readonly pages: (WeakRef<BuiltPage> | undefined)[]
}

/** Resolved request target. It is the same for every caller, so it is cached and shared by all calls to the same target. */
export type Route = {
  readonly endpoint: PipelineEndpoint | null
  /** Methods that the path supports, if the method of the call is not one of them. */
  readonly allow: string | null
  readonly path: Readonly<Record<string, string>>
  readonly search: string
  /** Path below the version and query, as received. */
  readonly target: string
  /** Suggests the closest existing path for an unknown route. */
  readonly hint: string
  /** True for a tool call whose error messages differ from those of the REST API. Not shared with other calls. */
  readonly isTool?: boolean
  reading?: { readonly value: Reading } | { readonly refusal: Refusal }
}

/** Key identified by its stored form: SHA-256 in hex, and audience. */
export type KnownKey = { readonly hash: string; readonly audience: KeyAudience }

export type Call = {
  readonly route: Route
  readonly headers: CallHeaders
  /** Caller's IP address as far as it can be trusted; null if unknown. */
  readonly address: string | null
  /** Key of a call from the portal's console, made on behalf of its signed-in owner. Replaces the header; never taken from the request. */
  readonly presented?: KnownKey
  /** Telemetry record that the HTTP server started and ends once the response is sent. If absent, the pipeline starts and ends one. */
  readonly record?: CallRecord
}

/** Response ready to be sent. Headers are a flat list of names and values, without Content-Length. */
export type Answer = {
  readonly status: number
  readonly headers: string[]
  readonly body: string
  /** Length of the body in bytes. */
  readonly bytes: number
  /** Error code, if the call was refused. */
  readonly code?: ErrorCode
}

/** Response outside the request pipeline, such as a document. Its body may be pre-encoded, so that it is not encoded again for each response. */
export type DirectAnswer = Omit<Answer, 'body'> & { readonly body: string | Uint8Array<ArrayBuffer> }
