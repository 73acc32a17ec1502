import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { latencyBoundsMs } from '#server/metering/traffic.ts'
import { getUsageSummary } from '#server/metering/usage.ts'
import { addKey, admit, buildRequest, makePayer, meteringDatabase, type Payer, repeatRequest } from './statement.ts'

const db = meteringDatabase()
const patience = { timeout: 10_000, interval: 20 }

async function addUp(): Promise<Date | null> {
  const { rows } = await db.pool.query<{ moment: Date | null }>('SELECT roll_up_usage() AS moment')
  return rows[0]?.moment ?? null
}

/** Returns groups whose sums in `usage_day` differ from the log, in either direction. */
async function differences(): Promise<unknown[]> {
  const { rows } = await db.pool.query(
    `WITH log AS (
       SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, endpoint, status, count(*) AS requests, sum(credits)::bigint AS credits
       FROM request_log GROUP BY 1, 2, 3, 4, 5)
     (TABLE log EXCEPT SELECT account_id, day, key_id, endpoint, status, requests, credits FROM usage_day)
     UNION ALL (SELECT account_id, day, key_id, endpoint, status, requests, credits FROM usage_day EXCEPT TABLE log)`,
  )
  return [...rows, ...(await hourDifferences()), ...(await latencyDifferences())]
}

/** Returns the groups in `usage_hour`, without their latency, that differ from the log. */
async function hourDifferences(): Promise<unknown[]> {
  const { rows } = await db.pool.query(
    `WITH log AS (
       SELECT account_id, date_trunc('hour', at) AS hour, key_id, endpoint, status, count(*)::bigint AS requests, sum(credits)::bigint AS credits
       FROM request_log GROUP BY 1, 2, 3, 4, 5),
     hours AS (
       SELECT account_id, hour, key_id, endpoint, status, sum(requests)::bigint AS requests, sum(credits)::bigint AS credits FROM usage_hour GROUP BY 1, 2, 3, 4, 5)
     (TABLE log EXCEPT TABLE hours) UNION ALL (TABLE hours EXCEPT TABLE log)`,
  )
  return rows
}

/**
 * Returns the groups in `usage_latency` that differ from the log. Decodes the arrival time from the request id differently from the migration, to be
 * independent of it.
 */
async function latencyDifferences(): Promise<unknown[]> {
  const { rows } = await db.pool.query(
    `WITH arrived AS (
       SELECT *, to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) AS arrived_at FROM request_log),
     log AS (
       SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, endpoint, status,
         (SELECT count(*) FROM unnest($1::int[]) bound WHERE extract(epoch FROM at - arrived_at) * 1000 >= bound)::smallint AS bucket, count(*) AS requests
       FROM arrived GROUP BY 1, 2, 3, 4, 5, 6)
     (TABLE log EXCEPT SELECT account_id, day, key_id, endpoint, status, bucket, requests FROM usage_latency)
     UNION ALL (SELECT account_id, day, key_id, endpoint, status, bucket, requests FROM usage_latency EXCEPT TABLE log)`,
    [latencyBoundsMs],
  )
  return rows
}

/** Retries the roll-up: it includes a row only after all older transactions on the server have ended, so other tests may delay it. */
async function untilAddedUp(): Promise<void> {
  await vi.waitFor(async () => {
    await addUp()
    expect(await differences()).toEqual([])
  }, patience)
}

async function countRequests(payer: Payer): Promise<number> {
  const { rows } = await db.pool.query<{ requests: number }>('SELECT coalesce(sum(requests), 0)::int AS requests FROM usage_day WHERE key_id = $1', [
    payer.keyId,
  ])
  return rows[0]?.requests ?? 0
}

test('adds every row exactly once, even with many concurrent writers and roll-ups', async () => {
  const payers = await Promise.all(Array.from({ length: 6 }, () => makePayer(db.pool, { credits: 200, perMinute: 150 })))
  let writing = true
  const adders = Array.from({ length: 3 }, async () => {
    while (writing) await addUp()
  })
  const writers = payers.map(async (payer, place) => {
    const neighbour = payers[(place + 1) % payers.length] ?? payer
    for (let round = 0; round < 20; round++) {
      const endpoint = 3 + (round % 3)
      await admit(db.pool, [...repeatRequest(5, payer, { endpoint, units: 2 }), ...repeatRequest(4, neighbour, { endpoint, status: 304, price: 0 })])
    }
  })
  await Promise.all(writers)
  writing = false
  await Promise.all(adders)
  await untilAddedUp()
  await addUp()
  await addUp()
  expect(await differences()).toEqual([])
  const { rows } = await db.pool.query('SELECT sum(requests)::int AS requests FROM usage_day WHERE account_id = ANY ($1)', [
    payers.map((payer) => payer.accountId),
  ])
  expect(rows).toEqual([{ requests: 6 * 20 * 9 }])
})

