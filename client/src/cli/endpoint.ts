import { type Endpoint, endpoints } from '../generated/endpoints.ts'
import { suggestion, UsageError } from './usage.ts'

type Found = { readonly endpoint: Endpoint; readonly inPath: Readonly<Record<string, string>> }

const getSegments = (path: string): readonly string[] => path.split('/').filter((part) => part !== '')

/** Formats the command of an endpoint, such as `rates <sourceKey> link`. */
export const toCommand = ({ path }: Endpoint): string =>
  getSegments(path)
    .join(' ')
    .replace(/\{(\w+)\}/g, '<$1>')

/** Rejects values that a URL can't contain, because they would be resolved as path segments. @throws UsageError */
function checkValue(name: string, value: string): string {
  if (value === '.' || value === '..') throw new UsageError(`<${name}> can't be "${value}".`)
  return value
}

/** Returns the parameter values in a path; null if it isn't the path of the endpoint. */
function match(endpoint: Endpoint, given: readonly string[]): Record<string, string> | null {
  const segments = getSegments(endpoint.path)
  if (segments.length !== given.length) return null
  const inPath: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name !== undefined) inPath[name] = checkValue(name, value)
    else if (segment !== value) return null
  }
  return inPath
}

/** Returns the endpoints whose commands begin with these words. */
export const startingWith = (words: readonly string[]): readonly Endpoint[] =>
  endpoints.filter((one) => words.every((word, at) => getSegments(one.path)[at] === word))

/** Splits words and paths such as `/v1/market/overview` into segments. */
export const toSegments = (words: readonly string[]): readonly string[] => getSegments(words.join('/').replace(/^\/?v1\//, ''))

/** Finds the endpoint of a command: a path with spaces or slashes. @throws UsageError if there is none */
export function findEndpoint(segments: readonly string[]): Found {
  const found = endpoints.flatMap((endpoint) => {
    const inPath = match(endpoint, segments)
    return inPath === null ? [] : [{ endpoint, inPath }]
  })
  // Fixed segments come before parameters: /history/components before /history/{name}.
  const [best] = found.toSorted((a, b) => Object.keys(a.inPath).length - Object.keys(b.inPath).length)
  if (best) return best
  const command = segments.join(' ')
  const longer = startingWith(segments).map(toCommand)
  if (longer.length > 0) throw new UsageError(`"${command}" is incomplete: use ${longer.map((one) => `"${one}"`).join(' or ')}.`)
  throw new UsageError(`There is no command "${command}".${suggestion(command, endpoints.map(toCommand))}`)
}
