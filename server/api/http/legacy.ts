import { legacyEndpoints } from '#server/api/endpoints/legacy/legacy-endpoints.ts'
import type { Answer, CallHeaders } from '#server/api/pipeline/call.ts'
import type { Pipeline } from '#server/api/pipeline/pipeline.ts'
import { Router } from './router.ts'

/** Returns the part of a URL after a prefix, or null if the path is not under it: `/v1`, `/v1/…` and `/v1?…` are under `/v1`, but `/v12` is not. */
function targetUnder(prefix: string, url: string): string | null {
  if (!url.startsWith(prefix)) return null
  const next = url.charCodeAt(prefix.length)
  return Number.isNaN(next) || next === 47 || next === 63 ? url.slice(prefix.length) : null
}

const prefix = '/api/v1'

/** Lower-case names of the request headers that the partner API reads. */
export const legacyHeaders = ['authorization', 'if-none-match'] as const

/** Returns the part of a partner API URL after its prefix, or null for any other URL. */
export const legacyTarget = (url: string): string | null => targetUnder(prefix, url)

/**
 * Removes query parameters that the partner API does not recognise. Its clients send arbitrary parameters and must keep working. Calls are free, so unlike v1,
 * the partner API does not need to reject typos.
 */
function withKnownParameters(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const path = target.slice(0, mark)
  const known = legacyEndpoints.find((endpoint) => endpoint.path === path)?.input.shape ?? {}
  const kept = new URLSearchParams([...new URLSearchParams(target.slice(mark + 1))].filter(([name]) => Object.hasOwn(known, name)))
  return kept.size === 0 ? path : `${path}?${kept}`
}

/**
 * Partner API, the predecessor of v1. Uses the same request pipeline with separate keys. Its responses have no envelope, and each announces the sunset date.
 */
export class LegacyApi {
  private readonly pipeline: Pipeline
  private readonly publicUrl: string
  private readonly router = new Router(legacyEndpoints, prefix, `Use GET with ${legacyEndpoints.map(({ path }) => prefix + path).join(' or ')}.`)

  /** Requires a pipeline that accepts partner keys and returns bare arrays. */
  constructor(pipeline: Pipeline, publicUrl: string) {
    this.pipeline = pipeline
    this.publicUrl = publicUrl
  }

  async answer(method: string, target: string, headers: CallHeaders, address: string | null): Promise<Answer> {
    const route = this.router.resolve(method, withKnownParameters(target))
    const given = Object.fromEntries(legacyHeaders.map((name) => [name, headers[name]]))
    const answer = await this.pipeline.answer({ route, headers: given, address })
    answer.headers.push('Link', `<${this.publicUrl}/v1${route.endpoint?.path ?? ''}>; rel="successor-version"`)
    return answer
  }
}
