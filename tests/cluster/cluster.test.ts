/** Charges on a Citus cluster. Runs if CITUS_URL is set: see docs/scaling.md, "Running Citus". */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import type { AdmissionRequest, Outcome } from '#server/metering/batch.ts'
import { ClusterAdmission, createAdmission } from '#server/metering/cluster-admission.ts'
import { addUpUsage } from '#server/metering/usage.ts'
import { createLog } from '#server/observability/log.ts'
import { buildRequest, makePayer, meteringDatabase, type Payer, serviceVersion } from '../metering/statement.ts'
import { atDatabase, getClusterUrl, readNodes, withClient } from '../support/citus.ts'

const cluster = getClusterUrl()

describe('on a cluster', () => {
  const db = meteringDatabase()
  type Gateway = Awaited<ReturnType<typeof createAdmission>>
  let gateways: Gateway[] = []
  const payers: Payer[] = []
  let version = 0
  const shards = new Map<number, string>()

  beforeAll(async () => {
    const log = createLog('silent')
    gateways = await Promise.all([1, 2].map(() => createAdmission(db.url, db.pool, log, false)))
    await Promise.all(gateways.map((gateway) => gateway.open()))
    version = await serviceVersion(db.pool)
    for (let index = 0; index < 12; index++) payers.push(await makePayer(db.pool, { credits: 1_000_000 }))
  })
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())))

  async function shardOf({ accountId }: Payer): Promise<string> {
    const known = shards.get(accountId)
    if (known !== undefined) return known
    const { rows } = await db.pool.query<{ shard: string }>('SELECT account_shard($1)::text AS shard', [accountId])
    const shard = rows[0]?.shard ?? ''
    shards.set(accountId, shard)
    return shard
  }

  const request = async (payer: Payer, changes: Partial<AdmissionRequest> = {}) =>
    buildRequest(payer, { serviceVersion: version, shard: await shardOf(payer), ...changes })

  /** Calls with all payers from both gateways until `work` is done. Returns the credits that responses reported, and the numbers of granted and failed calls. */
  async function callDuring(work: () => Promise<void>): Promise<{ credits: number; granted: number; failed: number }> {
    const sums = { credits: 0, granted: 0, failed: 0 }
    let isDone = false
    const caller = async (payer: Payer, gateway: Gateway | undefined) => {
      while (!isDone) {
        const outcome = await gateway?.admit(await request(payer, { units: 3 }))
        if (outcome == null) sums.failed++
        else {
          sums.granted++
          sums.credits += outcome.credits
        }
      }
    }
    const callers = payers.flatMap((payer) => gateways.map((gateway) => caller(payer, gateway)))
    await work().finally(() => {
      isDone = true
    })
    await Promise.all(callers)
    return sums
  }

  const charged = async (): Promise<number> => {
    const { rows } = await db.pool.query<{ credits: string }>(
      "SELECT (SELECT coalesce(sum(credits), 0) FROM request_log) - (SELECT coalesce(sum(credits), 0) FROM ledger_entry WHERE kind = 'reversal') AS credits",
    )
    return Number(rows[0]?.credits)
  }

  /** Waits until no lost batch is being reconciled. */
  async function settled(): Promise<void> {
    for (const gateway of gateways) await expect.poll(() => gateway.depth.lost, { timeout: 20_000 }).toBe(0)
    await sleep(100)
  }

  test('sends requests to the nodes of their shards', () => {
    expect(gateways.every((gateway) => gateway instanceof ClusterAdmission)).toBe(true)
  })

  test('spends a balance exactly once, from two gateways at the same time', async () => {
    const poor = await makePayer(db.pool, { credits: 50 })
    const requests = await Promise.all(Array.from({ length: 160 }, () => request(poor)))
    const outcomes = await Promise.all(requests.map((one, index) => gateways[index % 2]?.admit(one)))
    const credits = outcomes.reduce((sum: number, outcome: Outcome | null | undefined) => sum + (outcome?.credits ?? 0), 0)
    const { rows } = await db.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [poor.accountId])
    expect({ credits, balance: Number(rows[0]?.balance) }).toEqual({ credits: 50, balance: 0 })
  })

  test('rejects a request whose versions are old, on the next call', async () => {
    const [payer] = payers
    if (payer === undefined) throw new Error('There is no payer.')
    await db.pool.query('UPDATE service_state SET version = version + 1')
    expect((await gateways[0]?.admit(await request(payer)))?.verdict).toBe(1)
    version = await serviceVersion(db.pool)
    expect((await gateways[0]?.admit(await request(payer)))?.verdict).toBe(0)
  })

  test('loses and doubles no charge while shards move', async () => {
    const before = await charged()
    const nodes = await db.pool.query<{ host: string; port: number }>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 ORDER BY 2',
    )
    const moved = [...new Set(await Promise.all(payers.map(shardOf)))].slice(0, 2)
    const sums = await callDuring(async () => {
      for (const shard of moved) {
        const { rows } = await db.pool.query<{ host: string; port: number }>('SELECT nodename AS host, nodeport AS port FROM citus_shards WHERE shardid = $1', [
          shard,
        ])
        const from = rows[0]
        const to = nodes.rows.find(({ port }) => port !== from?.port)
        await db.pool.query('SELECT citus_move_shard_placement($1, $2, $3, $4, $5)', [shard, from?.host, from?.port, to?.host, to?.port])
      }
    })
    await settled()
    expect(sums.granted).toBeGreaterThan(100)
    expect((await charged()) - before).toBe(sums.credits)
    expect((await verifyLedger(db.pool)).differences).toEqual([])
  })

  test('loses and doubles no charge when the sessions of a worker are terminated', async () => {
    const before = await charged()
    const worker = atDatabase((await readNodes(cluster ?? ''))[1] ?? '', new URL(db.url).pathname.slice(1))
    const sums = await callDuring(async () => {
      for (let round = 0; round < 5; round++) {
        await sleep(300)
        await withClient(worker, (client) =>
          client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-admission' AND datname = current_database()"),
        )
      }
    })
    await settled()
    expect(sums.granted).toBeGreaterThan(100)
    expect((await charged()) - before).toBe(sums.credits)
    expect((await verifyLedger(db.pool)).differences).toEqual([])
  })

  test('counts every logged call once, also those of shards that have moved', async () => {
    await addUpUsage(db.pool)
    await callDuring(() => sleep(300))
    await addUpUsage(db.pool)
    await addUpUsage(db.pool)
    const { rows } = await db.pool.query<{ logged: string; counted: string }>(
      'SELECT (SELECT count(*) FROM request_log) AS logged, (SELECT sum(requests) FROM usage_day) AS counted',
    )
    expect(rows[0]?.counted).toBe(rows[0]?.logged)
  })

  test('distributes again without a change', async () => {
    const { rows } = await db.pool.query<{ shards: number }>('SELECT distribute_charges(4) AS shards')
    expect(rows[0]?.shards).toBe(8)
  })
})
