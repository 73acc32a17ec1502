import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashPassword } from '#server/accounts/password.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { assertPooledSessions, openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { readJobRuns } from '#server/db/queues.sql.ts'
import { withLock } from '#server/db/transaction.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { type Line, ndjson, product, provider } from '../market/feeds.ts'
import { Visitor } from '../portal/support/visitor.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { freePort, portalSettings, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { endPool, openTestPool, watched } from '../support/test-pool.ts'

/** Two processes, one of them with all roles, behind one PgBouncer that has five database sessions. */
let database: TestDatabase
let pooler: Pgbouncer
/** Pool that connects to the server directly. */
let direct: Database
/** Pool that connects through PgBouncer, like the services. */
let pooled: Database
const services: ServiceProcess[] = []
let dataDir = ''

const options = { max: 8, applicationName: 'test', statementTimeoutMs: 5_000, onError: () => undefined, isPooled: true }

beforeAll(async () => {
  database = await cloneDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'svc-pooler-'))
  direct = watched(openTestPool({ connectionString: database.url, max: 4 }))
  // Makes the database's default time zone something other than UTC.
  await direct.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`)
  pooler = await startPgbouncer(database.url, 5)
  pooled = watched(openPool({ ...options, url: pooler.url }))
  const env = { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: database.url }
  const start = (mount: 'lean' | 'next', more: Record<string, string>) => startProcess({ databaseUrl: pooler.url, mount, dataDir, env: { ...more, ...env } })
  // Starts the services one after another, so that a failed start leaves no other process running.
  services.push(await start('lean', { ROLES: 'gateway' }))
  services.push(await start('next', await portalSettings(await freePort())))
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()))
  if (pooled) await endPool(pooled)
  await pooler?.stop()
  if (direct) await endPool(direct)
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const apis = () => services.map(({ api }) => api)
const expectExact = async () => expect((await verifyLedger(direct)).differences).toEqual([])

/** Makes `count` calls from both processes concurrently. Returns the credits reported in the responses. */
async function race(key: string, count: number): Promise<{ charged: number; statuses: Set<number> }> {
  const totals = { charged: 0, statuses: new Set<number>() }
  let left = count
  const worker = async (api: string) => {
    while (left-- > 0) {
      const { status, body } = await call(api, '/rates?limit=1', key)
      totals.statuses.add(status)
      if (status === 200) totals.charged += body.meta.creditsCharged
    }
  }
  await Promise.all(apis().flatMap((api) => Array.from({ length: 12 }, () => worker(api))))
  return totals
}

async function readBalance(accountId: number): Promise<number> {
  const { rows } = await direct.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [accountId])
  return Number(rows[0]?.balance)
}

test('charges each credit exactly once when two processes spend the same balance behind the pooler', async () => {
  const account = await makeAccount(direct, { credits: 150 })
  const { key } = await makeKey(direct, account)
  const { charged, statuses } = await race(key, 400)
  expect([charged, await readBalance(account.id), statuses]).toEqual([150, 0, new Set([200, 402])])
  await expectExact()
})

test('applies a revocation to the next call on both processes', async () => {
  const { key, id } = await makeKey(direct, await makeAccount(direct))
  for (const api of apis()) expect((await call(api, '/rates?limit=1', key)).status).toBe(200)
  await revokeKey(pooled, id)
  for (const api of apis()) expect((await call(api, '/rates?limit=1', key)).body.error).toBe('key_revoked')
})

test('an import through the pooler is visible to the next call', async () => {
  const { key } = await makeKey(direct, await makeAccount(direct))
  const take = (line: Line) => importFeed(pooled, { source: ndjson(line), fileName: 'feed.ndjson', dataset: 'live', partial: true })
  await take(provider('harrow'))
  for (const api of apis()) expect((await call(api, '/rates/pooled-saver', key)).status).toBe(404)
  expect(await take(product('pooled-saver'))).toMatchObject({ added: 1 })
  for (const api of apis()) expect((await call(api, '/rates/pooled-saver', key)).body.data).toMatchObject({ sourceKey: 'pooled-saver', rate: '4.50' })
})

test('supports sign-in and jobs behind the pooler', async () => {
  const account = await makeAccount(direct)
  await direct.query('UPDATE account SET password_hash = $2 WHERE id = $1', [account.id, await hashPassword('four green apples fell')])
  const visitor = new Visitor(services[1]?.origin ?? '')
  const page = await visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email: account.email, password: 'four green apples fell' })
  expect([page.status, page.path]).toEqual([200, '/portal'])
  const ran = async () => (await readJobRuns(direct)).flatMap(({ name, okAt, failedAt }) => (okAt !== null && failedAt === null ? [name] : []))
  await vi.waitFor(async () => expect(await ran()).toEqual(expect.arrayContaining(['usage.add-up', 'log.keep', 'webhooks.fan-out', 'mail.send'])), {
    timeout: 30_000,
  })
  for (const { log } of services)
    expect(
      log()
        .split('\n')
        .filter((line) => /"level":[45]0/.test(line)),
    ).toEqual([])
})

test('behind the pooler, runs one market refresh at a time and every query in UTC', async () => {
  const inner = await withLock(pooled, 'marketRefresh', async () => [await withLock(pooled, 'marketRefresh', async () => 'both'), 'one'])
  expect(inner).toEqual([undefined, 'one'])
  expect(await withLock(pooled, 'marketRefresh', async () => 'again')).toBe('again')
  const asked = Array.from({ length: 20 }, () =>
    pooled.query<{ zone: string }>({ name: 'same', text: "SELECT current_setting('TimeZone') AS zone, pg_sleep(0.01), $1::int", values: [1] }),
  )
  expect(new Set((await Promise.all(asked)).map(({ rows }) => rows[0]?.zone))).toEqual(new Set(['UTC']))
})

test('at startup, rejects sessions without timeouts and says how to set them', async () => {
  await expect(assertPooledSessions(pooled)).resolves.toBeUndefined()
  const bare = openPool({ ...options, url: pooler.bareUrl })
  await expect(assertPooledSessions(bare)).rejects.toThrow(/deploy\/pgbouncer\.ini.*SET statement_timeout = '5s'.*idle_in_transaction_session_timeout/)
  await bare.end()
})

test('neither loses nor duplicates a charge when database sessions are terminated behind the pooler', async () => {
  const account = await makeAccount(direct, { credits: 5_000 })
  const { key } = await makeKey(direct, account)
  const racing = race(key, 600)
  for (let round = 0; round < 5; round++) {
    const before = await readBalance(account.id)
    await vi.waitFor(async () => expect(await readBalance(account.id)).toBeLessThan(before), { timeout: 5_000, interval: 5 })
    await direct.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%admit(%' AND pid <> pg_backend_pid()",
    )
  }
  const { charged, statuses } = await racing
  expect([...statuses].filter((status) => status !== 200 && status !== 500)).toEqual([])
  // Charges for calls that returned an error are reversed once their outcome is known.
  await vi.waitFor(async () => expect(await readBalance(account.id)).toBe(5_000 - charged), { timeout: 10_000, interval: 20 })
  await expectExact()
})

test('looks up the outcome of a charge whose session was terminated midway', async () => {
  const account = await makeAccount(direct, { credits: 10 })
  const { key } = await makeKey(direct, account)
  const api = apis()[0] ?? ''
  expect((await call(api, '/rates?limit=1', key)).body.meta.creditsBalance).toBe(9)
  const lost = () => services[0]?.log().split('Lost a batch').length ?? 0
  const before = lost()
  const holder = await direct.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM wallet WHERE account_id = $1 FOR UPDATE', [account.id])
  const calling = call(api, '/rates?limit=1', key)
  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%admit(%'`
  await vi.waitFor(async () => expect((await direct.query(`SELECT pg_terminate_backend(pid) ${waiting}`)).rowCount).toBe(1), { timeout: 2_000, interval: 5 })
  await holder.query('ROLLBACK')
  holder.release()
  expect((await calling).status).toBe(500)
  expect(lost()).toBe(before + 1)
  await vi.waitFor(async () => expect((await call(api, '/rates?limit=1', key)).body.meta?.creditsBalance).toBe(8), { timeout: 5_000, interval: 50 })
  await expectExact()
})
