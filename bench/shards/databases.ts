/** Creates the trial's shards: databases of one server, which share its processes and disk, and a separate server, which can be killed. */
import { Pool } from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { maintainLog } from '#server/metering/usage.ts'
import type { OwnServer } from '../../tests/chaos/own-server.ts'
import type { TrialShard } from './trial.ts'

const silent = () => undefined

/** Ignores broken connections, which the trial causes on purpose: the pool opens another. */
function poolOn(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 2_000 })
  pool.on('error', silent)
  return pool
}

const withDatabase = (url: string, name: string): string => {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** Creates an empty database on the server of `url`. */
export async function addDatabase(url: string, admin: Pool, name: string): Promise<{ readonly url: string; readonly pool: Pool }> {
  await admin.query(`CREATE DATABASE ${name}`)
  const own = withDatabase(url, name)
  return { url: own, pool: poolOn(own) }
}

/** Terminates a database's connections and forbids new ones until it is restored, as if the server were down. The server's other databases are not affected. */
export function cutOff(admin: Pool, name: string): Pick<TrialShard, 'takeDown' | 'restore'> {
  return {
    takeDown: async () => {
      await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    },
    restore: async () => void (await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)),
  }
}

/** Returns a database of a shared server as a shard. */
export async function databaseShard(url: string, admin: Pool, name: string): Promise<TrialShard> {
  const own = await addDatabase(url, admin, name)
  await migrate(own.url, { log: silent })
  await maintainLog(own.pool)
  return { name, ...own, ...cutOff(admin, name) }
}

/** Returns a whole server as a shard: it is killed with SIGKILL, and recovers from its WAL. */
export function serverShard(server: OwnServer, name: string): TrialShard {
  return { name, url: server.url, pool: server.pool, takeDown: () => server.end('SIGKILL'), restore: async () => void (await server.untilUp()) }
}
