import { legacyEndpoints } from '#server/api/endpoints/legacy/legacy-endpoints.ts'
import type { Answer, CallHeaders } from '#server/api/pipeline/call.ts'
import type { Pipeline } from '#server/api/pipeline/pipeline.ts'
import { targetUnder } from './address-shapes.ts'
import { Router } from './router.ts'

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
 * Creates the partner API, the predecessor of v1. It uses the same request pipeline with separate keys: `pipeline` must accept partner keys and return bare
 * arrays. Its responses have no envelope, and each announces the sunset date.
 */
export function createLegacyApi(pipeline: Pipeline, publicUrl: string) {
  const router = new Router(legacyEndpoints, prefix, `Use GET with ${legacyEndpoints.map(({ path }) => prefix + path).join(' or ')}.`)
  return {
    answer: async (method: string, target: string, headers: CallHeaders, address: string | null): Promise<Answer> => {
      const route = router.resolve(method, withKnownParameters(target))
      const given = Object.fromEntries(legacyHeaders.map((name) => [name, headers[name]]))
      const answer = await pipeline.answer({ route, headers: given, address })
      answer.headers.push('Link', `<${publicUrl}/v1${route.endpoint?.path ?? ''}>; rel="successor-version"`)
      return answer
    },
  }
}
