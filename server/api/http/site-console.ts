import type { Mode } from '#server/api/contract/endpoint.ts'
import { errors, type Refusal, refuse } from '#server/api/contract/errors.ts'
import { type Answer, headerPairs } from '#server/api/pipeline/call.ts'
import type { Pipeline } from '#server/api/pipeline/pipeline.ts'
import { AddressLimit, countWindow, pushWindow, type Window } from '#server/api/pipeline/rate-windows.ts'
import { newRequestId, publicRequestId } from '#server/ids.ts'
import type { Router } from './router.ts'
import { readStart } from './send-file.ts'

/** Response as the console displays it. */
export type ConsoleAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Time from the call to the response, measured inside this process. */
  readonly tookMs: number
}

/** Access to accounts' keys. */
export type OwnKeysOfConsole = {
  /** Returns the mode and the SHA-256 (in hex) of one of the account's keys; null if the account has no such key. */
  readonly find: (accountId: number, keyId: string) => Promise<{ readonly hash: string; readonly mode: Mode } | null>
}

/** Call that an account makes with one of its keys. `maxCredits` is the maximum cost sent by the page, not yet validated. */
export type OwnCall = { readonly accountId: number; readonly keyId: string; readonly maxCredits: unknown }

/** IP address of the console's user, and the request headers to record with the call. */
type Caller = { readonly address: string | null; readonly headers: Readonly<Record<string, string>> }

type Parts = {
  readonly pipeline: Pipeline
  readonly router: Router
  readonly publicUrl: string
  /** Returns the service's own test key, used for unauthenticated calls. */
  readonly key: () => Promise<string>
  readonly own: OwnKeysOfConsole
}

/** Maximum number of unauthenticated calls per minute from one network. */
const perMinute = 30
const longestTarget = 2_000
const maxCeiling = 999_999_999
const keyIdShape = /^key_[0-9A-Za-z]{1,60}$/
const isWindow = /^(x-)?ratelimit/i

const getPairs = ({ headers, bytes }: Pick<Answer, 'headers' | 'bytes'>): ConsoleAnswer['headers'] => [
  ...headerPairs(headers),
  ['Content-Length', String(bytes)],
]

/** The console shows the start of a file. */
const shownFileBytes = 65_536

const getBody = async ({ body, file }: Answer): Promise<string> => (file ? await readStart(file, shownFileBytes) : body)

const isCeiling = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCeiling

const since = (started: number) => Math.round((performance.now() - started) * 10) / 10

/**
 * Makes console calls through the same pipeline as any other call. Unauthenticated calls use one of the service's own test keys, so they read sample data only.
 * They are rate limited per network, and the rate limit headers in their responses describe that limit. An account's calls use one of the account's keys and behave
 * exactly like any other call with that key.
 */
export class SiteConsole {
  private readonly parts: Parts
  private readonly addresses = new AddressLimit(perMinute)

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Makes a GET call on sample data. `target` is the path after `/v1` with the query. An invalid path gets the same response as any unknown path. */
  async call(target: string, address: string | null): Promise<ConsoleAnswer> {
    const counted = this.addresses.count(address)
    const window = countWindow('address', counted)
    if (counted.isOver) return this.refused(window)
    const started = performance.now()
    const answer = await this.parts.pipeline.answer({ route: this.getRoute(target), headers: { authorization: `Bearer ${await this.parts.key()}` }, address })
    return this.shown(answer, await getBody(answer), window, since(started))
  }

  /**
   * Makes a GET call with one of the account's keys. For a live key, the spending limit is the amount that the page showed; there is no default. Makes no call
   * if the account has no such key, or if a call with a live key does not state its maximum cost.
   */
  async callAs({ accountId, keyId, maxCredits }: OwnCall, target: string, { address, headers }: Caller): Promise<ConsoleAnswer | { refusal: Refusal }> {
    const key = keyIdShape.test(keyId) ? await this.parts.own.find(accountId, keyId) : null
    if (key === null) return { refusal: refuse('not_found', {}, "This key doesn't belong to your account or no longer works. Choose another key.") }
    if (key.mode === 'live' && !isCeiling(maxCredits)) {
      return { refusal: refuse('invalid_request', {}, 'A call with a live key must state its maximum cost in "maxCredits".') }
    }
    const route = this.getRoute(target)
    if (key.mode === 'live' && route.endpoint?.kind === 'file') {
      return { refusal: refuse('invalid_request', {}, 'The console can’t download paid files. Copy the curl command and run it on your machine.') }
    }
    const ceiling = key.mode === 'live' ? { 'x-svc-max-credits': String(maxCredits) } : {}
    const started = performance.now()
    const presented = { hash: key.hash, audience: 'api' } as const
    const call = { route, headers: { ...headers, ...ceiling }, address, presented }
    const answer = await this.parts.pipeline.answer(call)
    return { status: answer.status, headers: getPairs(answer), body: await getBody(answer), tookMs: since(started) }
  }

  private getRoute(target: string) {
    return this.parts.router.resolve('GET', target.startsWith('/') && target.length <= longestTarget ? target : '/')
  }

  private shown({ status, headers: flat, bytes }: Pick<Answer, 'status' | 'headers' | 'bytes'>, body: string, window: Window, tookMs: number): ConsoleAnswer {
    const headers = headerPairs(flat).flatMap(([name, value]) => (isWindow.test(name) ? [] : [name, value]))
    pushWindow(headers, window)
    return { status, headers: getPairs({ headers, bytes }), body, tookMs }
  }

  private refused(window: Window): ConsoleAnswer {
    const retryAfter = window.resetSeconds
    const message = `Too many calls. Try again in ${retryAfter} seconds.`
    const docs = `${this.parts.publicUrl}/docs/errors/rate_limited`
    const body = JSON.stringify({ error: 'rate_limited', message, requestId: publicRequestId(newRequestId()), docs, retryAfter })
    const headers = ['Content-Type', 'application/json; charset=utf-8', 'Retry-After', String(retryAfter)]
    return this.shown({ status: errors.rate_limited.status, headers, bytes: Buffer.byteLength(body) }, body, window, 0)
  }
}
