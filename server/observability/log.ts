import { type DestinationStream, type Logger, pino } from 'pino'
import { databaseAdvice } from '#server/db/error-advice.ts'
import { standardError } from './log-destination.ts'
import { limitLines } from './log-limit.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** Names of fields that are redacted from the log, both at the top level and one level down. */
const secretFields = ['authorization', 'cookie', 'password', 'key', 'secret', 'token', 'url', 'connectionString']

/** Fields of an error that are logged in addition to its message: codes, and names of database objects. None of them contains row values. */
const namedFields = ['code', 'errno', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const

const deepest = 4
const maxErrors = 4

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

const adviceOn = (error: Error): { advice?: string } => {
  const advice = databaseAdvice(error)
  return advice === null ? {} : { advice }
}

/**
 * Serialises an error for the log. Only listed fields are included, because libraries attach arbitrary data to their errors: `pg` attaches the whole
 * connection, with the key that can cancel its statements, and the values of the row that violated a constraint.
 */
function errorFields(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'object' ? 'Not an Error.' : String(error) }
  const held = error as Error & { readonly [name: string]: unknown }
  const inside = (other: unknown) => errorFields(other, depth + 1)
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(namedFields.flatMap((name) => (isPlain(held[name]) ? [[name, held[name]]] : []))),
    ...adviceOn(error),
    ...(error.cause !== undefined && depth < deepest ? { cause: inside(error.cause) } : {}),
    ...(error instanceof AggregateError && depth < deepest ? { errors: error.errors.slice(0, maxErrors).map(inside) } : {}),
  }
}

/** Creates the structured log of a process: one JSON object per line on standard error, times in ISO 8601 UTC. */
export function createLog(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      hooks: { logMethod: limitLines() },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFields(error) },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    destination,
  )
}
