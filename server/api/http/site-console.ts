import type { Mode } from '#server/api/contract/endpoint.ts'
import { errors, type Refusal, refuse } from '#server/api/contract/errors.ts'
import { AddressLimit } from '#server/api/pipeline/address-limit.ts'
import type { Gate } from '#server/api/pipeline/admit.ts'
import type { Answer } from '#server/api/pipeline/call.ts'
import { countWindow, pushWindow, type Window } from '#server/api/pipeline/headers.ts'
import { newRequestId, publicRequestId } from '#server/ids.ts'
import type { Router } from './router.ts'

/** What a visitor of the console sees of an answer. */
export type ConsoleAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** From the call to the answer, inside of this process. */
  readonly tookMs: number
}

/** A key that its owner can call with. */
export type ConsoleKey = { readonly id: string; readonly mode: Mode; readonly name: string; readonly hint: string }

/** The keys of accounts. */
export type OwnKeysOfConsole = {
  /** Those that work now. */
  readonly workingOf: (accountId: number) => Promise<ConsoleKey[]>
  /** The SHA-256, in hex, of a key of the account. Null: it has no such key. */
  readonly find: (accountId: number, keyId: string) => Promise<{ readonly hash: string; readonly mode: Mode } | null>
}

/** A call that an account makes with one of its keys. `maxCredits` is what the page said that it costs at most, as it came. */
export type OwnCall = { readonly accountId: number; readonly keyId: string; readonly maxCredits: unknown }

/** Where a call comes from. `headers` are those that are noted of every call. */
type Caller = { readonly address: string | null; readonly headers: Readonly<Record<string, string>> }

type Parts = {
  readonly gate: Gate
  readonly router: Router
  readonly publicUrl: string
  /** The test key that calls of visitors are made with. */
  readonly key: () => Promise<string>
  readonly own: OwnKeysOfConsole
}

/** Calls a minute that one address may make without a key of its own. */
const perMinute = 30
const longestTarget = 2_000
const mostCeiling = 999_999_999
const keyIdShape = /^key_[0-9A-Za-z]{1,60}$/
const isWindow = /^(x-)?ratelimit/i

const docsOf = (publicUrl: string, code: string) => `${publicUrl}/docs/errors/${code}`

function pairsOf({ headers, bytes }: Pick<Answer, 'headers' | 'bytes'>): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  pairs.push(['Content-Length', String(bytes)])
  return pairs
}

const isCeiling = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostCeiling

const since = (started: number) => Math.round((performance.now() - started) * 10) / 10

/**
 * Calls from the console, made through the same gate as any other. Those of visitors who have no key are made with a test key of the service, so they
 * read the sample and nothing else; they are limited by address, and what an answer says of limits is told for the address. Those of an account are
 * made with one of its own keys and are in everything calls with that key.
 */
export class SiteConsole {
  private readonly parts: Parts
  private readonly addresses = new AddressLimit(perMinute)

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Makes a GET call on sample data. `target` is path and query under the version; one that is no path is answered like any unknown one. */
  async call(target: string, address: string | null): Promise<ConsoleAnswer> {
    const counted = this.addresses.count(address)
    const window = countWindow('address', counted)
    if (counted.isOver) return this.refused(window)
    const started = performance.now()
    const answer = await this.parts.gate.answer({ route: this.routeOf(target), headers: { authorization: `Bearer ${await this.parts.key()}` }, address })
    return this.shown(answer, window, since(started))
  }

  /** The keys that an account can choose from. */
  keysOf(accountId: number): Promise<ConsoleKey[]> {
    return this.parts.own.workingOf(accountId)
  }

  /**
   * Makes a GET call with a key of an account. What a live key may spend on it is what the caller was shown, and nothing is worked out in its place.
   * There is no call when the account has no such key, and none with a live key that does not say what it may cost.
   */
  async callAs({ accountId, keyId, maxCredits }: OwnCall, target: string, { address, headers }: Caller): Promise<ConsoleAnswer | { refusal: Refusal }> {
    const key = keyIdShape.test(keyId) ? await this.parts.own.find(accountId, keyId) : null
    if (key === null) return { refusal: refuse('not_found', {}, 'There is no such key.') }
    if (key.mode === 'live' && !isCeiling(maxCredits)) {
      return { refusal: refuse('invalid_request', {}, 'A call with a live key must say in "maxCredits" the most credits that it may cost.') }
    }
    const ceiling = key.mode === 'live' ? { 'x-svc-max-credits': String(maxCredits) } : {}
    const started = performance.now()
    const presented = { hash: key.hash, audience: 'api' } as const
    const call = { route: this.routeOf(target), headers: { ...headers, ...ceiling }, address, presented }
    const answer = await this.parts.gate.answer(call)
    return { status: answer.status, headers: pairsOf(answer), body: answer.body, tookMs: since(started) }
  }

  private routeOf(target: string) {
    return this.parts.router.resolve('GET', target.startsWith('/') && target.length <= longestTarget ? target : '/')
  }

  private shown({ status, headers: flat, body, bytes }: Answer, window: Window, tookMs: number): ConsoleAnswer {
    const headers: string[] = []
    for (let at = 0; at < flat.length; at += 2) if (!isWindow.test(flat[at] ?? '')) headers.push(flat[at] ?? '', flat[at + 1] ?? '')
    pushWindow(headers, window)
    return { status, headers: pairsOf({ headers, bytes }), body, tookMs }
  }

  private refused(window: Window): ConsoleAnswer {
    const retryAfter = window.resetSeconds
    const message = `Too many calls. Try again in ${retryAfter} seconds.`
    const fault = { error: 'rate_limited', message, requestId: publicRequestId(newRequestId()), docs: docsOf(this.parts.publicUrl, 'rate_limited'), retryAfter }
    const body = JSON.stringify(fault)
    const headers = ['Content-Type', 'application/json; charset=utf-8', 'Retry-After', String(retryAfter)]
    return this.shown({ status: errors.rate_limited.status, headers, body, bytes: Buffer.byteLength(body) }, window, 0)
  }
}
