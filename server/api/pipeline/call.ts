import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import type { CallContext, Endpoint } from '#server/api/contract/endpoint.ts'
import type { ErrorCode, Refusal } from '#server/api/contract/errors.ts'
import type { Plan } from '#server/api/contract/plans.ts'
import type { KeyAudience } from '#server/keys/key-format.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { CallRecord } from '#server/observability/telemetry/calls.ts'
import type { BuiltPage } from './built-page.ts'

export type GateEndpoint = Endpoint<CallContext<MarketView, AccountSummary>>

/** Request headers that the gate reads, by lower-case name. */
export type CallHeaders = { readonly [name: string]: string | string[] | undefined }

/** The parameters of a call, read and checked. */
export type Reading = {
  readonly input: Record<string, unknown>
  readonly limit: number
  readonly cursor: string | null
  readonly fields: readonly string[] | null
  /** Those of the fields that not every plan is given, with the plan that each needs; nearly always none. */
  readonly reserved: readonly (readonly [field: string, plan: Plan])[]
  /** What a cursor is bound to: path and filters. */
  readonly binding: string
  /** What a shared page is kept under, but for mode and plan. */
  readonly key: string
  /** Pages built for this very target, one for each variant: the shortest way to an answer. They are held by the cache of pages, which has bounds. */
  readonly pages: (WeakRef<BuiltPage> | undefined)[]
}

/** Where a target leads. It is the same for everyone, so it is kept and shared by all calls to the same target. */
export type Route = {
  readonly endpoint: GateEndpoint | null
  /** Methods that the path knows, when the method of the call is not one of them. */
  readonly allow: string | null
  readonly path: Readonly<Record<string, string>>
  readonly search: string
  /** Path under the version and query, as they came. */
  readonly target: string
  /** The nearest path that exists, for a route that does not. */
  readonly hint: string
  /** Whether it is of a tool call that has to be refused in words of its own, and so is shared with nobody. */
  readonly isTool?: boolean
  reading?: { readonly value: Reading } | { readonly refusal: Refusal }
}

/** A key that is known by what is kept of it: its SHA-256 in hex, and whose keys it is one of. */
export type KnownKey = { readonly hash: string; readonly audience: KeyAudience }

export type Call = {
  readonly route: Route
  readonly headers: CallHeaders
  /** Address of the caller as far as it can be trusted; null: unknown. */
  readonly address: string | null
  /** The key of a call that our own console makes for its owner, who is signed in. It stands in for the header; nothing of a request is ever put here. */
  readonly presented?: KnownKey
  /** What the mount has begun to take down of this call, and will end when it is sent; without it the gate does both. */
  readonly record?: CallRecord
}

/** An answer, ready to be sent: headers as a flat list of names and values, without Content-Length. */
export type Answer = {
  readonly status: number
  readonly headers: string[]
  readonly body: string
  /** Length of the body in bytes. */
  readonly bytes: number
  /** What it refuses with, if it does. */
  readonly code?: ErrorCode
}
