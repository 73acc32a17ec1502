import type { Serializable } from 'node:child_process'

/** What the first process of a service tells a child that it has started. */
export type Assignment = {
  readonly part: Part
  readonly databaseUrl: string
  readonly secret: string
  /** Proves to the child with the pages that a request was handed on by a gateway of this service. */
  readonly token: string
  /** Where the whole service listens. */
  readonly port: number
  /** Where the child with the pages listens, when it does. */
  readonly pagesPort: number | null
  /** True if the child with the pages, or one before it, ever listened. */
  readonly pagesListened: boolean
}

/** A gateway, the portal, or whatever else than gateways the service does. */
export type Part = 'gateway' | 'portal' | 'rest'

/** What can be sent from one process to another. */
export type Said = Serializable | null

/** The question by which the first process tells gateways where the pages are now. */
export const pagesMoved = 'pages moved'

/** How a child is to leave. All times in milliseconds. */
export type Leave = {
  /** How long it goes on taking connections while it says that it is not ready; null: it says nothing, since others go on listening at the same place. */
  readonly drainMs: number | null
  /** How long connections that are kept may still bring a call. */
  readonly lingerMs: number
  /** How long everything after the draining may take. */
  readonly withinMs: number
}

/** What processes of a service say to each other. Messages without `svc` are those of others, such as Node's and those of libraries, and pass by. */
export type Message =
  | { readonly svc: 'hello' }
  | { readonly svc: 'assignment'; readonly assignment: Assignment }
  | { readonly svc: 'ready'; readonly port: number }
  | { readonly svc: 'failed'; readonly reason: string; readonly isFinal: boolean }
  | { readonly svc: 'leave'; readonly how: Leave }
  | { readonly svc: 'hurry' }
  | { readonly svc: 'ask'; readonly id: number; readonly question: string; readonly detail: Said; readonly withinMs: number }
  | { readonly svc: 'asked'; readonly id: number; readonly answers: Said[]; readonly missing: number }
  | { readonly svc: 'question'; readonly id: number; readonly question: string; readonly detail: Said }
  | { readonly svc: 'answer'; readonly id: number; readonly given: Given }

/** What a process has to say to a question. */
export type Given = { readonly kind: 'answer'; readonly answer: Said } | { readonly kind: 'nothing' } | { readonly kind: 'fault' }

/** Ours, or null. Only processes that this service started hold the other end, so its shape is believed. */
export function messageOf(received: unknown): Message | null {
  return typeof received === 'object' && received !== null && 'svc' in received ? (received as Message) : null
}

/** Says something to the process that started this one. It may be gone by then, of which a child hears in another way. */
export function tellFirst(message: Message): void {
  process.send?.(message, undefined, undefined, () => undefined)
}
