import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** Names of fields that never reach a log, wherever they stand. */
const secretFields = ['authorization', 'cookie', 'password', 'key', 'secret', 'token', 'url', 'connectionString']

/** The structured log of a process: one JSON object a line on standard error, times in ISO 8601 UTC. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}
