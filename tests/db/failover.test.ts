import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mayWorkLater, reachDatabase } from '#server/db/database-probes.sql.ts'
import { NoPrimaryError } from '#server/db/find-primary.ts'
import { openPool } from '#server/db/pool.ts'
import { startOwnServer } from '../chaos/own-server.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { svcProgram } from '../support/programs.ts'
import { type ReplicaServer, startReplica } from '../support/replica-server.ts'
import { authSecret, type ServiceProcess, startProcess } from '../support/service-process.ts'

/** A service with several hosts in DATABASE_URL: a primary that can be killed, and its standby, which is listed first. */
let primary: ReplicaServer
let standby: ReplicaServer
let service: ServiceProcess
let url = ''
let key = ''

const credits = 1_000
const promote = (server: ReplicaServer) => server.ask('SELECT pg_promote()')

/** Joins the hosts of two servers with the same user, password and database in one URL. */
const join = (first: ReplicaServer, second: ReplicaServer) =>
  `${first.url.replace(/@([^/]+)\//, `@$1,${new URL(second.url).host}/`)}?target_session_attrs=read-write`

beforeAll(async () => {
  {
    await using origin = await startOwnServer()
    key = (await makeKey(origin.pool, await makeAccount(origin.pool, { credits }))).key
    primary = await startReplica(origin.url)
  }
  await promote(primary)
  standby = await startReplica(primary.url)
  url = join(standby, primary)
  service = await startProcess({ databaseUrl: url, mount: 'lean', dataDir: 'unused' })
}, 90_000)
afterAll(async () => {
  await service?.stop()
  await standby?.[Symbol.asyncDispose]()
  await primary?.[Symbol.asyncDispose]()
})

/** Returns the names of the service's connections to a server. */
async function connections(server: ReplicaServer): Promise<unknown[]> {
  const rows = await server.ask("SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'svc%' ORDER BY 1")
  return rows.map(({ name }) => name)
}

test('connects to the primary, wherever it is in the URL', async () => {
  expect((await call(service.api, '/reference/products', key)).status).toBe(200)
  expect(await connections(primary)).toEqual(expect.arrayContaining(['svc', 'svc jobs', 'svc-admission']))
  expect(await connections(standby)).toEqual([])
})

test('a wrong password is reported as such, so that the start fails instead of waiting', async () => {
  const error = await reachDatabase(url.replace(/:[^:@]+@/, ':wrong@')).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(NoPrimaryError)
  expect(String(error)).toContain('password authentication failed')
  expect(String(error)).not.toContain('wrong')
  expect(mayWorkLater(error)).toBe(false)
})

test('reconnects every connection to the new primary, and keeps every charge', async () => {
  let charged = 1
  for (let calls = 0; calls < 5; calls++) if ((await call(service.api, '/reference/products', key)).status === 200) charged++
  expect(charged).toBe(6)
  await vi.waitFor(async () => expect((await standby.ask('SELECT count(*)::int AS calls FROM request_log'))[0]?.['calls']).toBe(charged))
  await primary.kill()
  const outage = call(service.api, '/reference/products', key).catch((error: unknown) => {
    // The service must respond. The log shows whether it exited or closed the connection.
    throw new Error(`No answer during the outage. Exit code: ${service.child.exitCode}. Log:\n${service.log()}`, { cause: error })
  })
  expect((await outage).status).toBe(500)
  const error = await reachDatabase(url).catch((one: unknown) => one)
  const { host } = new URL(standby.url)
  expect(String(error)).toContain(`No server in the database URL accepts writes: ${host}: it is a standby or read-only; `)
  expect(mayWorkLater(error)).toBe(true)
  // A failed search is not repeated immediately.
  expect(await reachDatabase(url).catch((one: unknown) => one)).toBe(error)
  // A standby that answers can be promoted, even if the other servers are unusable.
  expect(mayWorkLater(new NoPrimaryError([], [new Error('unusable')], true))).toBe(true)
  expect(mayWorkLater(new NoPrimaryError([], [new Error('unusable')], false))).toBe(false)

  await promote(standby)
  await vi.waitFor(async () => expect((await call(service.api, '/reference/products', key)).status).toBe(200), { timeout: 10_000, interval: 100 })
  charged++
  await vi.waitFor(async () => expect(await connections(standby)).toEqual(expect.arrayContaining(['svc', 'svc jobs', 'svc-admission'])), { timeout: 20_000 })
  const [row] = await standby.ask('SELECT balance::int FROM wallet ORDER BY balance DESC LIMIT 1')
  expect(row).toEqual({ balance: credits - charged })

  const { stdout } = await promisify(execFile)(process.execPath, [svcProgram, 'ledger', 'verify', '--json'], {
    env: { ...process.env, DATABASE_URL: url, NEXTAUTH_SECRET: authSecret },
  })
  expect(JSON.parse(stdout)).toMatchObject({ differences: [] })
})

test('Prisma and the SQL files use the primary through one pool', async () => {
  const pool = openPool({ url, max: 2, applicationName: 'failover', statementTimeoutMs: 5_000, onError: () => undefined })
  expect(await pool.account.count()).toBeGreaterThan(0)
  const { rows } = await pool.query("SELECT current_setting('port') AS port, current_setting('timezone') AS zone")
  expect(rows).toEqual([{ port: new URL(standby.url).port, zone: 'UTC' }])
  await pool.end()
})

test('refuses to connect while the old primary also accepts writes', async () => {
  await primary.start()
  const error = await reachDatabase(url).catch((one: unknown) => one)
  expect(String(error)).toContain('Several servers in the database URL accept writes: ')
  for (const server of [standby, primary]) expect(String(error)).toContain(new URL(server.url).host)
  expect(mayWorkLater(error)).toBe(true)
})

test('closes every connection to a primary that becomes read-only, and discards the data read from it', async () => {
  const pool = openPool({ url, max: 1, applicationName: 'switchover', statementTimeoutMs: 5_000, onError: () => undefined })
  const readPort = async () => (await pool.query<{ port: string }>("SELECT current_setting('port') AS port")).rows[0]?.port
  const readProducts = async () => (await call(service.api, '/reference/products', key)).status
  await primary.kill()
  expect(await readPort()).toBe(new URL(standby.url).port)
  // A change that the other server doesn't have, although it later reaches the same version number.
  await standby.ask("INSERT INTO endpoint_override (endpoint_id, availability) VALUES ('reference.products', 'coming-soon')")
  await standby.ask('UPDATE service_state SET version = 1000, market_version = 1000')
  expect(await readProducts()).toBe(404)
  await standby.ask('ALTER SYSTEM SET default_transaction_read_only = on')
  await standby.ask('SELECT pg_reload_conf()')
  await primary.start()
  await primary.ask('UPDATE service_state SET version = 1000, market_version = 1000')
  await vi.waitFor(async () => expect(await readPort()).toBe(new URL(primary.url).port), { timeout: 5_000, interval: 100 })
  await vi.waitFor(
    async () => {
      expect(await connections(standby)).toEqual([])
      expect(await connections(primary)).toEqual(expect.arrayContaining(['svc', 'svc jobs', 'svc-admission']))
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(await readProducts()).toBe(200)
  await primary.ask('UPDATE service_state SET version = 900')
  expect(await readProducts()).toBe(200)
  await pool.end()
})
