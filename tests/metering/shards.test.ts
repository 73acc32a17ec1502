import { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cutOff } from '../../bench/shards/databases.ts'
import { runTrial, type TrialShard } from '../../bench/shards/trial.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.ts'
import { endPool, watched } from '../support/own-database.ts'

/** Runs the sharding trial (`npm run bench:shards`) for four seconds: it must keep working with the current metering. */
const growing = ['request_log', 'request_detail', 'idempotency', 'usage_day', 'usage_latency']
const ofAccounts = ['wallet', 'key_meter', 'api_key', 'ledger_entry']
const databases: TestDatabase[] = []
const pools: Pool[] = []

function poolOn({ url }: TestDatabase): Pool {
  const pool = watched(new Pool({ connectionString: url, max: 4 }))
  // Connections to a database that is cut off break.
  pool.on('error', () => {})
  pools.push(pool)
  return pool
}

beforeAll(async () => {
  databases.push(await emptyDatabase(), await cloneDatabase(), await cloneDatabase())
})

afterAll(async () => {
  for (const pool of pools) await endPool(pool)
  for (const database of databases) await database.drop()
})

test('routes calls to the database of their account, continues while another is down, and keeps the ledger exact in each', async () => {
  const [directory, ...parts] = databases.map((database) => ({ database, pool: poolOn(database) }))
  if (!directory) return expect.unreachable()
  const shards = parts.map(({ database: { url }, pool }): TrialShard => {
    const name = new URL(url).pathname.slice(1)
    return { name, url, pool, ...cutOff(directory.pool, name) }
  })
  const load = { gateways: 2, accounts: 40, callers: 8, creditsEach: 300 }
  const report = await runTrial({
    directory: directory.pool,
    shards,
    outages: [{ shard: 1, ms: 400 }],
    betweenMs: 1_500,
    log: pino({ level: 'silent' }),
    ...load,
  })
  expect(report.faults).toEqual([])
  const [first, second] = report.shards
  expect([first?.accounts, second?.accounts].every((count) => (count ?? 0) > 10)).toBe(true)
  expect((first?.charged ?? 0) + (second?.charged ?? 0)).toBeGreaterThan(300)
  // The healthy shard charged calls during the outage; the other shard failed some calls and charged none of them.
  expect([first?.failed, (first?.duringOthersOutage ?? 0) > 0, (second?.failed ?? 0) > 0]).toEqual([0, true, true])
}, 30_000)

test('has the account id in every metering table, and first in the primary key of tables that grow with calls', async () => {
  const [, pool] = pools
  if (!pool) return expect.unreachable()
  const { rows } = await pool.query<{ name: string; has: boolean; first: string }>(
    `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id' AND a.attnotnull) AS has,
       (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid AND i.indisprimary) AS first
     FROM pg_class c WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace`,
    [[...ofAccounts, ...growing]],
  )
  expect(
    rows
      .filter(({ has }) => has)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...ofAccounts, ...growing].toSorted())
  expect(rows.filter(({ first }) => first === 'account_id').map(({ name }) => name)).toEqual(expect.arrayContaining(growing))
})
