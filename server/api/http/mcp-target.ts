import type { PipelineEndpoint, Route } from '#server/api/pipeline/call.ts'
import { isArgument } from '#server/api/pipeline/validate.ts'
import type { Router } from './router.ts'

/**
 * Converts an argument to query values. A list of `fields` is one value, as in HTTP; any other list is a repeated parameter, and null or undefined is an empty
 * one, all of which the pipeline rejects by name.
 */
function getValues(name: string, value: unknown): string[] {
  const texts = (Array.isArray(value) ? value : [value]).map((one) => {
    if (one === null || one === undefined) return ''
    if (typeof one === 'object') return '{…}'
    // Plain digits, as in a query, instead of 1e+21.
    return Number.isInteger(one) ? BigInt(one as number).toString() : String(one).toWellFormed()
  })
  if (texts.length === 0) return ['']
  return name === 'fields' ? [texts.join(',')] : texts
}

/**
 * Returns the route of a tool call. It is the route of the endpoint's own URL with these arguments, so that both are parsed, cached and rejected in the same
 * way.
 */
export function routeOfCall(endpoint: PipelineEndpoint, given: Readonly<Record<string, unknown>>, router: Router): Route {
  const path: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    const values = getValues(name, value)
    if (endpoint.path.includes(`{${name}}`)) path[name] = values.join()
    else for (const text of values) query.append(name, text)
  }
  const search = query.toString()
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const target = search === '' ? filled : `${filled}?${search}`
  const isKnown = Object.keys(given).every((name) => isArgument(endpoint, name))
  const route = isKnown ? router.resolve(endpoint.method, target) : null
  // With a path parameter missing, the URL would be a different one; the pipeline then reports the missing or unknown argument.
  return route?.endpoint === endpoint ? route : { endpoint, allow: null, path, search, target, hint: '', isTool: true }
}
