/**
 * The embedded PostgreSQL: real PostgreSQL binaries from npm, on a folder of ours. Any number of processes may ask for the
 * same folder, at the same time and after any crash, and all end up with one server, which ends with its last user.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Log, Memory } from './embedded-cluster.ts'
import { openCluster, recall, remember } from './embedded-cluster.ts'
import { EmbeddedError, outputFault } from './embedded-error.ts'
import type { Lease } from './embedded-lease.ts'
import { appRole, takeLease } from './embedded-lease.ts'
import { turnLogOver } from './embedded-log.ts'
import type { Postmaster, Started } from './embedded-postmaster.ts'
import { findPostmaster, freePort, spawnPostmaster, stopPostmaster, tryPort } from './embedded-postmaster.ts'
import { codeOf, messageOf } from './error-parts.ts'

export type EmbeddedOptions = {
  dataDir: string
  /** Default: the port of last time if it is free, else any free one. A port that is asked for and taken is an error. */
  port?: number
  log: Log
  /** PostgreSQL settings over ours, for tests: `{ fsync: 'off' }`. They count when this call starts the server. */
  settings?: Record<string, string>
  /** Variables for the server process beyond ours, for tests that move its clock. */
  environment?: Record<string, string>
  /** Default: true. False: a folder without a database is an error, and stays as it is. */
  mayMake?: boolean
  /** How long a start may take, replaying the log of a crash included. */
  startTimeoutMs?: number
}

export type Embedded = { url: string; stop: () => Promise<void> }

type Held = { postmaster: Postmaster; lease: Lease; password: string }

const startTimeoutMs = 60_000
const startAgainMs = 1_000

/** Waits before the next attempt, or until there is none. */
const pause = (signal: AbortSignal) => sleep(startAgainMs, undefined, { signal }).catch(() => undefined)

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, mayMake = true } = options
  const cluster = await openCluster(options.dataDir, { log, durable: options.settings?.['fsync'] !== 'off', mayMake })
  const stopping = new AbortController()
  let held = await acquire(cluster, options)
  let recovering: Promise<void> = Promise.resolve()
  const recover = async (reason: string) => {
    options.log(`the embedded PostgreSQL went away (${reason}); starting it again`)
    let told = ''
    while (!stopping.signal.aborted) {
      try {
        // The same port: everybody who uses the server already has its address.
        held = await acquire(cluster, { ...options, port: held.postmaster.port }, stopping.signal)
        options.log('the embedded PostgreSQL is back')
        watch()
        return
      } catch (error) {
        // Such as a full disk: somebody will make room, and must not have to know that the service waits for it.
        const fault = messageOf(error)
        if (fault !== told && !stopping.signal.aborted) options.log(`the embedded PostgreSQL could not be started again: ${fault} It is tried until it can.`)
        told = fault
        await pause(stopping.signal)
      }
    }
  }
  const watch = () =>
    void held.lease.lost.then((reason) => {
      if (!stopping.signal.aborted) recovering = recover(reason)
    })
  watch()
  const turns = turnLogOver(cluster.logFile, log)
  const stop = async () => {
    clearInterval(turns)
    stopping.abort()
    await recovering
    await leave(held)
  }
  let stopped: Promise<void> | undefined
  const { port } = held.postmaster
  return { url: `postgresql://${appRole}:${held.password}@127.0.0.1:${port}/${appRole}`, stop: () => (stopped ??= stop()) }
}

/** The last user to leave stops the server, however it came to be running. A server that is already gone needs nothing. */
async function leave({ lease, postmaster }: Held): Promise<void> {
  if (await lease.isLast()) await stopPostmaster(postmaster.pid)
  await lease.release()
}

/** Uses the server that runs, or starts one, until there is a lease on it. */
async function acquire(cluster: Cluster, options: EmbeddedOptions, abort?: AbortSignal): Promise<Held> {
  const deadline = Date.now() + (options.startTimeoutMs ?? startTimeoutMs)
  const memory = await recall(cluster)
  let excuse = 'it did not become ready'
  while (Date.now() < deadline) {
    abort?.throwIfAborted()
    try {
      const held = await attempt(cluster, options, memory, deadline)
      if (held !== undefined) return held
    } catch (error) {
      if (!isPassing(error)) throw asFault(cluster, error)
      excuse = messageOf(error)
    }
    await sleep(15)
  }
  throw await noAnswer(cluster, excuse)
}

