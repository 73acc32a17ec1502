import type { AdmissionRequest } from './batch.ts'
import type { Ticket } from './ticket.ts'

/** Whether another key in the batch counts on the same cap. The statement reads what a key has spent once a batch, so it would not see that key spend. */
function isBesideItsLike(spenders: Map<number, number>, { capId, keyId }: AdmissionRequest): boolean {
  if (capId === null) return false
  const spender = spenders.get(capId)
  if (spender === undefined) spenders.set(capId, keyId)
  return spender !== undefined && spender !== keyId
}

/**
 * The next batch of a queue in order of arrival: so many at most, all of one service version, and of the keys that share a cap one alone. The requests of
 * the others stay in front of the rest and hold nobody up. Whoever has been answered meanwhile is left out.
 */
export function takeBatch(queue: readonly Ticket[], most: number): { readonly batch: Ticket[]; readonly rest: Ticket[] } {
  const version = queue[0]?.request.serviceVersion
  const spenders = new Map<number, number>()
  const batch: Ticket[] = []
  const later: Ticket[] = []
  let at = 0
  for (; batch.length < most; at++) {
    const ticket = queue[at]
    if (ticket === undefined || ticket.request.serviceVersion !== version) break
    if (ticket.answered) continue
    if (isBesideItsLike(spenders, ticket.request)) later.push(ticket)
    else batch.push(ticket)
  }
  const rest = queue.slice(at)
  return { batch, rest: later.length === 0 ? rest : later.concat(rest) }
}
