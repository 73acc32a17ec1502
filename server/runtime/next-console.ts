import type { Log } from '#server/observability/log.ts'
import { getReference } from '#server/observability/log-reference.ts'

/** Matches messages of Next about unknown actions or malformed forms. Any client can cause them, in any number. */
const saidOfCallers =
  /Server Reference ID|Server Action|header with value|Unexpected end of form|Multipart|boundary|Malformed|Failed to parse body as FormData/i

/**
 * Matches the message of Next about a form refused because its origin differs from our host. Another site may have sent it, but so may our own page if one of
 * our headers or a proxy hides its origin: then users cannot submit forms, so this must be visible in the log.
 */
const loggedForClients = /origin.+Aborting the action/i

const longestText = 1_000

type Level = 'error' | 'warn' | 'info'

/** Returns the error with the reference shown on its error page, or the start of the message. */
function toLogFields(parts: readonly unknown[]): { err: Error; reference?: string } | { said: string } {
  const error = parts.find((part) => part instanceof Error)
  if (!error) return { said: parts.map(String).join(' ').slice(0, longestText) }
  const reference = getReference(error)
  return reference === null ? { err: error } : { err: error, reference }
}

function logSaid(log: Log, level: Level, parts: readonly unknown[]): void {
  const facts = toLogFields(parts)
  const words = 'err' in facts ? facts.err.message : facts.said
  if (loggedForClients.test(words)) log.warn(facts, 'A form was rejected because it was not sent from our own pages.')
  else if (saidOfCallers.test(words)) log.debug(facts, 'The portal received an invalid form or an unknown action.')
  else log[level](facts, level === 'error' ? 'The portal failed.' : 'Next wrote to the console.')
}

/** Redirects Next's console output to our log, which adds structure and limits its length; otherwise clients could write any text to the console. */
export function logNext(log: Log, console: object = globalThis.console): void {
  const forward =
    (level: Level) =>
    (...parts: unknown[]) =>
      logSaid(log, level, parts)
  Object.assign(console, { error: forward('error'), warn: forward('warn'), log: forward('info'), info: forward('info') })
}
