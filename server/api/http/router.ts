import { nearest } from '#server/api/contract/nearest.ts'
import type { PipelineEndpoint, Route } from '#server/api/pipeline/call.ts'

type Template = { readonly path: string; readonly segments: readonly string[]; readonly methods: Map<string, PipelineEndpoint> }

const maxKept = 5_000
const longestKept = 1_000

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

/** Decodes a path segment. Returns null if it is empty, badly encoded or contains NUL; the path is then treated as unknown. */
function decode(segment: string): string | null {
  try {
    return segment === '' || segment.includes('%00') ? null : decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** Returns the parameters of a path that matches a template; null if it does not match. */
function match(template: Template, segments: readonly string[]): Record<string, string> | null {
  if (template.segments.length !== segments.length) return null
  const path: Record<string, string> = {}
  for (const [index, wanted] of template.segments.entries()) {
    const given = segments[index] ?? ''
    const value = isParameter(wanted) ? decode(given) : wanted === given ? given : null
    if (value === null) return null
    if (isParameter(wanted)) path[wanted.slice(1, -1)] = value
  }
  return path
}

/** Returns the methods of a path, as in the header Allow. */
const getAllowed = ({ methods }: Template): string => [...methods.keys()].map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')

/** Resolves a target (path after the version prefix, and query) to its endpoint. Caches the routes of earlier targets. */
export class Router {
  private readonly prefix: string
  private readonly overview: string
  private readonly templates: Template[]
  private readonly kept = new Map<string, Route>()

  /** `prefix` and `overview` are used in hints: `prefix` is prepended to every path, and `overview` is a sentence that lists the existing paths. */
  constructor(endpoints: readonly PipelineEndpoint[], prefix = '/v1', overview = '/v1/me lists every endpoint with its method, for free.') {
    this.prefix = prefix
    this.overview = ` ${overview}`
    const byPath = new Map<string, Template>()
    for (const endpoint of endpoints) {
      const known = byPath.get(endpoint.path) ?? { path: endpoint.path, segments: endpoint.path.split('/'), methods: new Map() }
      known.methods.set(endpoint.method, endpoint)
      byPath.set(endpoint.path, known)
    }
    // Templates without parameters come first, so that they take precedence over parameterised ones that match the same paths.
    this.templates = [...byPath.values()].sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  }

  /** Returns the route of a request. HEAD has the route of GET. */
  resolve(given: string, target: string): Route {
    const method = given === 'HEAD' ? 'GET' : given
    const key = method === 'GET' ? target : `${method} ${target}`
    const known = this.kept.get(key)
    if (known) return known
    const route = this.find(method, target)
    if (key.length <= longestKept) {
      if (this.kept.size >= maxKept) this.kept.clear()
      this.kept.set(key, route)
    }
    return route
  }

  private find(method: string, target: string): Route {
    const mark = target.indexOf('?')
    const pathname = mark < 0 ? target : target.slice(0, mark)
    const search = mark < 0 ? '' : target.slice(mark + 1)
    const segments = pathname.split('/')
    for (const template of this.templates) {
      const path = match(template, segments)
      if (!path) continue
      const endpoint = template.methods.get(method) ?? null
      return { endpoint, allow: endpoint ? null : getAllowed(template), path, search, target, hint: endpoint ? '' : this.overview }
    }
    return { endpoint: null, allow: null, path: {}, search, target, hint: this.hintFor(pathname) }
  }

  private hintFor(pathname: string): string {
    const near = nearest(
      pathname.replace(/\/+$/, ''),
      this.templates.map((template) => template.path),
    )
    return near === null ? this.overview : ` Did you mean "${this.prefix}${near}"?`
  }
}
