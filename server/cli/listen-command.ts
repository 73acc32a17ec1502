import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { accountByEmail } from '#server/accounts/accounts.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { deliveryTimeoutSeconds } from '#server/api/contract/webhooks.ts'
import { mayWorkLater } from '#server/db/database-probes.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { findEndpoint, unknownEndpoint } from '#server/webhooks/endpoints.ts'
import { listEvents, type SentEvent } from '#server/webhooks/sent-events.ts'
import { newSigningSecret, sign } from '#server/webhooks/signature.ts'
import { oneOf, type SvcCommand, wholeNumber } from './context.ts'

type Options = { account: string; forward: string; mode: Mode; webhook?: string; last: number }

const pauseMs = 1_000
/** Maximum events forwarded per read, and remembered as forwarded. */
const [maxRead, maxSeen] = [200, 5_000]
/** Allowed difference between the clock of this machine and those of the service. */
const marginMs = 60_000
/** Consecutive reads without a database after which the command ends. Pauses grow to half a minute, so this takes about half an hour. */
const maxFailures = 60
const maxPauseMs = 30_000

/** Reads the events that were sent to an account's endpoints, each once, oldest first. */
function openFeed(pool: Database, accountId: number, { mode, webhook }: Options) {
  const seen = new Set<string>()
  const sinceMs = Date.now() - marginMs
  return async (isEarlier: boolean): Promise<SentEvent[]> => {
    const { rows, more } = await listEvents({ pool }, { accountId, mode, webhook }, { limit: maxRead, after: null })
    const fresh = rows.filter(({ id, sentAt }) => !seen.has(id) && (isEarlier || sentAt.getTime() >= sinceMs))
    // Events are listed newest first, so if all of these are new, older unread ones may be new too.
    if (more && fresh.length === rows.length && !isEarlier) note(`More than ${maxRead} events arrived at once. The oldest are not forwarded.`)
    const events = [...new Map(fresh.map((event) => [event.id, event])).values()].reverse()
    for (const { id } of events) seen.add(id)
    for (const id of [...seen].slice(0, Math.max(0, seen.size - maxSeen))) seen.delete(id)
    return events
  }
}

/** Sends an event to a server and returns the response status, or the error if there was no response. Redirects are not followed. */
async function forward(url: string, secret: string, { id, type, createdAt, data, delivery }: SentEvent, signal: AbortSignal): Promise<number | string> {
  const body = JSON.stringify({ id, type, createdAt: createdAt.toISOString(), attempt: 1, data: JSON.parse(data) })
  const headers = {
    'Content-Type': 'application/json',
    'X-SVC-Event': type,
    'X-SVC-Delivery': delivery,
    'X-SVC-Signature': sign(body, [secret], Date.now()),
  }
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(deliveryTimeoutSeconds * 1_000)])
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const note = (text: string) => void writeSync(2, `${text}\n`)

/**
 * Reads the next events after a pause. Waits longer each time the database can't be reached. @throws errors that can't be retried, and the last error once
 * retries are exhausted
 */
async function readNext(read: () => Promise<SentEvent[]>, signal: AbortSignal): Promise<SentEvent[]> {
  for (let failures = 0; ; failures++) {
    await sleep(Math.min(maxPauseMs, pauseMs * 2 ** failures), undefined, { signal })
    try {
      return await read()
    } catch (error) {
      if (!mayWorkLater(error) || failures >= maxFailures) throw error
      note(`${error instanceof Error ? error.message : String(error)} Trying again.`)
    }
  }
}

type Output = { readonly write: (line: string) => void; readonly signal: AbortSignal }

/** Forwards events until the signal aborts. Returns how many the server accepted, and how many it didn't. */
async function run(options: Options, pool: Database, accountId: number, { write, signal }: Output) {
  const [secret, counts] = [newSigningSecret(), { forwarded: 0, failed: 0 }]
  const send = async (event: SentEvent) => {
    const status = await forward(options.forward, secret, event, signal)
    signal.throwIfAborted()
    counts[typeof status === 'number' && status >= 200 && status < 300 ? 'forwarded' : 'failed']++
    write(`${new Date().toISOString()}  ${event.type}  ${event.id}  ${status}`)
  }
  const read = openFeed(pool, accountId, options)
  const earlier = await read(true)
  note(`Forwarding ${options.mode} events of ${options.account} to ${options.forward}. Press Ctrl+C to stop.\nSigning secret of this session: ${secret}`)
  try {
    for (const event of options.last === 0 ? [] : earlier.slice(-options.last)) await send(event)
    for (;;) for (const event of await readNext(() => read(false), signal)) await send(event)
  } catch (error) {
    if (signal.aborted) return counts
    throw error
  }
}

/** Parses an HTTP URL. */
function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new InvalidArgumentError('Must be a URL such as http://localhost:4000/hook.')
  const { username, password, href } = new URL(text)
  // An InvalidArgumentError would repeat the URL with its password.
  if (username !== '' || password !== '') throw invalid('The URL of --forward must not contain a user name or password.')
  return href
}

export function addListenCommand(program: SvcCommand): void {
  const command = program
    .accountSub('listen', "forward an account's webhook events to a server on this machine, until Ctrl+C")
    .requiredOption('--forward <url>', 'URL of the server, such as http://localhost:4000/hook', httpUrl)
    .option('--mode <mode>', 'mode of the endpoints: live or test', oneOf(['live', 'test']), 'live')
    .option('--webhook <id>', 'only events sent to this endpoint')
    .option('--last <n>', 'number of earlier events to forward first', wholeNumber(0, maxRead), 0)
  command.onDatabase(async (options: Options, { pool }) => {
    const { id } = await accountByEmail(pool, options.account)
    if (options.webhook !== undefined && (await findEndpoint(pool, id, options.webhook)).mode !== options.mode) throw unknownEndpoint()
    const ending = new AbortController()
    // A second Ctrl+C ends the program immediately.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort())
    // With --json, standard output has only the result.
    const write = command.isJson ? note : (line: string) => void writeSync(1, `${line}\n`)
    const counts = await run(options, pool, id, { write, signal: ending.signal })
    return { result: counts, lines: [`Stopped. ${counts.forwarded} forwarded, ${counts.failed} failed.`] }
  })
}
