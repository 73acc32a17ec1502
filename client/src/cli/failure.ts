import type { Pagination } from '../pagination.ts'
import { SavingsRatesError } from '../savings-rates-error.ts'
import type { Command } from './arguments.ts'
import { printable } from './output.ts'
import { UsageError } from './usage.ts'

function describe({ message, retryAfterSeconds, code, requestId }: SavingsRatesError): string {
  const wait = retryAfterSeconds === null ? '' : ` Retry in ${retryAfterSeconds} s.`
  return `${printable(`${message}${wait} (${[code, requestId].filter((text) => text !== null).join(', ')})`)}\n`
}

/** Prints an error and returns its exit code. @throws the error if neither the user nor the service caused it */
export function fail(error: unknown, err: (text: string) => void): number {
  if (error instanceof SavingsRatesError) {
    err(describe(error))
    return error.status === null ? 3 : 1
  }
  // The reader of the pipe has exited, as in: savings-rates rates --all | head -1
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0
  if (!(error instanceof UsageError)) throw error
  err(`${printable(error.message)}\n`)
  return 2
}

/** Returns true unless the service rejected the first attempt, which is never charged. */
const mayBeCharged = ({ status, attempts }: SavingsRatesError): boolean => status === null || status < 400 || status >= 500 || attempts > 1

/** Formats an option for a shell. */
const toOption = (name: string, value: string | number): string => {
  const option = `--${name}=${value}`
  return /^[\w.~=-]+$/.test(option) ? option : `'${printable(option).replaceAll("'", "'\\''")}'`
}

/** Returns advice on continuing a list after an error without paying twice. Empty if nothing was read and nothing can have been charged. */
export function getContinuation(error: unknown, pages: Pagination<unknown>, { maxRows, maxCredits }: Command): string {
  if (!(error instanceof SavingsRatesError) || (pages.rows === 0 && !mayBeCharged(error))) return ''
  const { cursor, idempotencyKey } = pages
  const options = [
    ...(maxRows === null ? [] : [toOption('limit', maxRows - pages.rows)]),
    ...(maxCredits === undefined ? [] : [toOption('max-credits', maxCredits - pages.credits)]),
    ...(cursor === null ? [] : [toOption('cursor', cursor)]),
    ...(idempotencyKey === null ? [] : [toOption('idempotency-key', idempotencyKey)]),
  ]
  return options.length === 0 ? '' : `To continue within ten minutes without paying twice, repeat the command with ${options.join(' ')}\n`
}

/** Returns advice on repeating a single call after an error without paying twice. Empty if nothing can have been charged. */
export function getRepetition(error: unknown): string {
  const key = error instanceof SavingsRatesError && error.code !== 'replay_unavailable' && mayBeCharged(error) ? error.idempotencyKey : null
  return key === null ? '' : `To repeat the call within ten minutes without paying twice, add ${toOption('idempotency-key', key)}\n`
}
