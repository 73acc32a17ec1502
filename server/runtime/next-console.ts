import type { Log } from '#server/observability/log.ts'
import { referenceOf } from '#server/observability/log-reference.ts'

/** What Next says of requests that ask for an action that is none, or of a form that is broken: anybody can send as many of those as they like. */
const saidOfCallers =
  /Server Reference ID|Server Action|header with value|Unexpected end of form|Multipart|boundary|Malformed|Failed to parse body as FormData/i

/**
 * What Next says of a form that it does not take because it came from elsewhere, by the host of it and ours. A stranger may have sent it, but so may our own
 * page when a header of ours, or a proxy, hides where it was: whoever pressed the button sees that one, so it has to be seen by us.
 */
const saidOfStrangers = /origin.+Aborting the action/i

const longestText = 1_000

type Level = 'error' | 'warn' | 'info'

/** An error, with the reference that the page in its place shows, or as much of what was said as is worth keeping. */
function factsOf(parts: readonly unknown[]): { err: Error; reference?: string } | { said: string } {
  const error = parts.find((part) => part instanceof Error)
  if (!error) return { said: parts.map(String).join(' ').slice(0, longestText) }
  const reference = referenceOf(error)
  return reference === null ? { err: error } : { err: error, reference }
}

function logSaid(log: Log, level: Level, parts: readonly unknown[]): void {
  const facts = factsOf(parts)
  const words = 'err' in facts ? facts.err.message : facts.said
  if (saidOfStrangers.test(words)) log.warn(facts, 'A form was refused: it did not come from our own pages.')
  else if (saidOfCallers.test(words)) log.debug(facts, 'The portal was asked for a form or an action that is none.')
  else log[level](facts, level === 'error' ? 'The portal failed.' : 'The portal said something.')
}

/** Has Next write its lines into our log, as which they have a shape and an end; by itself it writes to the console whatever a caller makes it say. */
export function logNext(log: Log, console: object = globalThis.console): void {
  const hear =
    (level: Level) =>
    (...parts: unknown[]) =>
      logSaid(log, level, parts)
  Object.assign(console, { error: hear('error'), warn: hear('warn'), log: hear('info'), info: hear('info') })
}
