import type { Plan } from '#server/api/contract/access.ts'
import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import type { CallContext, Endpoint } from '#server/api/contract/endpoint.ts'
import type { ErrorCode, Refusal } from '#server/api/contract/errors.ts'
import type { KeyAudience } from '#server/keys/key-secret.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { CallRecord } from '#server/observability/telemetry/calls.ts'

/** Response data serialised as JSON, row by row, so that a page can be truncated without serialising it again. */
export type BuiltPage = {
  /** JSON member `"data":…` with all rows, or with the single item. */
  readonly data: string
  readonly dataBytes: number
  /** JSON of each row; null if the page is a single item. */
  readonly rows: readonly string[] | null
  /** Cursor key of each row; empty if the endpoint has no cursors. */
  readonly keys: readonly string[]
  /** True if more rows follow the last one. */
  readonly more: boolean
  /** Weak ETag of the whole page, without the closing quote, so that a row count can be appended. */
  readonly tag: string
  readonly generatedAt: string
  readonly builtAt: number
  /** Signed cursor for the next page. Created when it is first needed, and the same for every caller. */
  next?: string
  /** Version of the config snapshot that the page was built from. */
  readonly version: number
}

/** Context passed to the endpoints' handlers. */
export type PageContext = CallContext<MarketView, AccountSummary>

export type PipelineEndpoint = Endpoint<PageContext>

/** Request headers, by lower-case name. */
export type CallHeaders = { readonly [name: string]: string | string[] | undefined }

/** Parsed and validated parameters of a call. */
export type Reading = {
  readonly input: Record<string, unknown>
  readonly limit: number
  readonly cursor: string | null
  readonly fields: readonly string[] | null
  /** Requested fields that not every plan includes, with the lowest plan that includes each; usually empty. */
  readonly reserved: readonly (readonly [field: string, plan: Plan])[]
  /** Endpoint id and filters. A cursor is only valid with the same id and filters. */
  readonly binding: string
  /** Cache key of the page, without its variant, which depends on the mode and the plan. */
  readonly key: string
  /**
   * Latest page of each variant, kept here to skip the lookup in the page cache. Held by weak references, so that only the page cache keeps pages in memory.
   */
  readonly pages: (WeakRef<BuiltPage> | undefined)[]
}

/** Resolved request target. It is the same for every caller, so it is cached and shared by all calls to the same target. */
export type Route = {
  readonly endpoint: PipelineEndpoint | null
  /** Comma-separated list of supported methods if the path does not support the call's method; else null. */
  readonly allow: string | null
  readonly path: Readonly<Record<string, string>>
  readonly search: string
  /** Path after the version prefix, with the query, as received. */
  readonly target: string
  /** Sentence, with a leading space, that suggests an existing path in the error message; empty if the endpoint exists. */
  readonly hint: string
  /** True for an MCP tool call that has no equivalent URL, because an argument is unknown or a path parameter is missing. These routes are not cached. */
  readonly isTool?: boolean
  reading?: { readonly value: Reading } | { readonly refusal: Refusal }
}

/** Key identified by its SHA-256 hash (in hex) and its audience. */
export type KnownKey = { readonly hash: string; readonly audience: KeyAudience }

export type Call = {
  readonly route: Route
  readonly headers: CallHeaders
  /** Caller's IP address; null if no trusted source states it. */
  readonly address: string | null
  /** Key of a call that a signed-in user makes in the portal's console. It replaces the Authorization header and is never taken from the request. */
  readonly presented?: KnownKey
  /** Telemetry record, started by the HTTP server and ended by it once the response is sent. If absent, the pipeline starts and ends its own. */
  readonly record?: CallRecord
}

/** Response ready to be sent. Headers are a flat list of names and values, without Content-Length. */
export type Answer = {
  readonly status: number
  readonly headers: string[]
  readonly body: string
  /** Length of the body in bytes. */
  readonly bytes: number
  /** Error code, if the call was rejected. */
  readonly code?: ErrorCode
}

/** Response outside the request pipeline, such as a document. Its body may be pre-encoded, so that it is not encoded again for each response. */
export type DirectAnswer = Omit<Answer, 'body'> & { readonly body: string | Uint8Array<ArrayBuffer> }

/** Returns the headers of a flat list as pairs of name and value. */
export function headerPairs(flat: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return pairs
}

/** Builds a text response that must not be cached. `headers` is a flat list of further headers. */
export function uncachedAnswer(status: number, type: 'text/plain' | 'application/json', body: string, ...headers: string[]): Answer {
  const all = ['Content-Type', `${type}; charset=utf-8`, 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', ...headers]
  return { status, headers: all, body, bytes: Buffer.byteLength(body) }
}
