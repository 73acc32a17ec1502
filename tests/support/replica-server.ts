import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { openCluster } from '#server/db/embedded-cluster.ts'
import { findPostmaster, spawnPostmaster, stopPostmaster } from '#server/db/embedded-postmaster.ts'
import { whenThisProcessIsGone } from '../chaos/guard.ts'
import { freePort } from './service-process.ts'

const run = promisify(execFile)

/** Streaming replica of an embedded server, set up as in the PostgreSQL manual (a base backup, then WAL streaming) but without pg_basebackup. */
export type ReplicaServer = AsyncDisposable & {
  readonly url: string
  /** Queries the replica as superuser. */
  ask: (sql: string) => Promise<Record<string, unknown>[]>
  /** Returns the statements that an application sent to the replica, from its log. */
  statements: (application: string) => Promise<string[]>
  start: () => Promise<void>
  kill: () => Promise<void>
}

async function asSuperuser<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const address = Object.assign(new URL(url), { username: 'postgres' })
  const client = new Client({ connectionString: address.href, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Copies the files of a running server into `pgdata`. The copy becomes consistent when the WAL written since then is replayed. */
async function copyFiles(primaryUrl: string, pgdata: string): Promise<void> {
  await asSuperuser(primaryUrl, async (client) => {
    const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder")
    await client.query("SELECT pg_backup_start('replica', true)")
    // WAL replay repairs files that change or disappear during the copy.
    await run('cp', ['-a', rows[0]?.folder ?? '', pgdata]).catch(() => undefined)
    const { rows: stopped } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    await rm(join(pgdata, 'postmaster.pid'), { force: true })
    await rm(join(pgdata, 'pg_wal'), { recursive: true, force: true })
    await mkdir(join(pgdata, 'pg_wal'), { mode: 0o700 })
    await writeFile(join(pgdata, 'backup_label'), stopped[0]?.labelfile ?? '')
    await writeFile(join(pgdata, 'standby.signal'), '')
    const { uid, gid } = await stat(pgdata)
    await run('chown', ['-R', `${uid}:${gid}`, pgdata])
  })
}

export async function startReplica(primaryUrl: string): Promise<ReplicaServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-replica-'))
  const pgdata = join(folder, 'pgdata')
  const release = whenThisProcessIsGone('kill -9 $(head -n 1 "$1/pgdata/postmaster.pid"); sleep 1; rm -rf "$1"', folder)
  await copyFiles(primaryUrl, pgdata)
  const primary = new URL(primaryUrl)
  const port = await freePort()
  const url = Object.assign(new URL(primaryUrl), { port: String(port) }).href
  const cluster = await openCluster(folder, { log: () => undefined, durable: false })
  const settings = {
    primary_conninfo: `host=${primary.hostname} port=${primary.port} user=postgres password=${primary.password}`,
    hot_standby: 'on',
    shared_buffers: '32MB',
    fsync: 'off',
    wal_retrieve_retry_interval: '100ms',
    log_statement: 'all',
    log_line_prefix: '%a ',
  }
  const start = async () => {
    const { output } = await spawnPostmaster(cluster, port, { settings })
    for (let tries = 0; tries < 600; tries++) {
      if ((await findPostmaster(cluster))?.status === 'ready') return
      await sleep(20)
    }
    throw new Error(`The replica did not start:\n${await output()}`)
  }
  await start()
  return {
    url,
    ask: (sql) => asSuperuser(url, async (client) => (await client.query(sql)).rows),
    statements: async (application) => (await readFile(cluster.logFile, 'utf8')).split('\n').filter((line) => line.startsWith(`${application} LOG: `)),
    start,
    kill: async () => {
      const running = await findPostmaster(cluster)
      if (running) process.kill(running.pid, 'SIGKILL')
      while (await findPostmaster(cluster)) await sleep(10)
    },
    [Symbol.asyncDispose]: async () => {
      const running = await findPostmaster(cluster)
      if (running) await stopPostmaster(running.pid)
      await rm(folder, { recursive: true, force: true })
      release()
    },
  }
}
