/** Tests calls while the charging tables are being distributed across a cluster (docs/decisions/0048). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Admission } from '#server/metering/admission.ts'
import { createAdmission } from '#server/metering/admission-router.ts'
import { createLog } from '#server/observability/log.ts'
import { getClusterUrl, withClient } from '../support/citus.ts'
import { buildRequest, makePayer, meteringDatabase, type Payer, readCounters, readLog, serviceVersion } from './statement.ts'

const onServer = test.skipIf(getClusterUrl() !== undefined)
const db = meteringDatabase()
let admission: Awaited<ReturnType<typeof createAdmission>>
let version = 0

beforeAll(async () => {
  admission = await createAdmission(db.url, db.pool, createLog('silent'), false)
  await admission.open()
  version = await serviceVersion(db.pool)
})
afterAll(() => admission.close())

const request = (payer: Payer) => buildRequest(payer, { serviceVersion: version })

/** Holds the lock of the process that distributes the tables during `work`. */
const whileMoving = <T>(work: () => Promise<T>): Promise<T> =>
  withClient(db.url, async (client) => {
    await client.query('SELECT guard_admission(true)')
    await client.query('SELECT pg_advisory_lock(726002)')
    return work()
  })

onServer('holds calls while the tables are moving, and charges each once afterwards', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  const calls = await whileMoving(async () => {
    const pending = Array.from({ length: 40 }, () => admission.admit(request(payer)))
    await expect.poll(() => admission.depth).toMatchObject({ waiting: 40, sent: 0 })
    pending.push(admission.admit(request(payer)))
    await expect.poll(() => admission.depth.waiting).toBe(41)
    expect((await readCounters(db.pool, payer)).balance).toBe(100)
    return pending
  })
  expect((await Promise.all(calls)).map((outcome) => outcome?.credits)).toEqual(calls.map(() => 1))
  expect((await readCounters(db.pool, payer)).balance).toBe(59)
})

onServer('fails a call that is held for two seconds, without charging it', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  const outcome = await whileMoving(() => admission.admit(request(payer)))
  expect(outcome).toBe(null)
  expect(await readLog(db.pool, payer)).toEqual([])
})

onServer('reconciles a lost call that was rejected because the tables were moving', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  const lost = request(payer)
  let isAnswered = false
  const call = withClient(db.url, async (owner) => {
    await owner.query('BEGIN')
    await owner.query('SELECT FROM wallet WHERE account_id = $1 FOR UPDATE', [payer.accountId])
    const outcome = admission.admit(lost).finally(() => {
      isAnswered = true
    })
    const waits = "application_name = 'svc-admission' AND datname = current_database() AND wait_event_type = 'Lock'"
    await expect.poll(async () => (await db.pool.query(`SELECT FROM pg_stat_activity WHERE ${waits}`)).rows.length).toBe(1)
    await withClient(db.url, async (mover) => {
      // Waits for the batch, and delays its reconciliation.
      const moving = mover.query('SELECT pg_advisory_lock(726002)')
      await expect.poll(async () => (await db.pool.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rows.length).toBe(1)
      await db.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waits}`)
      await moving
      await expect.poll(() => admission.depth.lost).toBe(1)
      expect(isAnswered).toBe(false)
    })
    return { outcome }
  })
  expect(await (await call).outcome).toBe(null)
  await expect.poll(() => admission.depth.lost).toBe(0)
  expect(await readLog(db.pool, payer)).toMatchObject([{ id: lost.id, status: 500, credits: 0, balance: 100 }])
})

onServer('reconciles the other lost calls of a node after a shard has moved away from it', async () => {
  const payer = await makePayer(db.pool, { credits: 100 })
  for (const [shard, body] of [
    ['1', "RAISE EXCEPTION 'The shard is on another node' USING ERRCODE = 'SVC02';"],
    ['2', 'RETURN public.reconcile(a, k, i, e, v);'],
  ]) {
    await db.pool.query(`CREATE SCHEMA shard_${shard};
      CREATE FUNCTION shard_${shard}.reconcile(a int[], k int[], i uuid[], e smallint[], v boolean[]) RETURNS bigint[] LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`)
  }
  const moved: (string | null | undefined)[] = []
  const node = new Admission(db.url, createLog('silent'), { onMoved: (lost) => moved.push(...lost.map((one) => one.request.shard)) })
  await node.open()
  node.addLost(
    ['1', '2'].map((shard) => ({ request: { ...request(payer), shard }, trace: null, arrived: performance.now(), answer: () => undefined, answered: true })),
  )
  await expect.poll(() => node.depth.lost).toBe(0)
  await node.close()
  expect(moved).toEqual(['1'])
  expect(await readLog(db.pool, payer)).toMatchObject([{ status: 500, credits: 0 }])
})