test('adds the rows of an open transaction after it commits, together with rows committed in the meantime', async () => {
  const slow = await makePayer(db.pool)
  const quick = await makePayer(db.pool)
  await untilAddedUp()
  const client = await db.pool.connect()
  try {
    await client.query('BEGIN')
    await admit(client, [buildRequest(slow)])
    await admit(db.pool, [buildRequest(quick)])
    await addUp()
    expect([await countRequests(slow), await countRequests(quick)]).toEqual([0, 0])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  await untilAddedUp()
  expect([await countRequests(slow), await countRequests(quick)]).toEqual([1, 1])
})

test('never adds a rolled-back transaction, and is not blocked by it', async () => {
  const payer = await makePayer(db.pool)
  const client = await db.pool.connect()
  try {
    await client.query('BEGIN')
    await admit(client, [buildRequest(payer)])
    await client.query('ROLLBACK')
  } finally {
    client.release()
  }
  await admit(db.pool, [buildRequest(payer)])
  await untilAddedUp()
  expect(await countRequests(payer)).toBe(1)
})

test('never reports usage as complete past the time of an uncommitted charge', async () => {
  const payer = await makePayer(db.pool)
  await untilAddedUp()
  const client = await db.pool.connect()
  let asOf: Date | null
  try {
    await client.query('BEGIN')
    await admit(client, [buildRequest(payer)])
    await sleep(50)
    asOf = await addUp()
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  const { rows } = await db.pool.query<{ at: Date }>('SELECT at FROM request_log WHERE account_id = $1', [payer.accountId])
  expect(await countRequests(payer)).toBe(0)
  expect(asOf?.getTime()).toBeLessThanOrEqual(rows[0]?.at.getTime() ?? 0)
})

test('leaves no partial result when killed midway, and adds everything once in the next run', async () => {
  const payer = await makePayer(db.pool)
  await admit(db.pool, repeatRequest(40, payer))
  await vi.waitFor(async () => {
    const client = new Client({ connectionString: db.url })
    const isCut = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await client.query('BEGIN')
    await client.query('SELECT roll_up_usage()')
    const { rows } = await client.query<{ pid: number; requests: number }>(
      'SELECT pg_backend_pid() AS pid, (SELECT coalesce(sum(requests), 0)::int FROM usage_day WHERE key_id = $1) AS requests',
      [payer.keyId],
    )
    // The sums are written, and the process is killed before the commit.
    await db.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await isCut
    expect(rows[0]?.requests).toBe(40)
  }, patience)
  expect(await countRequests(payer)).toBe(0)
  await untilAddedUp()
  expect(await countRequests(payer)).toBe(40)
})

test('reports usage as complete up to the current time if no transaction is open', async () => {
  await vi.waitFor(async () => {
    const asOf = await addUp()
    expect(Date.now() - (asOf?.getTime() ?? 0)).toBeLessThan(1_000)
  }, patience)
})

test('returns immediately if another process is rolling up', async () => {
  const client = await db.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT FROM usage_progress FOR UPDATE')
    expect(await addUp()).toBeNull()
    await client.query('ROLLBACK')
  } finally {
    client.release()
  }
  expect(await addUp()).toBeInstanceOf(Date)
})

test('the usage summary has the exact balance, and does not count calls over a limit', async () => {
  const untilMidnight = 86_400_000 - (Date.now() % 86_400_000)
  if (untilMidnight < 15_000) await sleep(untilMidnight + 100)
  const payer = await makePayer(db.pool, { credits: 50, perMinute: 4 })
  const sample = await addKey(db.pool, payer.account, { mode: 'test' })
  await admit(db.pool, [...repeatRequest(6, payer, { price: 3 }), buildRequest(sample, { price: 0, units: 2 })])
  await untilAddedUp()
  const usage = await getUsageSummary(db.pool, payer.accountId)
  expect(usage).toEqual({ balanceCredits: 38, asOf: expect.any(String), requestsToday: 5, creditsToday: 12, dayUsed: 4 })
  await db.pool.query('UPDATE wallet SET day = day - 1 WHERE account_id = $1', [payer.accountId])
  expect(await getUsageSummary(db.pool, payer.accountId)).toMatchObject({ dayUsed: 0 })
})
