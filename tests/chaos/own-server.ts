/** A PostgreSQL server that a test may kill, stop and freeze, because nobody else uses it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { startEmbedded } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { generateMarket } from '../../server/market/generate/generate-market.ts'
import { importFeed } from '../../server/market/import/import-feed.ts'
import { keepLog } from '../../server/metering/usage.ts'

export type OwnServer = {
  readonly url: string
  readonly pool: Pool
  /** `kill -9` of the postmaster. It is started again on the same port, as the service itself would do it. */
  killHard: () => void
  /** The immediate stop: all sessions are dropped, nothing is written out. It is started again like after `killHard`. */
  stopNow: () => void
  /** Stops every process of the server where it stands (SIGSTOP), until `thaw`. */
  freeze: () => void
  thaw: () => void
  /** Waits until it answers, and returns how long that took. */
  untilUp: () => Promise<number>
  /** Deadlocks that the server reported since it was made, crashes included. */
  deadlocks: () => Promise<number>
  stop: () => Promise<void>
}

const products = 60
const upWithinMs = 30_000

/** Ends an error that nobody can act upon: the pool replaces its connections by itself. */
const ignore = () => undefined

async function fillMarket(pool: Pool): Promise<void> {
  for (const dataset of ['sample', 'live'] as const) {
    for (const { fileName, text } of generateMarket({ products, days: 1, seed: 7 })) await importFeed(pool, { source: text, fileName, dataset })
  }
}

const numbersIn = (text: string) => text.split(/\s+/).filter(Boolean).map(Number)

function childrenOf(pid: number): number[] {
  if (process.platform === 'linux') return numbersIn(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  return numbersIn(execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }))
}

async function connects(url: string): Promise<boolean> {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 1_000 })
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

/** Starts a server with the whole schema and a small market in both datasets. Everything waits for the disk as it does in service. */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-chaos-'))
  const server = await startEmbedded({ dataDir: folder, log: ignore, settings: { shared_buffers: '64MB' } })
  await migrate(server.url, { log: ignore })
  const pool = new Pool({ connectionString: server.url, max: 8, connectionTimeoutMillis: 5_000 })
  pool.on('error', ignore)
  await fillMarket(pool)
  await keepLog(pool)
  const postmaster = () => Number(readFileSync(join(folder, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[0])
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    frozen = []
  }
  return {
    url: server.url,
    pool,
    killHard: () => process.kill(postmaster(), 'SIGKILL'),
    stopNow: () => process.kill(postmaster(), 'SIGQUIT'),
    freeze: () => {
      const pid = postmaster()
      // The postmaster first: from then on nothing is born that would be missed.
      process.kill(pid, 'SIGSTOP')
      frozen = [pid, ...childrenOf(pid)]
      for (const child of frozen) process.kill(child, 'SIGSTOP')
    },
    thaw,
    untilUp: async () => {
      const started = performance.now()
      while (!(await connects(server.url))) {
        if (performance.now() - started > upWithinMs) throw new Error('PostgreSQL did not come back.')
        await sleep(20)
      }
      return performance.now() - started
    },
    deadlocks: async () => (await readFile(join(folder, 'postgres.log'), 'utf8')).split('deadlock detected').length - 1,
    stop: async () => {
      thaw()
      await pool.end()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
