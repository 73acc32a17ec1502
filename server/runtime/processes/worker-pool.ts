import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import {
  type Asked,
  type Assignment,
  answerHere,
  type Given,
  getMessage,
  joined,
  type Message,
  notifyFirst,
  reachOthers,
  type Said,
  type ShutdownOptions,
} from './messages.ts'

/** Worker process that this process has started. */
export type WorkerProcess = {
  readonly pid: number
  readonly startedAt: number
  /** Resolves with the port once the worker serves, or with null if it ends first. */
  readonly ready: Promise<number | null>
  /** Resolves when the worker has ended, with the reason if it gave one. */
  readonly gone: Promise<Ending>
  /** Asks the worker to shut down. */
  drain: (how: ShutdownOptions) => void
  /** Cuts the drain short. */
  forceExit: () => void
  kill: () => void
}

export type Ending = { readonly code: number | null; readonly signal: string | null; readonly reason: string | null; readonly isFinal: boolean }

type Waiting = (given: Given | null) => void

const waiting = new Map<number, { worker: Worker; answer: Waiting }>()
let questions = 0

/** Sends a message to a worker. Ignores a worker that is ending: its end is detected by its exit event. */
function sendTo(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined)
}

/** Asks one worker; resolves with null if it ends or does not answer in time. */
function ask(worker: Worker, question: string, detail: Said, withinMs: number): Promise<Given | null> {
  return new Promise((resolve) => {
    const id = ++questions
    const answer = (given: Given | null) => {
      clearTimeout(timer)
      waiting.delete(id)
      resolve(given)
    }
    const timer = setTimeout(answer, withinMs, null)
    waiting.set(id, { worker, answer })
    sendTo(worker, { svc: 'question', id, question, detail })
  })
}

const ready = new Set<Worker>()

/** Asks all serving workers except `but`. */
export async function askWorkers(question: string, detail: Said, withinMs: number, but?: Worker): Promise<Asked> {
  return joined(await Promise.all([...ready].filter((worker) => worker !== but).map((worker) => ask(worker, question, detail, withinMs))))
}

/** Forwards a worker's question to all other processes, including this one. */
async function askForWorker(asker: Worker, { id, question, detail, withinMs }: Extract<Message, { svc: 'ask' }>): Promise<void> {
  const [own, replies] = await Promise.all([answerHere(question, detail), askWorkers(question, detail, withinMs, asker)])
  sendTo(asker, { svc: 'asked', id, ...joined([own], replies) })
}

function receive(worker: Worker, message: Message): void {
  if (message.svc === 'ask') void askForWorker(worker, message)
  if (message.svc === 'answer') waiting.get(message.id)?.answer(message.given)
}

/** Starts a worker and sends it its assignment. */
export function startWorker(assignment: () => Assignment | Promise<Assignment>): WorkerProcess {
  // The primary process has migrated the database, so workers do not need the credentials of the role that owns the tables.
  const worker = cluster.fork({ DATABASE_MIGRATION_URL: '' })
  let failure: { reason: string; isFinal: boolean } | null = null
  const gone = new Promise<Ending>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      ready.delete(worker)
      for (const one of waiting.values()) if (one.worker === worker) one.answer(null)
      resolve({ code, signal, reason: failure?.reason ?? null, isFinal: failure?.isFinal ?? false })
    })
  })
  const serving = new Promise<number>((resolve) => {
    worker.on('message', (received: unknown) => {
      const message = getMessage(received)
      if (message?.svc === 'hello') void Promise.resolve(assignment()).then((assigned) => sendTo(worker, { svc: 'assignment', assignment: assigned }))
      else if (message?.svc === 'failed') failure = message
      else if (message?.svc === 'ready') {
        ready.add(worker)
        resolve(message.port)
      } else if (message) receive(worker, message)
    })
  })
  return {
    pid: worker.process.pid ?? 0,
    startedAt: performance.now(),
    ready: Promise.race([serving, gone.then(() => null)]),
    gone,
    drain: (how) => sendTo(worker, { svc: 'leave', how }),
    forceExit: () => sendTo(worker, { svc: 'hurry' }),
    kill: () => worker.process.kill('SIGKILL'),
  }
}

/** Sends questions through the primary process, because workers cannot reach each other directly. */
function askThroughFirst(): (question: string, detail: Said, withinMs: number) => Promise<Asked> {
  const waiting = new Map<number, (asked: Asked) => void>()
  let asked = 0
  process.on('message', (received) => {
    const message = getMessage(received)
    if (message?.svc === 'asked') waiting.get(message.id)?.(message)
  })
  return (question, detail, withinMs) =>
    new Promise((resolve) => {
      const id = ++asked
      const end = ({ answers, missing }: Asked) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve({ answers, missing })
      }
      // The primary process enforces the timeout. If even its reply does not arrive, it counts as one missing process.
      const timer = setTimeout(end, withinMs + 500, { answers: [], missing: 1 })
      waiting.set(id, end)
      notifyFirst({ svc: 'ask', id, question, detail, withinMs })
    })
}

/** Lets a worker answer questions of the other processes of its service, and ask them. */
export function joinWorkerPool(): void {
  reachOthers(askThroughFirst())
  process.on('message', (received) => {
    const message = getMessage(received)
    if (message?.svc !== 'question') return
    void answerHere(message.question, message.detail).then((given) => notifyFirst({ svc: 'answer', id: message.id, given }))
  })
}
