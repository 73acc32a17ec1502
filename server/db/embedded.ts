/**
 * The embedded PostgreSQL: PostgreSQL binaries from npm, running on the data folder. Any number of processes can request the same folder at the same time, even
 * after a crash. They all share one server, which stops with its last user.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getCode, getMessage } from './database-errors.ts'
import type { Cluster, Log, Memory } from './embedded-cluster.ts'
import { openCluster, recall, remember } from './embedded-cluster.ts'
import { EmbeddedError, outputFault } from './embedded-error.ts'
import type { Lease } from './embedded-lease.sql.ts'
import { appRole, takeLease } from './embedded-lease.sql.ts'
import { turnLogOver } from './embedded-log.ts'
import type { Postmaster, Started } from './embedded-postmaster.ts'
import { findPostmaster, freePort, spawnPostmaster, stopPostmaster, tryPort } from './embedded-postmaster.ts'

export type EmbeddedOptions = {
  dataDir: string
  /** Default: the previous port if it is free, otherwise any free port. A requested port that is taken is an error. */
  port?: number
  log: Log
  /** Additional PostgreSQL settings, for tests: `{ fsync: 'off' }`. Only effective if this call starts the server. */
  settings?: Record<string, string>
  /** Additional environment variables of the server process, for tests that change its clock. */
  environment?: Record<string, string>
  /** Default: true. If false, a folder without a database is an error and is left unchanged. */
  mayMake?: boolean
  /** Time limit for a start, including crash recovery. */
  startTimeoutMs?: number
}

export type Embedded = { url: string; stop: () => Promise<void> }

type LeasedServer = { postmaster: Postmaster; lease: Lease; password: string }

const startTimeoutMs = 60_000
const startAgainMs = 1_000

/** Waits a second before the next attempt. Ends early if aborted. */
const pause = (signal: AbortSignal) => sleep(startAgainMs, undefined, { signal }).catch(() => undefined)

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, mayMake = true } = options
  const cluster = await openCluster(options.dataDir, { log, durable: options.settings?.['fsync'] !== 'off', mayMake })
  const stopping = new AbortController()
  let leased = await acquire(cluster, options)
  let recovering: Promise<void> = Promise.resolve()
  const recover = async (reason: string) => {
    options.log(`the embedded PostgreSQL has stopped (${reason}); restarting it`)
    let reported = ''
    while (!stopping.signal.aborted) {
      try {
        // Keeps the port, because other processes use this URL.
        leased = await acquire(cluster, { ...options, port: leased.postmaster.port }, stopping.signal)
        options.log('the embedded PostgreSQL is running again')
        watch()
        return
      } catch (error) {
        // The cause may be a full disk. Retrying lets the service recover without a restart once there is space again.
        const fault = getMessage(error)
        if (fault !== reported && !stopping.signal.aborted) options.log(`cannot restart the embedded PostgreSQL: ${fault} Retrying.`)
        reported = fault
        await pause(stopping.signal)
      }
    }
  }
  const watch = () =>
    void leased.lease.lost.then((reason) => {
      if (!stopping.signal.aborted) recovering = recover(reason)
    })
  watch()
  const logRotation = turnLogOver(cluster.logFile, log)
  const stop = async () => {
    clearInterval(logRotation)
    stopping.abort()
    await recovering
    await releaseServer(leased)
  }
  let stopped: Promise<void> | undefined
  const { port } = leased.postmaster
  return { url: `postgresql://${appRole}:${leased.password}@127.0.0.1:${port}/${appRole}`, stop: () => (stopped ??= stop()) }
}

/** Releases the server. The last user stops it, regardless of which process started it. Does nothing if it is already gone. */
async function releaseServer({ lease, postmaster }: LeasedServer): Promise<void> {
  if (await lease.isLast()) await stopPostmaster(postmaster.pid)
  await lease.release()
}

/** Retries `attempt` until it returns a lease, fails permanently or the deadline has passed. */
async function acquire(cluster: Cluster, options: EmbeddedOptions, abort?: AbortSignal): Promise<LeasedServer> {
  const deadline = Date.now() + (options.startTimeoutMs ?? startTimeoutMs)
  const memory = await recall(cluster)
  let lastError = 'it did not become ready'
  while (Date.now() < deadline) {
    abort?.throwIfAborted()
    try {
      const leased = await attempt(cluster, options, memory, deadline)
      if (leased !== undefined) return leased
    } catch (error) {
      if (!isPassing(error)) throw asFault(cluster, error)
      lastError = getMessage(error)
    }
    await sleep(15)
  }
  throw await noAnswer(cluster, lastError)
}

async function noAnswer(cluster: Cluster, lastError: string): Promise<EmbeddedError> {
  const running = await findPostmaster(cluster)
  const next = running === undefined ? `see ${cluster.logFile}` : `end it with 'kill ${running.pid}' and start again`
  return new EmbeddedError('no-answer', `The embedded PostgreSQL did not respond in time (${lastError}): ${next}.`)
}

/** Takes a lease on the running server, or starts one if there is none. Returns undefined while the server is starting or stopping. */
async function attempt(cluster: Cluster, options: EmbeddedOptions, { password, port }: Memory, deadline: number): Promise<LeasedServer | undefined> {
  const running = await findPostmaster(cluster)
  const postmaster = running ?? (await start(cluster, options, port, deadline))
  if (postmaster.status !== 'ready') return undefined
  const lease = await takeLease({ port: postmaster.port, password })
  if (running !== undefined) options.log(`using the embedded PostgreSQL that is already running (pid ${running.pid}, port ${running.port})`)
  if (postmaster.port !== port) await remember(cluster, { password, port: postmaster.port })
  return { postmaster, lease, password }
}

/** Starts the server and waits until it accepts connections or exits. */
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
    `The embedded PostgreSQL was not ready in time (it may be recovering from a crash). See ${cluster.logFile} and start again.`,
  )
}

async function choosePort(cluster: Cluster, { port: wanted, log }: EmbeddedOptions, remembered: number | undefined): Promise<number> {
  if (wanted === undefined) {
    const port = await freePort(remembered)
    if (remembered !== undefined && port !== remembered) log(`port ${remembered} is taken; the embedded PostgreSQL uses port ${port} instead`)
    return port
  }
  if ((await tryPort(wanted)) === wanted) return wanted
  if ((await findPostmaster(cluster)) !== undefined) throw new PassingFault('another process is starting the server')
  throw new EmbeddedError('port-taken', `Port ${wanted} on 127.0.0.1 is taken by another program. Choose another port for the database or stop that program.`)
}

const isOver = ({ pid, exitCode, signalCode }: Started['child']) => pid === undefined || exitCode !== null || signalCode !== null

/** Temporary failure that is worth another attempt: another process started the server first, or took the port before it was bound. */
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
  const next = `see ${cluster.logFile}, or move ${cluster.pgdata} away to start with an empty database`
  return new EmbeddedError('start-failed', `The embedded PostgreSQL is running but unusable (${getMessage(cause)}): ${next}.`, { cause })
}

/** Returns true for errors that occur while the server starts or stops: the connection was refused or reset, or the server reports its state. */
function isPassing(error: unknown): boolean {
  if (error instanceof PassingFault) return true
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '57P05', '08006'].includes(getCode(error)) ||
    /Connection terminated|timeout expired/.test(getMessage(error))
  )
}
