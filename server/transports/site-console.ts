import { errors } from '../contract/errors.ts'
import { AddressLimit } from '../gate/address-limit.ts'
import type { Gate } from '../gate/admit.ts'
import type { Answer } from '../gate/call.ts'
import { countWindow, pushWindow, type Window } from '../gate/headers.ts'
import { newRequestId, publicRequestId } from '../ids.ts'
import type { Router } from './router.ts'

/** What a visitor of the console sees of an answer. */
export type ConsoleAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** From the call to the answer, inside of this process. */
  readonly tookMs: number
}

type Parts = {
  readonly gate: Gate
  readonly router: Router
  readonly publicUrl: string
  /** The test key that calls are made with. */
  readonly key: () => Promise<string>
}

/** Calls a minute that one address may make without a key of its own. */
const perMinute = 30
const longestTarget = 2_000
const isWindow = /^(x-)?ratelimit/i

const docsOf = (publicUrl: string, code: string) => `${publicUrl}/docs/errors/${code}`

/**
 * Calls of visitors who have no key: made through the same gate as any other, with a test key of the service, so they read the sample and nothing
 * else. They are limited by address, and what an answer says of limits is told for the address.
 */
export class SiteConsole {
  private readonly parts: Parts
  private readonly addresses = new AddressLimit(perMinute)

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Makes a GET call. `target` is path and query under the version; one that is no path is answered like any unknown one. */
  async call(target: string, address: string | null): Promise<ConsoleAnswer> {
    const counted = this.addresses.count(address)
    const window = countWindow('address', counted)
    if (counted.isOver) return this.refused(window)
    const { gate, router, key } = this.parts
    const known = target.startsWith('/') && target.length <= longestTarget ? target : '/'
    const started = performance.now()
    const answer = await gate.answer({ route: router.resolve('GET', known), headers: { authorization: `Bearer ${await key()}` }, address })
    return this.shown(answer, window, performance.now() - started)
  }

  private shown({ status, headers: flat, body, bytes }: Answer, window: Window, tookMs: number): ConsoleAnswer {
    const headers: string[] = []
    for (let at = 0; at < flat.length; at += 2) if (!isWindow.test(flat[at] ?? '')) headers.push(flat[at] ?? '', flat[at + 1] ?? '')
    pushWindow(headers, window)
    headers.push('Content-Length', String(bytes))
    const pairs: [string, string][] = []
    for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
    return { status, headers: pairs, body, tookMs: Math.round(tookMs * 10) / 10 }
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
