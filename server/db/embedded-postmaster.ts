/** Server process of the embedded PostgreSQL: finds, starts and stops it. */

import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getCode } from './database-errors.ts'
import type { Cluster } from './embedded-cluster.ts'
import { isAlive } from './embedded-cluster.ts'
import { EmbeddedError } from './embedded-error.ts'
import { rotateLog } from './embedded-log.ts'
import { invocation } from './embedded-user.ts'

/** Contents of postmaster.pid, which PostgreSQL writes. */
export type Postmaster = { pid: number; port: number; status: string }

export type Started = { child: ChildProcess; output: () => Promise<string> }

const run = promisify(execFile)
const noSuchPid = '2147483646'

const baseSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  synchronous_commit: 'on',
  fsync: 'on',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '%m [%p] ',
  // Logs only the server's own errors. Statements and row values can contain personal data; the service decides whether to log them.
  log_min_messages: 'error',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/**
 * Finds the server running on this folder, regardless of which process started it. A postmaster.pid left by a crash may contain the id of a process that has
 * ended, or that now belongs to another program.
 */
export async function findPostmaster({ pgdata }: Cluster): Promise<Postmaster | undefined> {
  const lines = readLockFile(pgdata)
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || !(await isPostmasterOf(pid, pgdata))) return undefined
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() }
}

function readLockFile(pgdata: string): string[] {
  try {
    return readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (getCode(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Replaces the pid in a stale postmaster.pid with one that no process has. PostgreSQL removes a stale file itself, but refuses to start if the pid now belongs
 * to a zombie or to another program of the same user, which is likely in containers, where pids start at 1 again. The rest of the file is kept: its
 * shared-memory line lets PostgreSQL detect backends that outlived their server.
 */
async function disownLockFile(pgdata: string): Promise<void> {
  const lines = readLockFile(pgdata)
  const pid = Number(lines[0])
  if (!(pid > 0) || !isAlive(pid) || (await isPostmasterOf(pid, pgdata))) return
  // Read again right before writing: in the meantime, another process may have started a server and written its pid.
  if (readLockFile(pgdata)[0] === lines[0]) writeFileSync(join(pgdata, 'postmaster.pid'), [noSuchPid, ...lines.slice(1)].join('\n'), { flag: 'r+' })
}

/** Returns true if the process is a PostgreSQL server on this folder. Zombies don't count. */
export async function isPostmasterOf(pid: number, pgdata: string): Promise<boolean> {
  const command = await getCommand(pid)
  if (!basename(command[0] ?? '').startsWith('postgres')) return false
  const folder = await stat(pgdata)
  // The working folder still matches after the repository is moved. In a container, root may not be allowed to read it, so fall back to the arguments.
  const working = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  return working === undefined ? command.includes(pgdata) : working.dev === folder.dev && working.ino === folder.ino
}

/** Returns the arguments of a process, or an empty list if it doesn't exist. */
async function getCommand(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // No such process, or it ended while being read.
    return text.split('\0')
  }
  const listed = await run('ps', ['-p', String(pid), '-o', 'command='], { timeout: 5_000 }).catch(() => ({ stdout: '' })) // ps fails if there is no such process.
  return listed.stdout.trim().split(' ')
}

/** Starts the server in its own session, so that Ctrl-C in the terminal reaches only the service, which stops the server when it is done. */
export async function spawnPostmaster(
  cluster: Cluster,
  port: number,
  { settings = {}, environment = {} }: { readonly settings?: Record<string, string>; readonly environment?: Record<string, string> },
): Promise<Started> {
  await disownLockFile(cluster.pgdata)
  await rotateLog(cluster.logFile)
  const before = await stat(cluster.logFile).then(
    (found) => found.size,
    () => 0,
  )
  const flags = Object.entries({ ...baseSettings, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = invocation(cluster.runAs, join(cluster.binaries.folder, 'postgres'), ['-D', cluster.pgdata, '-p', String(port), ...flags])
  const log = openSync(cluster.logFile, 'a', 0o600)
  try {
    if (cluster.runAs.ids !== undefined) fchownSync(log, cluster.runAs.ids.uid, cluster.runAs.ids.gid)
    const child = spawn(file, args, { ...options, env: { ...options.env, ...environment }, detached: true, stdio: ['ignore', log, log] })
    child.unref()
    child.once('error', () => undefined) // If the binary can't be run, the child has no pid, which the caller checks.
    return { child, output: () => readLines(cluster.logFile, before, child.pid) }
  } finally {
    closeSync(log)
  }
}

/**
 * Returns the log lines that this start of the server wrote. Two servers may start at the same time and write to the same file, so lines with other pids are
 * left out.
 */
async function readLines(logFile: string, from: number, pid: number | undefined): Promise<string> {
  const handle = await open(logFile)
  try {
    const { size } = await handle.stat()
    const start = Math.max(from, size - 100_000)
    const { buffer } = await handle.read({ buffer: Buffer.alloc(Math.max(0, size - start)), position: start })
    const isOther = (line: string) => /^\S+ \S+ \S+ \[(\d+)\]/.exec(line)?.[1] !== String(pid) && /^\S+ \S+ \S+ \[\d+\]/.test(line)
    return buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => !isOther(line))
      .join('\n')
  } finally {
    await handle.close()
  }
}

/** Returns a free port: the preferred one if possible, otherwise any. Concurrent calls may return the same port; PostgreSQL then reports the conflict. */
export async function freePort(preferred: number | undefined): Promise<number> {
  return (
    (preferred !== undefined && (await tryPort(preferred))) ||
    (await tryPort(0)) ||
    Promise.reject(new EmbeddedError('port-taken', 'No free port on 127.0.0.1. Stop some programs, then restart the service.'))
  )
}

export function tryPort(port: number): Promise<number> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(0))
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/**
 * Stops the server. SIGINT is PostgreSQL's fast shutdown: it ends sessions and writes everything to disk. If that takes too long, SIGQUIT stops the server
 * immediately, and the next start recovers from the WAL.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    signalIfThere(pid, signal)
    const deadline = Date.now() + limitMs
    while (Date.now() < deadline) {
      if (await hasEnded(pid)) return
      await sleep(10)
    }
  }
  throw new EmbeddedError('no-answer', `PostgreSQL (pid ${pid}) did not stop. End it with 'kill -9 ${pid}'; no committed data is lost.`)
}

/** Returns true if a process has ended. A zombie counts as ended: it has closed its port and files. */
export async function hasEnded(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return true
  const status = process.platform === 'linux' ? await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X') : '' // No such process any more.
  return /\) [ZX]/.test(status)
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (getCode(error) !== 'ESRCH') throw error
  }
}
