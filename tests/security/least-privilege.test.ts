import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { markProductionDatabase } from '#server/billing/production-guard.ts'
import { type Embedded, startEmbedded } from '#server/db/embedded.ts'
import type { Database } from '#server/db/prisma.ts'
import { readJobRuns } from '#server/db/queues.sql.ts'
import { addUpUsage, dropOldLog, maintainLog } from '#server/metering/usage.ts'
import { environment, svc } from '../backup/support/svc.ts'
import { ndjson, product, provider } from '../market/feeds.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { endPool, openTestPool, watched } from '../support/test-pool.ts'

const roles = { owner: 'svc_owner', runtime: 'svc_runtime' }
const name = 'svc2'
const urls = { admin: '', owner: '', runtime: '' }
let server: Embedded
let dataDir = ''
let owner: Database
let runtime: Database
let service: ServiceProcess | null = null

async function asAdmin(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: urls.admin })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

function addressFor(role: string): string {
  const address = new URL(server.url)
  address.username = role
  address.password = 'word'
  address.pathname = name
  return address.href
}

/** Starts the service as the runtime role, with a demonstration market. */
const start = (variables: Record<string, string>) =>
  startProcess({
    databaseUrl: urls.runtime,
    mount: 'lean',
    dataDir,
    env: { NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', ROLES: 'gateway,worker', ...variables },
  })

const withBoth = () => start({ DATABASE_MIGRATION_URL: urls.owner })

/** Starts the service and returns the log if the start fails, or "started" if it succeeds. */
const failedStart = (variables: Record<string, string> = {}) =>
  start(variables).then(
    async (started) => {
      await started.stop()
      return 'started'
    },
    (error: Error) => error.message,
  )

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-roles-'))
  server = await startEmbedded({ dataDir, log: () => undefined, settings: { fsync: 'off' } })
  const admin = new URL(server.url)
  admin.username = 'postgres'
  Object.assign(urls, { admin: admin.href, owner: addressFor(roles.owner), runtime: addressFor(roles.runtime) })
  // These are the statements in docs/operations.md.
  await asAdmin(
    `CREATE ROLE ${roles.owner} LOGIN PASSWORD 'word'`,
    `CREATE ROLE ${roles.runtime} LOGIN PASSWORD 'word'`,
    `CREATE DATABASE ${name} OWNER ${roles.owner}`,
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${name} TO ${roles.runtime}`,
  )
  owner = watched(openTestPool({ connectionString: urls.owner, max: 2 }))
  runtime = watched(openTestPool({ connectionString: urls.runtime, max: 4 }))
}, 90_000)

afterAll(async () => {
  await service?.stop()
  await Promise.all([endPool(owner), endPool(runtime)])
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns all privileges on relations (including sequences) and functions, and the default privileges. */
async function rights(): Promise<unknown> {
  const { rows } = await owner.query(`SELECT relname AS name, relacl::text AS acl FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT oid::regprocedure::text, proacl::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT defaclobjtype::text, defaclacl::text FROM pg_default_acl ORDER BY 1`)
  return rows
}

test('fails to start with a one-sentence error if the runtime role has no privileges yet', { timeout: 90_000 }, async () => {
  expect(await failedStart()).toMatch(
    /"The role that runs migrations lacks privileges: [^"]*permission denied for schema public[^"]*\. To migrate, start once with DATABASE_MIGRATION_URL/,
  )
})

test('migrates, grants privileges and serves charged calls when started with both URLs', { timeout: 180_000 }, async () => {
  service = await withBoth()
  const account = await makeAccount(runtime, { credits: 10 })
  const { key } = await makeKey(runtime, account)
  const { status, headers } = await call(service.api, '/rates?limit=1', key)
  expect([status, headers.get('x-svc-credits-charged')]).toEqual([200, '1'])
  const { rows } = await owner.query('SELECT count(*)::int AS owned FROM pg_class WHERE relowner = $1::text::regrole', [roles.runtime])
  expect(rows).toEqual([{ owned: 0 }])
})

test('runs the worker jobs as the runtime role', { timeout: 60_000 }, async () => {
  const read = async () => (await readJobRuns(runtime)).filter(({ okAt, failedAt }) => okAt !== null || failedAt !== null)
  await expect.poll(async () => (await read()).length, { timeout: 30_000, interval: 500 }).toBeGreaterThan(10)
  const jobs = await read()
  expect(jobs.filter(({ fault }) => fault !== null)).toEqual([])
  const names = async () => (await read()).map(({ name }) => name)
  await expect.poll(names, { timeout: 30_000, interval: 500 }).toEqual(expect.arrayContaining(['log.keep', 'usage.add-up']))
  await expect.poll(async () => (await names()).filter((name) => name.startsWith('webhooks.')).length, { timeout: 30_000 }).toBeGreaterThan(0)
  expect((await read()).filter(({ fault }) => fault !== null)).toEqual([])
})

test('lets the runtime role create, index and drop daily log partitions, but not drop recent ones', { timeout: 60_000 }, async () => {
  await runtime.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - 70, 2)")
  await maintainLog(runtime)
  await addUpUsage(runtime)
  await runtime.query('SELECT summarise_log()')
  // Returns early if another statement locks the log for 100 ms, and continues with the next call.
  let dropped = 0
  await expect.poll(async () => (dropped += await dropOldLog(runtime, 62, AbortSignal.timeout(30_000))), { timeout: 30_000 }).toBe(2)
  await expect(runtime.query('SELECT drop_expired_log_day(current_date + 1)')).rejects.toThrow('The log keeps 62 days or more')
  await expect(runtime.query('SELECT drop_log_day(current_date + 1)')).rejects.toThrow(/permission denied|must be owner/)
  await runtime.query('SELECT analyse_history()')
})

test('does not let the runtime role change a daily log partition created since the last grant', async () => {
  await runtime.query("SELECT make_log_partitions('2033-01-01', 1)")
  const { rows } = await owner.query<{ name: string }>(
    `SELECT p.name FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p(name) WHERE has_table_privilege($1, 'request_log_20330101', p.name)`,
    [roles.runtime],
  )
  expect(rows.map(({ name: right }) => right)).toEqual(['SELECT', 'INSERT'])
  await expect(runtime.query('UPDATE request_log_20330101 SET credits = 0')).rejects.toThrow(/permission denied/)
})

test('lets the runtime role import a feed, check the ledger and make a backup', { timeout: 120_000 }, async () => {
  const env = environment({ url: urls.runtime })
  const [providers, products] = [join(dataDir, 'providers.ndjson'), join(dataDir, 'products.ndjson')]
  await writeFile(providers, ndjson(provider('harrow')))
  await writeFile(products, ndjson(product('harrow-1')))
  expect(await svc(env, ['market', 'import', providers, products, '--partial'])).toMatchObject({ code: 0 })
  expect(await svc(env, ['ledger', 'verify'])).toMatchObject({ code: 0 })
  const backup = join(dataDir, 'backup.tar.gz')
  expect(await svc(env, ['backup', 'create', '--out', backup])).toMatchObject({ code: 0 })
  expect(await svc(env, ['backup', 'verify', backup])).toMatchObject({ code: 0 })
  const sequences = 'SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL ORDER BY 1'
  expect((await runtime.query(sequences)).rows).toEqual((await owner.query(sequences)).rows)
})

test.each([
  'ALTER TABLE wallet ADD COLUMN extra int',
  'ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only',
  'ALTER TABLE request_log DISABLE TRIGGER ALL',
  'DROP TABLE ledger_entry',
  'DROP TRIGGER ledger_entry_append_only ON ledger_entry',
  'DROP FUNCTION refuse_change() CASCADE',
  'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'CREATE TABLE own (id int)',
  'CREATE TRIGGER own BEFORE INSERT ON wallet FOR EACH ROW EXECUTE FUNCTION refuse_change()',
  'TRUNCATE wallet',
  'TRUNCATE request_log',
  'UPDATE ledger_entry SET credits = credits + 1',
  'DELETE FROM ledger_entry',
  'UPDATE audit_entry SET actor = actor',
  'DELETE FROM audit_entry',
  'UPDATE request_log SET credits = 0',
  'DELETE FROM request_log_rest',
  'UPDATE dropped_charge SET credits = 0',
  'DELETE FROM _prisma_migrations',
  "SET session_replication_role = 'replica'",
  `SET ROLE ${roles.owner}`,
])('does not let the runtime role run: %s', async (statement) => {
  await expect(runtime.query(statement)).rejects.toThrow(/permission denied|must be owner/)
})

test("a temporary table of the runtime role does not shadow a table in the owner's functions", async () => {
  const client = await runtime.connect()
  try {
    await client.query('BEGIN; CREATE TEMP TABLE usage_progress (next_tx bigint); CREATE TEMP TABLE request_log_rest (id uuid)')
    const { rows } = await client.query<{ path: string }>(
      "SELECT unnest(proconfig) AS path FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace",
    )
    expect(rows.filter(({ path }) => path.startsWith('search_path='))).toEqual(Array(6).fill({ path: 'search_path=public, pg_temp' }))
    await client.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date, 1)")
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})

test('a second start with both URLs changes no privileges, and later starts need only the runtime role', { timeout: 120_000 }, async () => {
  await service?.stop()
  // Reads the privileges only now, because the jobs have added daily log partitions since the first start.
  const before = await rights()
  service = await withBoth()
  expect(await rights()).toEqual(before)
  await service.stop()
  service = await start({})
  expect(service.log()).not.toMatch(/lacks privileges|more privileges/)
})

test('names the missing privilege at start-up, and grants it when started with both URLs', { timeout: 120_000 }, async () => {
  await service?.stop()
  service = null
  await owner.query(`REVOKE UPDATE, DELETE ON wallet FROM ${roles.runtime}`)
  expect(await failedStart()).toContain(
    `The database role \\"${roles.runtime}\\" lacks privileges: DELETE, UPDATE on table wallet. To grant them, start once with DATABASE_MIGRATION_URL`,
  )
  service = await withBoth()
  expect(await failedStart({ ROLES: 'gateway' })).toBe('started')
})

test('lets the runtime role mark the database as used in production', async () => {
  await markProductionDatabase(runtime)
  expect((await owner.query('SELECT serves_production FROM service_state')).rows).toEqual([{ serves_production: true }])
})
