import type { Log } from './log.ts'

/** What Next says of requests that ask for an action that is none, or of a form that is broken: anybody can send as many of those as they like. */
const saidOfCallers = /Server Reference ID|Server Action|header with value|Unexpected end of form|Multipart|boundary|Malformed/i

const longestText = 1_000

/** An error, or as much of what was said as is worth keeping. */
function factsOf(parts: readonly unknown[]): { err: Error } | { said: string } {
  const error = parts.find((part) => part instanceof Error)
  return error ? { err: error } : { said: parts.map(String).join(' ').slice(0, longestText) }
}

/** Has Next write its lines into our log, as which they have a shape and an end; by itself it writes to the console whatever a caller makes it say. */
export function logNext(log: Log): void {
  const hear =
    (level: 'error' | 'warn' | 'info') =>
    (...parts: unknown[]) => {
      const facts = factsOf(parts)
      const words = 'err' in facts ? facts.err.message : facts.said
      if (saidOfCallers.test(words)) log.debug(facts, 'The portal was asked for a form or an action that is none.')
      else log[level](facts, level === 'error' ? 'The portal failed.' : 'The portal said something.')
    }
  Object.assign(globalThis.console, { error: hear('error'), warn: hear('warn'), log: hear('info'), info: hear('info') })
}
