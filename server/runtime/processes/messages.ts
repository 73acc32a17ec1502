import type { Serializable } from 'node:child_process'

/** Configuration that the primary process sends to a worker it has started. */
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

/** Message in which the primary process sends the gateways the new port of the pages process. */
export const pagesMoved = 'pages moved'

/** Shutdown options of a worker. All times in milliseconds. */
export type ShutdownOptions = {
  /** Time to keep accepting connections while reporting not ready; null: no drain, because other processes keep listening on the same port. */
  readonly drainMs: number | null
  /** Grace period during which keep-alive connections may still send a request. */
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

/** Returns a message of this service, or null if it is another library's. Its shape is trusted: only processes that this service started can send one. */
export function getMessage(received: unknown): Message | null {
  return typeof received === 'object' && received !== null && 'svc' in received ? (received as Message) : null
}

/** Sends a message to the process that started this one. Ignores errors: a worker detects the loss of that process by its disconnect event. */
export function notifyFirst(message: Message): void {
  process.send?.(message, undefined, undefined, () => undefined)
}

/** Computes this process's answer to a question. */
type Answering = (detail: Said) => Said | Promise<Said>

/** Answers of the processes, this process first, and the number of processes that failed or timed out. */
export type Asked = { readonly answers: Said[]; readonly missing: number }

type Others = (question: string, detail: Said, withinMs: number) => Promise<Asked>

const answering = new Map<string, Answering>()
let others: Others = async () => ({ answers: [], missing: 0 })

/** Registers this process's answer to a question. Processes without one are left out of the result. */
export function answerTo(question: string, answer: Answering): void {
  answering.set(question, answer)
}

/** Asks every process of this service, including this one. Resolves after `withinMs` at the latest, with the answers received by then. */
export async function askAll(question: string, detail: Said = null, withinMs = 2_000): Promise<Asked> {
  const [own, replies] = await Promise.all([answerHere(question, detail), others(question, detail, withinMs)])
  return joined([own], replies)
}

/** Merges the replies of processes with earlier results. */
export function joined(given: readonly (Given | null)[], { answers, missing }: Asked = { answers: [], missing: 0 }): Asked {
  const said = given.flatMap((one) => (one?.kind === 'answer' ? [one.answer] : []))
  return { answers: [...said, ...answers], missing: missing + given.filter((one) => one === null || one.kind === 'fault').length }
}

/** Returns this process's reply. An error becomes a reply of kind `fault`, which the asker counts. */
export async function answerHere(question: string, detail: Said): Promise<Given> {
  const answer = answering.get(question)
  if (!answer) return { kind: 'nothing' }
  try {
    return { kind: 'answer', answer: await answer(detail) }
  } catch {
    return { kind: 'fault' }
  }
}

/** Sets the function that asks the other processes. */
export function reachOthers(by: Others): void {
  others = by
}
