import { legacyEndpoints } from '#server/api/endpoints/legacy/legacy-endpoints.ts'
import type { Gate } from '#server/api/pipeline/admit.ts'
import type { Answer, CallHeaders } from '#server/api/pipeline/call.ts'
import { Router } from './router.ts'
import { targetUnder } from './target.ts'

const prefix = '/api/v1'

/** The headers that it heeds, by lower-case name. */
export const legacyHeaders = ['authorization', 'if-none-match'] as const

/** The target under the prefix of the partner API, or null when the address is not one of its. */
export const legacyTarget = (url: string): string | null => targetUnder(prefix, url)

/**
 * A target without the parameters that the partner API does not know. Clients of that time send what they like, nothing here costs anything, and they
 * must go on working, so they are not told of typos as callers of v1 are.
 */
function withKnownParameters(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const path = target.slice(0, mark)
  const known = legacyEndpoints.find((endpoint) => endpoint.path === path)?.input.shape ?? {}
  const kept = new URLSearchParams([...new URLSearchParams(target.slice(mark + 1))].filter(([name]) => Object.hasOwn(known, name)))
  return kept.size === 0 ? path : `${path}?${kept}`
}

/** The partner API that came before v1: the same gate with keys of its own, answers without an envelope, and its end told in every one of them. */
export class LegacyApi {
  private readonly gate: Gate
  private readonly publicUrl: string
  private readonly router = new Router(legacyEndpoints, prefix, `There are ${legacyEndpoints.map(({ path }) => prefix + path).join(' and ')}, for GET.`)

  /** The gate has to be one that takes partner keys and writes bare arrays. */
  constructor(gate: Gate, publicUrl: string) {
    this.gate = gate
    this.publicUrl = publicUrl
  }

  async answer(method: string, target: string, headers: CallHeaders, address: string | null): Promise<Answer> {
    const route = this.router.resolve(method, withKnownParameters(target))
    const heard = Object.fromEntries(legacyHeaders.map((name) => [name, headers[name]]))
    const answer = await this.gate.answer({ route, headers: heard, address })
    answer.headers.push('Link', `<${this.publicUrl}/v1${route.endpoint?.path ?? ''}>; rel="successor-version"`)
    return answer
  }
}
