import { readFileSync } from 'node:fs'
import type { ConnectionEnv } from '#server/api/http/listener-limits.ts'
import type { Log } from '#server/observability/log.ts'

/** Files that the process needs beside its callers: connections to the database, pages, the log, fonts. */
const spare = 256

/** How many files and connections the system lets this process have open; null where it does not say. */
function mostOpenFiles(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    // Only Linux has this file. Elsewhere the number that is set is taken at its word.
    return null
  }
}

/** The numbers of connections, cut to what the system allows: a process without a file left could not reach its database either. */
export function withinOpenFiles(given: ConnectionEnv, log: Log, most = mostOpenFiles()): ConnectionEnv {
  if (most === null || given.connections <= most - spare) return given
  const connections = Math.max(1, most - spare)
  log.warn({ asked: given.connections, connections }, 'MAX_CONNECTIONS is more than the system allows this process to have open (ulimit -n).')
  return { ...given, connections }
}