async function noAnswer(cluster: Cluster, excuse: string): Promise<EmbeddedError> {
  const running = await findPostmaster(cluster)
  const next = running === undefined ? `look into ${cluster.logFile}` : `end it with 'kill ${running.pid}' and start again`
  return new EmbeddedError('no-answer', `The embedded PostgreSQL did not answer in time (${excuse}): ${next}.`)
}

/** Nothing while the server that runs is still starting up or shutting down. */
async function attempt(cluster: Cluster, options: EmbeddedOptions, { password, port }: Memory, deadline: number): Promise<Held | undefined> {
  const running = await findPostmaster(cluster)
  const postmaster = running ?? (await start(cluster, options, port, deadline))
  if (postmaster.status !== 'ready') return undefined
  const lease = await takeLease({ port: postmaster.port, password })
  if (running !== undefined) options.log(`using the embedded PostgreSQL that already runs (pid ${running.pid}, port ${running.port})`)
  if (postmaster.port !== port) await remember(cluster, { password, port: postmaster.port })
  return { postmaster, lease, password }
}

/** Starts the server and waits until it accepts connections, or until it gives up. */
async function start(cluster: Cluster, options: EmbeddedOptions, remembered: number | undefined, deadline: number): Promise<Postmaster> {
  const port = await choosePort(cluster, options, remembered)
  const started = await spawnPostmaster(cluster, port, options)
  while (Date.now() < deadline) {
    const running = await findPostmaster(cluster)
    if (running?.status === 'ready') return running
    if (isOver(started.child)) throw await whyItEnded(cluster, started)
    await sleep(10)
  }
  throw new EmbeddedError(
    'no-answer',
    `The embedded PostgreSQL is not ready in time (it may be replaying its log after a crash): look into ${cluster.logFile} and start again.`,
  )
}

async function choosePort(cluster: Cluster, { port: wanted, log }: EmbeddedOptions, remembered: number | undefined): Promise<number> {
  if (wanted === undefined) {
    const port = await freePort(remembered)
    if (remembered !== undefined && port !== remembered) log(`port ${remembered} is taken; the embedded PostgreSQL moves to port ${port}`)
    return port
  }
  if ((await tryPort(wanted)) === wanted) return wanted
  if ((await findPostmaster(cluster)) !== undefined) throw new PassingFault('another process is starting the server')
  throw new EmbeddedError('port-taken', `Port ${wanted} of 127.0.0.1 is taken by another program: choose another port for the database or stop that program.`)
}

const isOver = ({ pid, exitCode, signalCode }: Started['child']) => pid === undefined || exitCode !== null || signalCode !== null

/** Marks what the next attempt may find changed: another process was first, or took the port between asking and binding. */
class PassingFault extends Error {}

async function whyItEnded(cluster: Cluster, started: Started): Promise<Error> {
  const output = await started.output()
  if (/lock file .* already exists|pre-existing shared memory block|could not bind|Address already in use|could not create any TCP\/IP sockets/.test(output)) {
    return new PassingFault(outputFault(output, { folder: cluster.pgdata }).message)
  }
  return outputFault(output, { folder: cluster.pgdata, logFile: cluster.logFile })
}

function asFault(cluster: Cluster, cause: unknown): EmbeddedError {
  if (cause instanceof EmbeddedError) return cause
  const next = `look into ${cluster.logFile}, or move ${cluster.pgdata} away to begin empty`
  return new EmbeddedError('start-failed', `The embedded PostgreSQL runs but cannot be used (${messageOf(cause)}): ${next}.`, { cause })
}

/** Refused, reset, 'starting up', 'shutting down', ended by a shutdown: the state of the server is changing, so look again. */
function isPassing(error: unknown): boolean {
  if (error instanceof PassingFault) return true
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '57P05', '08006'].includes(codeOf(error)) ||
    /Connection terminated|timeout expired/.test(messageOf(error))
  )
}
