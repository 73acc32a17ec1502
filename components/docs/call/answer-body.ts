import { type CallParameter, faultyParameter } from './call-endpoint.ts'
import type { ShownAnswer } from './calls.ts'

/** Parses the body of a response. Text that isn't JSON is returned as it is. */
export function readBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

type FieldFault = { readonly name: string; readonly message: string }

/** Returns the parameter that the API rejected, and the reason; null if the response is not about a parameter. */
export function findFault({ answer }: ShownAnswer, parameters: readonly CallParameter[]): FieldFault | null {
  if (answer.status !== 400 && answer.status !== 404) return null
  const body = readBody(answer.body)
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
  const names = parameters.filter((one) => answer.status === 400 || one.in === 'path').map(({ name }) => name)
  const name = faultyParameter(message, names)
  return name === null ? null : { name, message }
}

/** Returns the cursor of the next page; null if there is none. */
export function findCursor(body: unknown): string | null {
  const meta = typeof body === 'object' && body !== null && 'meta' in body ? body.meta : null
  return typeof meta === 'object' && meta !== null && 'nextCursor' in meta && typeof meta.nextCursor === 'string' ? meta.nextCursor : null
}
