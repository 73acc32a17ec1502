import cluster, { type Worker } from 'node:cluster'
import { type Asked, answerHere, joined } from './ask-all.ts'
import { type Assignment, type Given, type Leave, type Message, messageOf, type Said } from './messages.ts'

/** A process that this one has started. */
export type Child = {
  readonly pid: number
  readonly startedAt: number
  /** Resolves when it serves, with the port that it listens on; null: it ended before. */
  readonly ready: Promise<number | null>
  /** Resolves when it has ended, with why, as far as it said. */
  readonly gone: Promise<Ending>
  /** Tells it to leave. */
  leave: (how: Leave) => void
  /** Cuts its draining short. */
  hurry: () => void
  kill: () => void
}

export type Ending = { readonly code: number | null; readonly signal: string | null; readonly reason: string | null; readonly isFinal: boolean }

type Waiting = (given: Given | null) => void

const waiting = new Map<number, { worker: Worker; answer: Waiting }>()
let questions = 0

/** A child that is ending may be told things no more; that it has ended is seen by other means. */
function tell(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined)
}

/** Asks one child; null: no answer in time, or it ended. */
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
    tell(worker, { svc: 'question', id, question, detail })
  })
}

const ready = new Set<Worker>()

/** Asks all children that serve, but one. */
export async function askChildren(question: string, detail: Said, withinMs: number, but?: Worker): Promise<Asked> {
  return joined(await Promise.all([...ready].filter((worker) => worker !== but).map((worker) => ask(worker, question, detail, withinMs))))
}

/** A child asks all others, of which this process is one. */
async function askForChild(asker: Worker, { id, question, detail, withinMs }: Extract<Message, { svc: 'ask' }>): Promise<void> {
  const [own, heard] = await Promise.all([answerHere(question, detail), askChildren(question, detail, withinMs, asker)])
  tell(asker, { svc: 'asked', id, ...joined([own], heard) })
}

function hear(worker: Worker, message: Message): void {
  if (message.svc === 'ask') void askForChild(worker, message)
  if (message.svc === 'answer') waiting.get(message.id)?.answer(message.given)
}

/** Starts a child and tells it what it is. Messages of other kinds, such as those of libraries, pass by. */
export function startChild(assignment: () => Assignment | Promise<Assignment>): Child {
  // The first process has migrated: the others need not know the role that owns the tables.
  const worker = cluster.fork({ DATABASE_MIGRATION_URL: '' })
  let said: { reason: string; isFinal: boolean } | null = null
  const gone = new Promise<Ending>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      ready.delete(worker)
      for (const one of waiting.values()) if (one.worker === worker) one.answer(null)
      resolve({ code, signal, reason: said?.reason ?? null, isFinal: said?.isFinal ?? false })
    })
  })
  const serving = new Promise<number>((resolve) => {
    worker.on('message', (received: unknown) => {
      const message = messageOf(received)
      if (message?.svc === 'hello') void Promise.resolve(assignment()).then((assigned) => tell(worker, { svc: 'assignment', assignment: assigned }))
      else if (message?.svc === 'failed') said = message
      else if (message?.svc === 'ready') {
        ready.add(worker)
        resolve(message.port)
      } else if (message) hear(worker, message)
    })
  })
  return {
    pid: worker.process.pid ?? 0,
    startedAt: performance.now(),
    ready: Promise.race([serving, gone.then(() => null)]),
    gone,
    leave: (how) => tell(worker, { svc: 'leave', how }),
    hurry: () => tell(worker, { svc: 'hurry' }),
    kill: () => worker.process.kill('SIGKILL'),
  }
}
