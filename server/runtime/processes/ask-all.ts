/**
 * Questions that one process of a service asks all of them, such as for metrics. A service of one process asks itself. A module that can answer registers
 * with `answerTo` at start; callers use `askAll`.
 */
import type { Given, Said } from './messages.ts'

/** Computes this process's answer: any value that can be sent as JSON. */
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

/** Returns this process's reply. An error becomes a fault, which the asker counts. */
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
