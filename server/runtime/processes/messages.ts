import type { Serializable } from 'node:child_process'

/** Configuration that the first process sends to a worker it has started. */
export type Assignment = {
  readonly part: Part
  readonly databaseUrl: string
  readonly secret: string
  /** Proves to the pages process that a request was proxied by a gateway of this service. */
  readonly token: string
  /** Port of the service. */
  readonly port: number
  /** Port of the pages process; null: it is not listening. */
  readonly pagesPort: number | null
  /** True if the current or an earlier pages process has ever listened. */
  readonly pagesListened: boolean
}

/** Part of the service that a worker runs: a gateway, the portal, or everything except gateways. */
export type Part = 'gateway' | 'portal' | 'rest'

/** Value that can be sent between processes. */
export type Said = Serializable | null

/** Question with which the first process sends gateways the new port of the pages. */
export const pagesMoved = 'pages moved'

/** Shutdown options of a worker. All times in milliseconds. */
export type ShutdownOptions = {
  /** Time to keep accepting connections while reporting not ready; null: no drain, because other processes keep listening on the same port. */
  readonly drainMs: number | null
  /** Time for which keep-alive connections may still send a request. */
  readonly lingerMs: number
  /** Time limit for the rest of the shutdown, after the drain. */
  readonly withinMs: number
}

/** Messages between processes of a service. Messages without `svc`, such as those of Node and libraries, are ignored. */
export type Message =
  | { readonly svc: 'hello' }
  | { readonly svc: 'assignment'; readonly assignment: Assignment }
  | { readonly svc: 'ready'; readonly port: number }
  | { readonly svc: 'failed'; readonly reason: string; readonly isFinal: boolean }
  | { readonly svc: 'leave'; readonly how: ShutdownOptions }
  | { readonly svc: 'hurry' }
  | { readonly svc: 'ask'; readonly id: number; readonly question: string; readonly detail: Said; readonly withinMs: number }
  | { readonly svc: 'asked'; readonly id: number; readonly answers: Said[]; readonly missing: number }
  | { readonly svc: 'question'; readonly id: number; readonly question: string; readonly detail: Said }
  | { readonly svc: 'answer'; readonly id: number; readonly given: Given }

/** Reply of a process to a question. */
export type Given = { readonly kind: 'answer'; readonly answer: Said } | { readonly kind: 'nothing' } | { readonly kind: 'fault' }

/** Returns the message if it is ours, or null. Its shape is trusted: only processes that this service started can send one. */
export function getMessage(received: unknown): Message | null {
  return typeof received === 'object' && received !== null && 'svc' in received ? (received as Message) : null
}

/** Sends a message to the process that started this one. Ignores errors: a worker detects the loss of that process by its disconnect event. */
export function notifyFirst(message: Message): void {
  process.send?.(message, undefined, undefined, () => undefined)
}
