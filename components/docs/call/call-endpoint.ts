import type { CostBounds } from '#server/api/contract/request-bounds.ts'
import type { CodeTab } from '../code-lines.tsx'

/** Parameter of an endpoint, with its documentation and the properties of its field. */
export type CallParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly isRequired: boolean
  readonly type: string
  /** Range of a number; empty if there is none. */
  readonly range: string
  readonly description: string
  /** Values to choose from; empty for free text. */
  readonly values: readonly string[]
  /** Example of a valid value; empty if none is known. */
  readonly example: string
}

/** Endpoint that can be called from its reference page. */
export type CallEndpoint = {
  readonly href: string
  readonly path: string
  readonly bounds: CostBounds
  readonly parameters: readonly CallParameter[]
  /** Code samples of the call, with `targetMark` in place of its path and query. */
  readonly tabs: readonly CodeTab[]
}

/** Returns the parameter in `names` that an error message of the API is about; null if the message is about none of them. */
export function faultyParameter(message: string, names: readonly string[]): string | null {
  if (message.includes('is not a field of this list')) return names.includes('fields') ? 'fields' : null
  const quoted = [...message.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)
  // In `"tpye" is not a valid "type"`, the value comes first and may be the name of another parameter.
  const [named] = / is not a valid "(\w+)"/.exec(message)?.slice(1) ?? quoted.filter((name) => names.includes(name))
  return named !== undefined && names.includes(named) ? named : null
}
