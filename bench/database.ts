import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { seedMarket } from '#server/market/seed.ts'
import { keepLog } from '#server/metering/usage.ts'

export type BenchDatabase = {
  readonly url: string
  readonly dataDir: string
  readonly pool: Pool
  /** The server process, for its share of the processor time. */
  readonly pid: number
  stop: () => Promise<void>
}

const silent = () => undefined
const fillWithinMs = 30 * 60_000

/** An embedded PostgreSQL of its own, with the durable settings of production, migrated, and with the demonstration market. */
export async function openBenchDatabase(dataDir: string): Promise<BenchDatabase> {
  const server = await startEmbedded({ dataDir, log: silent })
  await migrate(server.url, { log: silent })
  const pool = openPool({
    url: server.url,
    max: 4,
    applicationName: 'bench',
    statementTimeoutMs: fillWithinMs,
    onError: (error) => console.error(error.message),
  })
  await assertDurable(pool)
  await keepLog(pool)
  await seedMarket(pool, { log: { info: silent } })
  const pid = Number(readFileSync(join(dataDir, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[0])
  const stop = async () => {
    await pool.end()
    await server.stop()
  }
  return { url: server.url, dataDir, pool, pid, stop }
}

/** A benchmark of a database that forgets would be worth nothing. */
async function assertDurable(pool: Pool): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await pool.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
    if (rows[0]?.value !== 'on') throw new Error(`PostgreSQL runs with ${name} = ${rows[0]?.value}; the benchmark wants it as in production.`)
  }
}

/** Lets PostgreSQL do now what it would otherwise do in the middle of a measurement. */
export async function settle(pool: Pool): Promise<void> {
  await pool.query('VACUUM ANALYZE')
  await pool.query('CHECKPOINT').catch(() => undefined) // Not allowed to every role; then it comes when it comes.
}
