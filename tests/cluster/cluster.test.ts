/** Charges on a Citus cluster. Runs if CITUS_URL is set: see docs/scaling.md, "Running Citus". */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { Admission } from '#server/metering/admission.ts'
import { createAdmission } from '#server/metering/admission-router.ts'
import type { AdmissionRequest, Outcome } from '#server/metering/batch.ts'
import { addUpUsage } from '#server/metering/usage.ts'
import { createLog } from '#server/observability/log.ts'
import { makePayer, meteringDatabase, type Payer, serviceVersion } from '../metering/statement.ts'
import { atDatabase, getClusterUrl, readNodes, withClient } from '../support/citus.ts'
import { Callers, type Gateway } from './callers.ts'

const cluster = getClusterUrl()

describe('on a cluster', () => {
  const db = meteringDatabase()
  let gateways: Gateway[] = []
  let callers: Callers
  const payers: Payer[] = []

  beforeAll(async () => {
    const log = createLog('silent')
    gateways = await Promise.all([1, 2].map(() => createAdmission(db.url, db.pool, log, false)))
    await Promise.all(gateways.map((gateway) => gateway.open()))
    callers = new Callers(db.pool, gateways)
    callers.version = await serviceVersion(db.pool)
    for (let index = 0; index < 12; index++) payers.push(await makePayer(db.pool, { credits: 1_000_000 }))
  })
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())))

  /** Returns the URL of the test's database on each worker. */
  const workers = async (): Promise<string[]> => {
    const [, ...nodes] = await readNodes(cluster ?? '')
    return nodes.map((node) => atDatabase(node, new URL(db.url).pathname.slice(1)))
  }

  /** Moves a shard to another worker. */
  async function moveShard(shard: string | null): Promise<void> {
    await db.pool.query(
      `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport)
       FROM citus_shards s, pg_dist_node n WHERE s.shardid = $1 AND n.groupid <> 0 AND n.nodeport <> s.nodeport LIMIT 1`,
      [shard],
    )
  }

  /** Terminates the sessions in which gateways charge. */
  async function endSessions(): Promise<void> {
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-admission' AND datname = current_database()"
    for (const worker of await workers()) await withClient(worker, (client) => client.query(end))
  }

  test('sends requests to the nodes of their shards', () => {
    expect(gateways.every((gateway) => gateway.isCluster)).toBe(true)
  })

  test('spends a balance exactly once, from two gateways at the same time', async () => {
    const poor = await makePayer(db.pool, { credits: 50 })
    const requests = await Promise.all(Array.from({ length: 160 }, () => callers.request(poor)))
    const outcomes = await Promise.all(requests.map((one, index) => gateways[index % 2]?.admit(one)))
    const credits = outcomes.reduce((sum: number, outcome: Outcome | null | undefined) => sum + (outcome?.credits ?? 0), 0)
    const { rows } = await db.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [poor.accountId])
    expect({ credits, balance: Number(rows[0]?.balance) }).toEqual({ credits: 50, balance: 0 })
  })

  test('rejects a request that carries an outdated version', async () => {
    const [payer] = payers
    if (payer === undefined) throw new Error('There is no payer.')
    await db.pool.query('UPDATE service_state SET version = version + 1')
    expect((await gateways[0]?.admit(await callers.request(payer)))?.verdict).toBe(1)
    callers.version = await serviceVersion(db.pool)
    expect((await gateways[0]?.admit(await callers.request(payer)))?.verdict).toBe(0)
  })

  test('neither loses nor duplicates a charge while shards move', async () => {
    const before = await callers.charged()
    const moved = [...new Set(await Promise.all(payers.map((payer) => callers.shardOf(payer))))].slice(0, 2)
    const sums = await callers.callDuring(payers, async () => {
      for (const shard of moved) await moveShard(shard)
    })
    await callers.settled()
    expect(sums.granted).toBeGreaterThan(100)
    expect((await callers.charged()) - before).toBe(sums.credits)
    expect((await verifyLedger(db.pool)).differences).toEqual([])
  })

  test("neither loses nor duplicates a charge when a worker's sessions are terminated", async () => {
    const before = await callers.charged()
    const sums = await callers.callDuring(payers, async () => {
      for (let round = 0; round < 5; round++) {
        await sleep(300)
        await endSessions()
      }
    })
    await callers.settled()
    expect(sums.granted).toBeGreaterThan(100)
    expect((await callers.charged()) - before).toBe(sums.credits)
    expect((await verifyLedger(db.pool)).differences).toEqual([])
  })

  test('neither loses nor duplicates a charge when sessions are terminated while shards move', async () => {
    const before = await callers.charged()
    const moved = [...new Set(await Promise.all(payers.map((payer) => callers.shardOf(payer))))].slice(0, 3)
    const sums = await callers.callDuring(payers, async () => {
      let isDone = false
      const moves = (async () => {
        for (const shard of moved) await moveShard(shard)
      })().finally(() => {
        isDone = true
      })
      while (!isDone) {
        await sleep(50)
        await endSessions()
      }
      await moves
    })
    await callers.settled()
    expect(sums.granted).toBeGreaterThan(20)
    expect((await callers.charged()) - before).toBe(sums.credits)
    expect((await verifyLedger(db.pool)).differences).toEqual([])
  })

  test('reconciles lost calls on the node that currently has their shard', async () => {
    const [payer] = payers
    if (payer === undefined) throw new Error('There is no payer.')
    const request = await callers.request(payer)
    const wrong: AdmissionRequest[] = []
    for (const node of await workers()) {
      const admission = new Admission(node, createLog('silent'), {
        isNode: true,
        onMoved: (pendings, isLost) => isLost && wrong.push(...pendings.map((one) => one.request)),
      })
      await admission.open()
      const outcome = new Promise<Outcome | null>((answer) =>
        admission.addLost([{ request, trace: null, arrived: performance.now(), answer, answered: false }]),
      )
      await Promise.race([outcome, expect.poll(() => wrong).toHaveLength(1)])
      await admission.close()
    }
    expect(wrong).toEqual([request])
    const { rows } = await db.pool.query('SELECT status, credits FROM request_log WHERE account_id = $1 AND id = $2', [payer.accountId, request.id])
    expect(rows).toEqual([{ status: 500, credits: 0 }])
  })

  test('counts every logged call once, including calls on shards that have moved', async () => {
    await addUpUsage(db.pool)
    await callers.callDuring(payers, () => sleep(300))
    await addUpUsage(db.pool)
    await addUpUsage(db.pool)
    const { rows } = await db.pool.query<{ logged: string; counted: string }>(
      'SELECT (SELECT count(*) FROM request_log) AS logged, (SELECT sum(requests) FROM usage_day) AS counted',
    )
    expect(rows[0]?.counted).toBe(rows[0]?.logged)
  })

  test('distributing again changes nothing', async () => {
    const { rows } = await db.pool.query<{ shards: number }>('SELECT distribute_charges(4) AS shards')
    expect(rows[0]?.shards).toBe(8)
  })
})
