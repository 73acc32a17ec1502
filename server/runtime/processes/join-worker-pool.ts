import { type Asked, answerHere, reachOthers } from './ask-all.ts'
import { getMessage, notifyFirst, type Said } from './messages.ts'

/** Sends questions through the first process, because workers cannot reach each other directly. */
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
      // The first process enforces the timeout. If even its reply does not arrive, it counts as the missing process.
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
