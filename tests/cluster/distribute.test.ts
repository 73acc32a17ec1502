/** Distributes the tables of a running service. Runs if CITUS_URL is set: see docs/scaling.md, "Running Citus". */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { distribute } from '#server/cli/distribute.ts'
import { migrate } from '#server/db/migrate.ts'
import { withClient } from '#server/db/migrations.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { createAdmission } from '#server/metering/admission-router.ts'
import { addUpUsage, maintainLog } from '#server/metering/usage.ts'
import { createLog } from '#server/observability/log.ts'
import { makePayer, type Payer, serviceVersion } from '../metering/statement.ts'
import { createEmptyCluster, getClusterUrl } from '../support/citus.ts'
import { openTestPool } from '../support/test-pool.ts'
import { Callers, type Gateway } from './callers.ts'

const oldRows = 200_000
const shards = 4
const maxPauseMs = 30_000

describe('on a cluster', () => {
  let database: Awaited<ReturnType<typeof createEmptyCluster>>
  let pool: Database
  let gateways: Gateway[] = []
  let callers: Callers
  const payers: Payer[] = []

  const run = (pauseMs = maxPauseMs) => withClient(database.url, 'svc-cli', (client) => distribute(client, shards, pauseMs))

  const count = async (text: string): Promise<number> => Number((await pool.query<{ count: string }>(`SELECT count(*) AS count FROM ${text}`)).rows[0]?.count)

  beforeAll(async () => {
    database = await createEmptyCluster(getClusterUrl() ?? '', 'svc_distribute')
    await migrate(database.url, { log: () => {} })
    pool = openTestPool({ connectionString: database.url, max: 16 })
    await maintainLog(pool)
    await pool.query('SELECT make_log_partitions(current_date - 3, 3)')
    for (let index = 0; index < 8; index++) payers.push(await makePayer(pool, { credits: 1_000_000 }))
    await pool.query(
      `INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
       SELECT first_id_at(at), $1, $2, 1, 0, at, 0, 0, 1, 200, 0 FROM generate_series(1, $3) n, LATERAL (SELECT now() - interval '2 days' - n * interval '1 ms' AS at) t`,
      [payers[0]?.accountId, payers[0]?.keyId, oldRows],
    )
    gateways = await Promise.all([1, 2].map(() => createAdmission(database.url, pool, createLog('silent'), false)))
    await Promise.all(gateways.map((gateway) => gateway.open()))
    callers = new Callers(pool, gateways)
    callers.version = await serviceVersion(pool)
  }, 120_000)
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await pool.end()
    await database.drop()
  })

  test('rejects a pause limit that is too short, and changes nothing', async () => {
    await pool.query("UPDATE pg_class SET reltuples = 1e9 WHERE oid = 'ledger_entry'::regclass")
    await expect(run()).rejects.toThrow(/^Calls would wait for about \d+ seconds while balances are copied. To accept this, pass --max-pause \d+\.$/)
    await pool.query('ANALYZE ledger_entry')
    expect(await count("pg_class WHERE relname ~ '^request_log_.*_copy$'")).toBe(0)
    expect((await callers.callDuring(payers, () => sleep(200))).failed).toBe(0)
  })

  test('stops if a transaction stays open, and calls are charged as before', { timeout: 60_000 }, async () => {
    await withClient(database.url, 'svc-report', async (client) => {
      await client.query('BEGIN; SELECT FROM wallet')
      await expect(run()).rejects.toThrow('A transaction of "svc-report" has been open for more than 10 seconds. End it, then run the command again.')
    })
    expect(await count("pg_proc WHERE proname = ANY ('{admit,admit_whole,reconcile}') AND prosrc LIKE '%refuse_if_moving%'")).toBe(0)
    expect((await callers.callDuring(payers, () => sleep(200))).failed).toBe(0)
  })

  test('distributes the tables during calls without losing or duplicating a charge', { timeout: 120_000 }, async () => {
    await addUpUsage(pool)
    const before = await callers.charged()
    let result: Awaited<ReturnType<typeof run>> | undefined
    const sums = await callers.callDuring(payers, async () => {
      await sleep(500)
      result = await run()
      await sleep(1_000)
    })
    await callers.settled()
    expect(result).toMatchObject({ workers: 2, alreadyDistributed: false, shards })
    expect(result?.copiedRows).toBeGreaterThanOrEqual(oldRows)
    expect(gateways.map((gateway) => gateway.isCluster)).toEqual([true, true])
    expect((await callers.charged()) - before).toBe(sums.credits)
    expect((await verifyLedger(pool)).differences).toEqual([])
    expect(await count('request_log WHERE tx = 1')).toBe(oldRows)
    expect(await count("pg_inherits WHERE inhparent = 'request_log'::regclass")).toBeGreaterThan(3)
  })

  test('continues to count usage and create partitions', async () => {
    await callers.callDuring(payers, () => sleep(300))
    for (let run = 0; run < 3; run++) await addUpUsage(pool)
    const counted = Number((await pool.query<{ sum: string }>('SELECT sum(requests) AS sum FROM usage_day')).rows[0]?.sum)
    expect(counted).toBe(await count('request_log'))
    expect((await pool.query('SELECT make_log_partitions(current_date + 30, 2) AS made')).rows).toEqual([{ made: 2 }])
    expect((await pool.query('SELECT drop_log_day(current_date - 2) = current_date - 3 AS "isDropped"')).rows).toEqual([{ isDropped: true }])
  })

  test('can be repeated', async () => {
    expect(await run()).toMatchObject({ alreadyDistributed: true, shards, pauseMs: 0 })
  })
})
