import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.answer')

/** Returns the storage from a global slot, because Next bundles a second copy of this module and both must share it. */
function answers(): AsyncLocalStorage<ServerResponse> {
  shared[slot] ??= new AsyncLocalStorage<ServerResponse>()
  return shared[slot] as AsyncLocalStorage<ServerResponse>
}

/** Runs `work` with the response in async context, so that nested code can reach it. */
export function answering(response: ServerResponse, work: () => void): void {
  answers().run(response, work)
}

/** Sets the status of the page being rendered. Returns false if that is impossible: the headers are already sent, or the host runs only Next. */
export function setAnswerStatus(status: number): boolean {
  const response = answers().getStore()
  if (!response || response.headersSent) return false
  response.statusCode = status
  return true
}
