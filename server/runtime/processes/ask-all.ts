/**
 * Questions that one process of a service has for all of them, such as what each has counted. A service of one process asks itself. Whoever can answer says
 * so with `answerTo` when it starts; whoever wants to know calls `askAll`.
 */
import type { Given, Said } from './messages.ts'

/** Works out this process's answer: anything that can be sent as JSON. */
type Answering = (detail: Said) => Said | Promise<Said>

/** Answers of those that had one, this process first, and how many processes failed to give theirs in time. */
export type Asked = { readonly answers: Said[]; readonly missing: number }

type Others = (question: string, detail: Said, withinMs: number) => Promise<Asked>

const answering = new Map<string, Answering>()
let others: Others = async () => ({ answers: [], missing: 0 })

/** Says how this process answers a question from now on. Processes that said nothing about it are left out of what is heard. */
export function answerTo(question: string, answer: Answering): void {
  answering.set(question, answer)
}

/** Asks every process of this service, this one included. Resolves at the latest after `withinMs`, with what was heard by then. */
export async function askAll(question: string, detail: Said = null, withinMs = 2_000): Promise<Asked> {
  const [own, heard] = await Promise.all([answerHere(question, detail), others(question, detail, withinMs)])
  return joined([own], heard)
}

/** Puts what processes gave beside what was heard already. */
export function joined(given: readonly (Given | null)[], { answers, missing }: Asked = { answers: [], missing: 0 }): Asked {
  const said = given.flatMap((one) => (one?.kind === 'answer' ? [one.answer] : []))
  return { answers: [...said, ...answers], missing: missing + given.filter((one) => one === null || one.kind === 'fault').length }
}

/** What this process has to say; a fault is told as one, for the asker to count. */
export async function answerHere(question: string, detail: Said): Promise<Given> {
  const answer = answering.get(question)
  if (!answer) return { kind: 'nothing' }
  try {
    return { kind: 'answer', answer: await answer(detail) }
  } catch {
    return { kind: 'fault' }
  }
}

/** Says how the other processes are reached. */
export function reachOthers(by: Others): void {
  others = by
}
