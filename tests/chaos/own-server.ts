/** Separate PostgreSQL server that a test may kill, freeze and restart. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Database } from '#server/db/prisma.ts'
import { generateMarket } from '#server/market/generate/generate-market.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { openTestPool } from '../support/test-pool.ts'
import { whenThisProcessIsGone } from './guard.ts'

export type OwnServer = AsyncDisposable & {
  readonly url: string
  readonly pool: Database
  /**
   * Ends the server with SIGKILL, or with SIGQUIT for an immediate shutdown, and waits until it is gone. The server then restarts automatically on the same
   * port.
   */
  end: (signal: 'SIGKILL' | 'SIGQUIT') => Promise<void>
  /** Freezes every process of the server (SIGSTOP) until `thaw`. */
  freeze: () => void
  thaw: () => void
  /** Waits until the server accepts connections. Returns the elapsed milliseconds. */
  untilUp: () => Promise<number>
  /** Returns the number of deadlocks since the server was created, across crashes. */
  deadlocks: () => Promise<number>
}

/** `parent` is the folder in which the server is created, such as a separate disk. */
export type OwnServerOptions = {
  readonly parent?: string
  readonly settings?: Record<string, string>
  readonly environment?: Record<string, string>
}

/** Number of products generated for each dataset (sample and live). */
export const products = 60
const upTimeoutMs = 30_000

/** Ignores an error, because the pool replaces broken connections by itself. */
const ignore = () => undefined

export async function fillMarket(pool: Database): Promise<void> {
  for (const dataset of ['sample', 'live'] as const) {
    for (const { fileName, text } of generateMarket({ products, days: 1, seed: 7 })) await importFeed(pool, { source: text, fileName, dataset })
  }
}

const numbersIn = (text: string) => text.split(/\s+/).filter(Boolean).map(Number)

function getChildren(pid: number): number[] {
  if (process.platform === 'linux') return numbersIn(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  return numbersIn(execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }))
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function connects(url: string): Promise<boolean> {
  const pool = openTestPool({ connectionString: url, max: 1, connectionTimeoutMillis: 1_000 })
  pool.on('error', ignore)
  try {
    await pool.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await pool.end()
  }
}

/** Kills a server and its processes, which could outlive it for a moment and hold its memory, and waits until all are gone. */
export async function endTree(pid: number, signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
  const children = getChildren(pid)
  process.kill(pid, signal)
  if (signal === 'SIGKILL') for (const child of children) if (isThere(child)) process.kill(child, signal)
  while ([pid, ...children].some(isThere)) await sleep(2)
}

/** Freezes a server and its processes (SIGSTOP). Returns a function that thaws them. */
export function freezeTree(pid: number): () => void {
  // Freeze the postmaster first, so that it starts no further processes.
  process.kill(pid, 'SIGSTOP')
  const frozen = [pid, ...getChildren(pid)]
  for (const child of frozen) process.kill(child, 'SIGSTOP')
  return () => {
    for (const one of frozen) if (isThere(one)) process.kill(one, 'SIGCONT')
  }
}

/** Waits until a server accepts connections. Returns the elapsed milliseconds. */
export async function waitUntilUp(url: string): Promise<number> {
  const started = performance.now()
  while (!(await connects(url))) {
    if (performance.now() - started > upTimeoutMs) throw new Error('PostgreSQL did not recover.')
    await sleep(20)
  }
  return performance.now() - started
}

/** Shell script that kills a server and removes its folder. Uses SIGKILL, the only signal that ends a frozen process. */
const removal = 'pid=$(head -n 1 "$1/pgdata/postmaster.pid") && kill -9 $(cat "/proc/$pid/task/$pid/children") "$pid"; sleep 1; rm -rf "$1"'

/** Starts a server with the full schema and a small market in both datasets. Commits wait for the disk, as in production. */
export async function startOwnServer({ parent = tmpdir(), settings = {}, environment = {} }: OwnServerOptions = {}): Promise<OwnServer> {
  const folder = await mkdtemp(join(parent, 'svc-chaos-'))
  const release = whenThisProcessIsGone(removal, folder)
  const server = await startEmbedded({ dataDir: folder, log: ignore, settings: { shared_buffers: '64MB', ...settings }, environment })
  await migrate(server.url, { log: ignore })
  const pool = openTestPool({ connectionString: server.url, max: 8, connectionTimeoutMillis: 5_000 })
  pool.on('error', ignore)
  await fillMarket(pool)
  await maintainLog(pool)
  const postmaster = () => Number(readFileSync(join(folder, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[0])
  let thaw: () => void = ignore
  return {
    url: server.url,
    pool,
    end: async (signal) => {
      const pid = postmaster()
      process.kill(pid, signal)
      while (isThere(pid)) await sleep(2)
    },
    freeze: () => {
      thaw = freezeTree(postmaster())
    },
    thaw: () => thaw(),
    untilUp: () => waitUntilUp(server.url),
    deadlocks: async () => (await readFile(join(folder, 'postgres.log'), 'utf8')).split('deadlock detected').length - 1,
    [Symbol.asyncDispose]: async () => {
      thaw()
      await pool.end()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      release()
    },
  }
}
