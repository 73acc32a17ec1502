/** Citus cluster of one coordinator and two workers on this machine. Tests can kill the workers and move shards between them. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '#server/db/migrate.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { runProgram } from '../drills/postgres-user.ts'
import { withClient } from '../support/citus.ts'
import { freePort } from '../support/service-process.ts'
import { openTestPool } from '../support/test-pool.ts'
import { whenThisProcessIsGone } from './guard.ts'
import { endTree, fillMarket, freezeTree, type OwnServer, waitUntilUp } from './own-server.ts'

export type CitusCluster = OwnServer & {
  /** Kills all processes of a worker with SIGKILL, keeps it down for some time, and starts it again. */
  endWorker: (worker: number, downMs: number) => Promise<void>
  /** Moves a shard, with all tables of its accounts, to the other worker. Rejects if a worker is down. */
  moveShard: (place: number) => Promise<void>
}

const setup = fileURLToPath(new URL('../../bench/citus/setup.sh', import.meta.url))
const programs = process.env['PG_BIN'] ?? '/usr/lib/postgresql/15/bin'
export const workers = 2
const shards = 8
const moveTimeoutMs = 120_000
const startTimeoutMs = 300_000

/** Shell script that kills the servers and removes their folder. */
const removal = 'for f in "$1"/node-*/postmaster.pid; do p=$(head -n 1 "$f"); kill -9 $(cat "/proc/$p/task/$p/children") "$p"; done; sleep 1; rm -rf "$1"'

const ignore = () => undefined

/** Shard of wallets, its node and the other worker. Citus moves the shards of all tables that are distributed with it. */
const placeSql = `SELECT ARRAY[s.shardid::text, s.nodename, s.nodeport::text, n.nodename, n.nodeport::text] AS place
  FROM citus_shards s JOIN pg_dist_node n ON n.groupid <> 0 AND n.nodeport <> s.nodeport
  WHERE s.table_name = 'wallet'::regclass ORDER BY s.shardid OFFSET $1 LIMIT 1`

const moveSql = "SELECT citus_move_shard_placement($1::bigint, $2::text, $3::int, $4::text, $5::int, 'force_logical')"

/** Starts a cluster with the full schema, a small market and distributed tables. Commits wait for the disk, as in production. Needs Citus (docs/scaling.md). */
export async function startCitusCluster(): Promise<CitusCluster> {
  const home = await mkdtemp(join(tmpdir(), 'svc-chaos-citus-'))
  await chmod(home, 0o755)
  const release = whenThisProcessIsGone(removal, home)
  const port = await freePort()
  const env = { ...process.env, CITUS_HOME: home, CITUS_PORT: String(port), WORKERS: String(workers) }
  const run = (command: string) => promisify(execFile)(setup, [command], { env, timeout: startTimeoutMs })
  const { stdout } = await run('start')
  const url = stdout.trim()
  const urls = Array.from({ length: workers + 1 }, (_, node) => url.replace(`:${port}/`, `:${port + node}/`))
  // A transaction that a killed worker had prepared keeps its locks until the coordinator ends it. The default is a minute.
  for (const node of urls) await withClient(node, (client) => client.query("ALTER SYSTEM SET citus.recover_2pc_interval = '5s'"))
  for (const node of urls) await withClient(node, (client) => client.query('SELECT pg_reload_conf()'))
  await migrate(url, { log: ignore })
  const pool = openTestPool({ connectionString: url, max: 8, connectionTimeoutMillis: 5_000 })
  pool.on('error', ignore)
  await fillMarket(pool)
  await maintainLog(pool)
  await pool.query('SELECT distribute_charges($1)', [shards])
  const folder = (node: number) => join(home, `node-${node}`)
  const postmaster = (node: number) => Number(readFileSync(join(folder(node), 'postmaster.pid'), 'utf8').split('\n')[0])
  const startNode = (node: number) =>
    runProgram(join(programs, 'pg_ctl'), ['start', '--wait', '--silent', `--pgdata=${folder(node)}`, `--log=${folder(node)}.log`])
  const untilUp = async () => Math.max(...(await Promise.all(urls.map((node) => waitUntilUp(node)))))
  const nodes = urls.map((_, node) => node)
  let thaw: () => void = ignore
  return {
    url,
    pool,
    end: async (signal) => {
      await Promise.all(nodes.map((node) => endTree(postmaster(node), signal)))
      await Promise.all(nodes.map(startNode))
    },
    freeze: () => {
      const thaws = nodes.map((node) => freezeTree(postmaster(node)))
      thaw = () => {
        for (const one of thaws) one()
      }
    },
    thaw: () => thaw(),
    untilUp,
    deadlocks: async () => {
      const logs = await Promise.all(nodes.map((node) => readFile(`${folder(node)}.log`, 'utf8')))
      return logs.join('\n').split(/deadlock detected|involved in a distributed deadlock/).length - 1
    },
    endWorker: async (worker, downMs) => {
      await endTree(postmaster(worker), 'SIGKILL')
      await sleep(downMs)
      await startNode(worker)
      await untilUp()
    },
    moveShard: (place) =>
      withClient(url, async (client) => {
        await client.query(`SET statement_timeout = ${moveTimeoutMs}`)
        const { rows } = await client.query<{ place: string[] }>(placeSql, [place % shards])
        await client.query(moveSql, rows[0]?.place)
      }),
    [Symbol.asyncDispose]: async () => {
      thaw()
      await pool.end()
      await run('stop')
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
      release()
    },
  }
}
