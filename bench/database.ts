import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { seedMarket } from '#server/market/seed.ts'
import { maintainLog } from '#server/metering/usage.ts'

export type BenchDatabase = {
  readonly url: string
  readonly dataDir: string
  readonly pool: Database
  /** Process id of the server, to measure its CPU time. */
  readonly pid: number
  stop: () => Promise<void>
}

const silent = () => undefined
const fillTimeoutMs = 30 * 60_000

/** Starts a dedicated embedded PostgreSQL with production durability, applies the migrations and loads the demonstration market. */
export async function openBenchDatabase(dataDir: string): Promise<BenchDatabase> {
  const server = await startEmbedded({ dataDir, log: silent })
  await migrate(server.url, { log: silent })
  const pool = openPool({
    url: server.url,
    max: 4,
    applicationName: 'bench',
    statementTimeoutMs: fillTimeoutMs,
    onError: (error) => console.error(error.message),
  })
  await assertDurable(pool)
  await maintainLog(pool)
  await seedMarket(pool, { log: { info: silent } })
  const pid = Number(readFileSync(join(dataDir, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[0])
  const stop = async () => {
    await pool.end()
    await server.stop()
  }
  return { url: server.url, dataDir, pool, pid, stop }
}

/** Verifies that the database is durable. @throws if it is not, because the figures would be meaningless. */
export async function assertDurable(pool: Database): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await pool.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
    if (rows[0]?.value !== 'on') throw new Error(`PostgreSQL has ${name} = ${rows[0]?.value}; the benchmark needs production durability.`)
  }
}

/** Runs maintenance that would otherwise happen during a measurement. */
export async function settle(pool: Database): Promise<void> {
  await pool.query('VACUUM ANALYZE')
  await pool.query('CHECKPOINT').catch(() => undefined) // Requires privileges that some roles lack; in that case, PostgreSQL runs its own checkpoint later.
}
