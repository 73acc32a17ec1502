import type { Plan } from '#server/api/contract/access.ts'
import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import type { ApiFile, FileCoding } from '#server/api/contract/api-file.ts'
import type { CallContext, Endpoint } from '#server/api/contract/endpoint.ts'
import type { ErrorCode, Refusal } from '#server/api/contract/errors.ts'
import type { ListFormat } from '#server/api/contract/list-formats.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import type { KeyAudience } from '#server/keys/key-secret.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { CallRecord } from '#server/observability/telemetry/calls.ts'

/** Serialised response data, row by row, so that a page can be truncated without serialising it again. */
export type BuiltPage = {
  readonly format: ListFormat
  /** All rows, or the single item, in the format of the page. In JSON, this is the member `"data":…`. */
  readonly data: string
  readonly dataBytes: number
  /** Header line of a CSV page; empty in other formats. */
  readonly head: string
  /** Each row in the format of the page; null if the page is a single item. */
  readonly rows: readonly string[] | null
  /** File that is sent instead of `data`, which is then empty. The page doesn't hold its content, so that caches stay small. */
  readonly file?: ApiFile
  /** Cursor key of each row; empty if the endpoint has no cursors. */
  readonly keys: readonly string[]
  /** True if more rows follow the last one. */
  readonly more: boolean
  /** Value of `meta.updatedUntil`; null if the list doesn't have it. */
  readonly updatedUntil: string | null
  /** Weak ETag of the whole page, without the closing quote, so that a row count can be appended. */
  readonly tag: string
  readonly generatedAt: string
  readonly builtAt: number
  /** Signed cursor for the next page. Created when it is first needed, and the same for every caller. */
  next?: string
  /** Value of the Link header that leads to the next page. The same for every caller. */
  nextLink?: string
  /** Version of the config snapshot that the page was built from. */
  readonly version: number
}

/** Context passed to the endpoints' handlers. */
export type PageContext = CallContext<MarketView, AccountSummary, OwnAccount>

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
  /** Given parameters that not every plan includes, with the lowest plan that includes each; usually empty. */
  readonly reservedParameters: readonly (readonly [parameter: string, plan: Plan])[]
  /** Endpoint id and filters. A cursor is only valid with the same id and filters. */
  readonly binding: string
  /** Target of the next page, without its cursor: path and query, which end in `cursor=`. Empty if the endpoint has no pages. */
  readonly nextTarget: string
  /** Cache key of the page, without its variant, which depends on the mode and the plan. */
  readonly key: string
  /**
   * Latest page of each variant and format, kept here to skip the lookup in the page cache. Held by weak references, so that only the page cache keeps pages in memory.
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
  /** Reads the body, as often as it is called. Resolves to null if the body is too long. Missing if the endpoint takes no body. */
  readonly body?: () => Promise<string | null>
  readonly route: Route
  readonly headers: CallHeaders
  /** True for HEAD, which gets the headers of GET without the body. It never costs anything. */
  readonly isHead?: boolean
  /** Caller's IP address; null if no trusted source states it. */
  readonly address: string | null
  /** Key of a call that a signed-in user makes in the portal's console. It replaces the Authorization header and is never taken from the request. */
  readonly presented?: KnownKey
  /** Telemetry record, started by the HTTP server and ended by it once the response is sent. If absent, the pipeline starts and ends its own. */
  readonly record?: CallRecord
}

/** File to send as the body. `coding` is its Content-Encoding; if null, the file is decompressed (from gzip) as it is sent. */
export type AnswerFile = { readonly coding: FileCoding | null; readonly compressed: Uint8Array<ArrayBuffer> }

/** Response ready to be sent. Headers are a flat list of names and values, without Content-Length. */
export type Answer = {
  readonly status: number
  readonly headers: string[]
  readonly body: string
  /** Length of the body in bytes. */
  readonly bytes: number
  /** True if the length of the body is withheld: the page was not paid for. */
  readonly isUnpaid?: true
  /** Whole page in the body, or null if it was truncated. All of the body except `end` is the same for every caller, so it can be compressed once. */
  readonly page?: BuiltPage | null
  readonly end?: string
  /** File to send instead of `body`, which is then empty. */
  readonly file?: AnswerFile
  /** Error code, if the call was rejected. */
  readonly code?: ErrorCode
}

/** Response outside the request pipeline, such as a document. Its body may be pre-encoded, so that it is not encoded again for each response. */
export type DirectAnswer = Omit<Answer, 'body' | 'page' | 'end'> & { readonly body: string | Uint8Array<ArrayBuffer> }

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
