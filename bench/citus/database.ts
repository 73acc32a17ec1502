import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { distribute } from '#server/cli/distribute.ts'
import { migrate } from '#server/db/migrate.ts'
import { withClient } from '#server/db/migrations.sql.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { seedMarket } from '#server/market/seed.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { makeKeys } from '../accounts.ts'
import { spreadOver } from '../cases.ts'
import { assertDurable } from '../database.ts'
import { type Running, startOurs } from '../processes.ts'

/** Database under test and the gateway connected to it. */
export type Subject = {
  readonly workers: number
  readonly pool: Database
  readonly keys: readonly string[]
  readonly gateway: Running
  /** Process ids of the servers: the single server or the coordinator first, then the workers. */
  readonly servers: readonly number[]
}

const setup = fileURLToPath(new URL('setup.sh', import.meta.url))
const run = promisify(execFile)
const setupTimeoutMs = 120_000
const maxPauseMs = 60_000
const silent = () => undefined

/** Starts a cluster with the given number of workers, or a single PostgreSQL without Citus for 0, and a gateway connected to it. */
export async function startSubject(workers: number, folder: string, cleanUp: AsyncDisposableStack): Promise<Subject> {
  const home = join(folder, `workers-${workers}`)
  const env = { ...process.env, CITUS_HOME: home, CITUS_PORT: String(9_840 + 10 * workers), WORKERS: String(workers) }
  cleanUp.defer(async () => void (await run(setup, ['remove'], { env, timeout: setupTimeoutMs })))
  const { stdout } = await run(setup, ['start'], { env, timeout: setupTimeoutMs })
  const url = stdout.trim()
  await migrate(url, { log: silent })
  const pool = openPool({ url, max: 4, applicationName: 'bench', statementTimeoutMs: setupTimeoutMs, onError: (error) => console.error(error.message) })
  cleanUp.defer(() => pool.end())
  await assertDurable(pool)
  await maintainLog(pool)
  await seedMarket(pool, { log: { info: silent } })
  // As many shards as workers, as docs/scaling.md recommends.
  if (workers > 0) await withClient(url, 'svc-cli', (client) => distribute(client, workers, maxPauseMs))
  const keys = await makeKeys(pool, 'spread', spreadOver)
  const gateway = await startOurs({ url, dataDir: join(folder, `data-${workers}`) }, 'gateway')
  cleanUp.defer(() => gateway.stop())
  const pid = (node: number) => Number(readFileSync(join(home, `node-${node}`, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { workers, pool, keys, gateway, servers: Array.from({ length: workers + 1 }, (_, node) => pid(node)) }
}
