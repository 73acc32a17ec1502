import { type DestinationStream, type Logger, pino } from 'pino'
import { databaseAdvice } from '#server/db/error-advice.ts'
import { standardError } from './log-destination.ts'
import { limitLines } from './log-limit.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** Names of fields that never reach a log, wherever they stand. */
const secretFields = ['authorization', 'cookie', 'password', 'key', 'secret', 'token', 'url', 'connectionString']

/** What is kept of an error beside its message: codes, and names of things in the database. None of them holds a value of a row. */
const namedFields = ['code', 'errno', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const

const deepest = 4
const mostErrors = 4

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

const adviceOn = (error: Error): { advice?: string } => {
  const advice = databaseAdvice(error)
  return advice === null ? {} : { advice }
}

/**
 * An error as the log keeps it. Only what is named here goes in, because libraries hang what they like on their errors: `pg` its whole connection,
 * with the key that cancels any statement of it, and the values of the row that broke a constraint.
 */
function errorFacts(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'object' ? 'This is no Error.' : String(error) }
  const held = error as Error & { readonly [name: string]: unknown }
  const inside = (other: unknown) => errorFacts(other, depth + 1)
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(namedFields.flatMap((name) => (isPlain(held[name]) ? [[name, held[name]]] : []))),
    ...adviceOn(error),
    ...(error.cause !== undefined && depth < deepest ? { cause: inside(error.cause) } : {}),
    ...(error instanceof AggregateError && depth < deepest ? { errors: error.errors.slice(0, mostErrors).map(inside) } : {}),
  }
}

/** The structured log of a process: one JSON object a line on standard error, times in ISO 8601 UTC. */
export function createLog(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      hooks: { logMethod: limitLines() },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFacts(error) },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    destination,
  )
}
