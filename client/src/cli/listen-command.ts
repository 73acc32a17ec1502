import type { Forwarded } from '../listen/forward.ts'
import { type ListenProblem, type ListenSession, listen } from '../listen/listen.ts'
import type { SavingsRates } from '../savings-rates.ts'
import { parseOptions, whole } from './arguments.ts'
import { printable } from './output.ts'
import { UsageError } from './usage.ts'

/** Name and options of the command that forwards webhook events. Unlike those of other commands, the name is not an endpoint's path. */
export const listenCommand = {
  name: 'listen',
  summary: 'Forward webhook events to a server on this machine.',
  options: [
    ['--forward <url>', 'Required. URL of your server, such as http://localhost:4000/hook.'],
    ['--webhook <id>', 'Only events sent to this webhook endpoint.'],
    ['--last <events>', 'First forward this number of earlier events, at most 50.'],
    ['--sample <types>', 'First forward an example of each of these event types, separated by commas, or "all" for every type.'],
    ['--every <seconds>', 'Seconds between reads. Defaults to 10 with a test key; with a live key, to the interval that uses a quarter of the daily quota.'],
    ['--url <url>', 'Base URL of the API. Defaults to SVC_API_URL, then to the URL of the service that this package was built for.'],
  ],
} as const

export type ListenArguments = {
  readonly url: string | undefined
  readonly forward: string
  readonly webhook: string | undefined
  readonly last: number | undefined
  readonly samples: readonly string[] | undefined
  readonly everySeconds: number | undefined
}

/** @throws UsageError that says what is wrong */
export function readListenArguments(args: readonly string[]): ListenArguments {
  const values = parseOptions(args, ['forward', 'webhook', 'last', 'sample', 'every', 'url'])
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const forward = text('forward')
  if (forward === undefined) throw new UsageError('--forward is required, for example: savings-rates listen --forward http://localhost:4000/hook')
  return {
    url: text('url'),
    forward,
    webhook: text('webhook'),
    last: whole('last', text('last')),
    samples: text('sample')?.split(','),
    everySeconds: whole('every', text('every')),
  }
}

type Output = {
  readonly out: (text: string) => Promise<void>
  readonly err: (text: string) => void
  /** Signing secret; undefined for a new one. */
  readonly secret: string | undefined
  readonly signal: AbortSignal
}

function toLine({ event, status, fault, attempts, totalMs }: Forwarded): string {
  const result = status === null ? `failed: ${fault}` : String(status)
  const repeated = attempts > 1 ? `, ${attempts} attempts` : ''
  return printable(`${new Date().toISOString()}  ${event.type}  ${event.id}  ${result}  ${totalMs} ms${repeated}`)
}

/** Forwards events until the signal aborts, and prints a line for each. Returns the exit code. @throws UsageError for invalid options */
export async function runListen(client: SavingsRates, { url: _, forward, ...options }: ListenArguments, output: Output): Promise<number> {
  const { out, err, secret, signal } = output
  const onReady = ({ secret: used, mode, everySeconds }: ListenSession) => {
    err(`Forwarding ${mode} events to ${printable(forward)}, checked every ${everySeconds} s. Press Ctrl+C to stop.\n`)
    if (secret === undefined) err(`Signing secret of this session: ${used}\n`)
  }
  const onProblem = ({ message, waitMs }: ListenProblem) => {
    err(`${printable(message)}${waitMs > 0 ? ` Trying again in ${Math.ceil(waitMs / 1_000)} s.` : ''}\n`)
  }
  const onForward = (result: Forwarded) => out(`${toLine(result)}\n`)
  try {
    const { forwarded, failed } = await listen(client, { ...options, forward, secret, signal, onReady, onForward, onProblem })
    err(`Stopped. ${forwarded} forwarded, ${failed} failed.\n`)
    return 0
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}
