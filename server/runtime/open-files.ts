import { readFileSync } from 'node:fs'
import type { ConnectionEnv } from '#server/api/http/listener-limits.ts'
import type { Log } from '#server/observability/log.ts'

/** File descriptors reserved for everything except clients: database connections, pages, the log, fonts. */
const spare = 256

/** Returns the number of files and connections that this process may have open, or null if the system does not report it. */
function maxOpenFiles(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    // Only Linux has this file. Elsewhere the configured number is used unchecked.
    return null
  }
}

/** Caps the number of connections at the system's limit: a process out of file descriptors could not reach its database either. */
export function withinOpenFiles(given: ConnectionEnv, log: Log, most = maxOpenFiles()): ConnectionEnv {
  if (most === null || given.connections <= most - spare) return given
  const connections = Math.max(1, most - spare)
  log.warn({ asked: given.connections, connections }, 'MAX_CONNECTIONS exceeds the open-file limit of this process (ulimit -n). Using a lower value.')
  return { ...given, connections }
}
