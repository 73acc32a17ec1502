import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.answer')

/** Next's bundle has a copy of this module of its own: both have to mean the same storage. */
function answers(): AsyncLocalStorage<ServerResponse> {
  shared[slot] ??= new AsyncLocalStorage<ServerResponse>()
  return shared[slot] as AsyncLocalStorage<ServerResponse>
}

/** Does the work that ends in an answer, so that what is deep in it can reach the answer. */
export function answering(response: ServerResponse, work: () => void): void {
  answers().run(response, work)
}

/**
 * Gives the page that is being made another status than 200. False when it cannot: its headers are on their way, or it is made by a host that only runs
 * Next.
 */
export function setAnswerStatus(status: number): boolean {
  const response = answers().getStore()
  if (!response || response.headersSent) return false
  response.statusCode = status
  return true
}
