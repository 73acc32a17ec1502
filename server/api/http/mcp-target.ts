import type { GateEndpoint, Route } from '#server/api/pipeline/call.ts'
import { isArgument } from '#server/api/pipeline/validate.ts'
import type { Router } from './router.ts'

/**
 * The values of an argument as they would stand in a query. A list of fields is one value, as in HTTP; another list is a parameter given more than once
 * and null or nothing an empty one, all of which the gate refuses by name.
 */
function valuesOf(name: string, value: unknown): string[] {
  const texts = (Array.isArray(value) ? value : [value]).map((one) => {
    if (one === null || one === undefined) return ''
    if (typeof one === 'object') return '{…}'
    // In digits, as a query has it, and not as 1e+21.
    return Number.isInteger(one) ? BigInt(one as number).toString() : String(one).toWellFormed()
  })
  if (texts.length === 0) return ['']
  return name === 'fields' ? [texts.join(',')] : texts
}

/**
 * Where a tool call leads: the very route that the endpoint's own address leads to with these arguments, so that both are read, shared and refused alike.
 */
export function routeOfCall(endpoint: GateEndpoint, given: Readonly<Record<string, unknown>>, router: Router): Route {
  const path: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    const values = valuesOf(name, value)
    if (endpoint.path.includes(`{${name}}`)) path[name] = values.join()
    else for (const text of values) query.append(name, text)
  }
  const search = query.toString()
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const target = search === '' ? filled : `${filled}?${search}`
  const isKnown = Object.keys(given).every((name) => isArgument(endpoint, name))
  const route = isKnown ? router.resolve(endpoint.method, target) : null
  // Without all parts of its path the address is another one; the gate then says which argument is missing, or which one it does not know.
  return route?.endpoint === endpoint ? route : { endpoint, allow: null, path, search, target, hint: '', isTool: true }
}
