import { expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { admit, buildRequest, makePayer, meteringDatabase, type Payer, readCounters, readLog, repeatRequest, toVerdicts } from './statement.ts'

const db = meteringDatabase()

/** Moves the key's last request into an earlier window, as if time had passed. */
const age = (payer: Payer, window: 'minute' | 'month', by: number) =>
  db.pool.query(`UPDATE key_meter SET ${window} = ${window} - $2, ${window}_seen = ${window}_seen - $2 WHERE key_id = $1`, [payer.keyId, by])
const ageDay = (payer: Payer, days: number) =>
  db.pool.query('UPDATE wallet SET day = day - $2, day_seen = day_seen - $2 WHERE account_id = $1', [payer.accountId, days])

const readClock = async () => {
  const { rows } = await db.pool.query<{ minute: number; day: number; month: number }>(
    `SELECT floor(extract(epoch FROM t) / 60)::int AS minute, floor(extract(epoch FROM t) / 86400)::int AS day,
       (extract(year FROM t AT TIME ZONE 'UTC') * 12 + extract(month FROM t AT TIME ZONE 'UTC'))::int AS month FROM clock_timestamp() AS t`,
  )
  return rows[0] ?? { minute: 0, day: 0, month: 0 }
}

verifies(['decision/minute-is-utc', 'decision/day-is-utc'], 'keeps counters by UTC minute, day and month', async () => {
  const payer = await makePayer(db.pool)
  const before = await readClock()
  // The session's time zone is far from UTC, which must not affect the counters.
  const client = await db.pool.connect()
  try {
    await client.query("SET timezone = 'Pacific/Kiritimati'")
    await admit(client, [buildRequest(payer)])
  } finally {
    await client.query('RESET timezone')
    client.release()
  }
  const after = await readClock()
  const { rows } = await db.pool.query<{ minute: number; day: number; month: number }>(
    'SELECT k.minute, w.day, k.month FROM key_meter k JOIN wallet w USING (account_id) WHERE k.key_id = $1',
    [payer.keyId],
  )
  for (const window of ['minute', 'day', 'month'] as const) expect([before[window], after[window]]).toContain(rows[0]?.[window])
})

test("resets a key's minute limit in the next minute, but not its day limit", async () => {
  const payer = await makePayer(db.pool, { perMinute: 2 })
  expect(toVerdicts(await admit(db.pool, repeatRequest(3, payer)))).toEqual([0, 0, 3])
  await age(payer, 'minute', 1)
  const [outcome] = await admit(db.pool, [buildRequest(payer)])
  expect(outcome).toMatchObject({ verdict: 0, minuteLeft: 1 })
  expect(await readCounters(db.pool, payer)).toMatchObject({ minuteUsed: 1, dayUsed: 3 })
})

test("resets the account's day limit on the next day", async () => {
  const payer = await makePayer(db.pool, { perDay: 2 })
  expect(toVerdicts(await admit(db.pool, repeatRequest(3, payer)))).toEqual([0, 0, 4])
  await ageDay(payer, 1)
  const outcomes = await admit(db.pool, repeatRequest(3, payer))
  expect(toVerdicts(outcomes)).toEqual([0, 0, 4])
  expect(outcomes.map(({ dayLeft }) => dayLeft)).toEqual([1, 0, 0])
})

verifies('spending/spend-cap-renews-monthly', 'counts spend towards a cap by calendar month', async () => {
  const payer = await makePayer(db.pool, { credits: 100, spendCap: 3 })
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer, { price: 2 })))).toEqual([0, 6])
  await age(payer, 'month', 1)
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer, { price: 2 })))).toEqual([0, 6])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 96, monthSpent: 2 })
})

const idempotent = (key: string, request = 'aa') => ({ idempotency: { key, request } })

verifies('spending/idempotent-replay-free', 'replays the rows already paid for, within a batch and across batches', async () => {
  const payer = await makePayer(db.pool, { credits: 3 })
  const ask = () => buildRequest(payer, { units: 10, ...idempotent('first') })
  const outcomes = [...(await admit(db.pool, [ask(), ask()])), ...(await admit(db.pool, [ask()]))]
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [0, 3, 3, 0],
    [8, 3, 0, 0],
    [8, 3, 0, 0],
  ])
  expect((await readLog(db.pool, payer)).map(({ status, credits, units }) => [status, credits, units]).toSorted()).toEqual([
    [200, 0, 3],
    [200, 0, 3],
    [200, 3, 3],
  ])
  expect(await readCounters(db.pool, payer)).toMatchObject({ dayUsed: 3, minuteUsed: 3, monthSpent: 3 })
})

test('never replays more rows than exist now', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await admit(db.pool, [buildRequest(payer, { units: 5, ...idempotent('shrinking') })])
  expect(await admit(db.pool, [buildRequest(payer, { units: 2, ...idempotent('shrinking') })])).toMatchObject([{ verdict: 8, units: 2, credits: 0 }])
})

verifies('spending/idempotent-conflict-400', 'rejects an idempotency key reused for a different request, and logs a 400', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const outcomes = await admit(db.pool, [buildRequest(payer, idempotent('once')), buildRequest(payer, idempotent('once', 'bb'))])
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [0, 1, 1, 9],
    [9, 0, 0, 9],
  ])
  expect((await readLog(db.pool, payer)).map(({ status, error }) => [status, error]).toSorted()).toEqual([
    [200, 0],
    [400, 1],
  ])
})

verifies('spending/idempotent-replay-ends', 'charges again once the idempotency key is ten minutes old, and then replays the new charge', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const ask = (request: string) => buildRequest(payer, idempotent('old', request))
  await admit(db.pool, [ask('aa')])
  const agedBy = (interval: string) => db.pool.query('UPDATE idempotency SET at = at - $2::interval WHERE account_id = $1', [payer.accountId, interval])
  await agedBy('9 minutes')
  expect(toVerdicts(await admit(db.pool, [ask('aa')]))).toEqual([8])
  await agedBy('1 minute')
  // Request `bb` has reused the expired idempotency key and replaced its whole row, so repeating `bb` is a replay.
  expect(toVerdicts(await admit(db.pool, [ask('bb'), ask('bb'), ask('aa')]))).toEqual([0, 8, 9])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 8 })
})

test('scopes idempotency keys to the account, and allows any characters in them', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  const odd = `a"b\\c,{}'NULL $1 ~`
  const batch = [payer, other, payer].map((one) => buildRequest(one, idempotent(odd)))
  expect(toVerdicts(await admit(db.pool, batch))).toEqual([0, 0, 8])
  expect(toVerdicts(await admit(db.pool, [buildRequest(payer, idempotent('NULL')), buildRequest(payer, idempotent('NULL'))]))).toEqual([0, 8])
  const { rows } = await db.pool.query<{ key: string }>('SELECT key FROM idempotency WHERE account_id = $1', [payer.accountId])
  expect(rows.map((row) => row.key).toSorted()).toEqual(['NULL', odd])
})

test('does not store rejected calls, so a retry with the same key is charged after credits are added', async () => {
  const payer = await makePayer(db.pool, { credits: 0 })
  const ask = () => buildRequest(payer, idempotent('patient'))
  expect(toVerdicts(await admit(db.pool, [ask()]))).toEqual([5])
  await db.pool.query('UPDATE wallet SET balance = 5 WHERE account_id = $1', [payer.accountId])
  expect(toVerdicts(await admit(db.pool, [ask(), ask()]))).toEqual([0, 8])
})

test('rejects the entire batch if a request id is repeated', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = buildRequest(payer)
  await admit(db.pool, [request])
  await expect(admit(db.pool, [buildRequest(payer), request])).rejects.toThrow(/request_log.*_pkey/)
  expect(await readCounters(db.pool, payer)).toEqual({ balance: 9, dayUsed: 1, minuteUsed: 1, monthSpent: 1 })
  expect(await readLog(db.pool, payer)).toHaveLength(1)
})

/** Simulates a clock that was ahead: the counters belong to a future window in which no calls were made. */
const wasAhead = (payer: Payer) =>
  db.pool.query(
    `WITH k AS (UPDATE key_meter SET minute = minute + 5, minute_used = 0, month = month + 1, month_spent = 0 WHERE key_id = $1)
     UPDATE wallet SET day = day + 1, day_used = 0, month = month + 1, month_spent = 0 WHERE account_id = $2`,
    [payer.keyId, payer.accountId],
  )

/** Returns the verdicts of six requests in the same minute: three made before the clock ran ahead, and three made after it was corrected. */
async function aroundClockStep(makeOne: () => Promise<Payer>, price: number): Promise<number[]> {
  for (;;) {
    const payer = await makeOne()
    const before = await readClock()
    const first = await admit(db.pool, repeatRequest(3, payer, { price }))
    await wasAhead(payer)
    const then = await admit(db.pool, repeatRequest(3, payer, { price }))
    if ((await readClock()).minute === before.minute) return toVerdicts([...first, ...then])
  }
}

test('does not reset the minute, day or month limit when the clock is set back', async () => {
  expect(await aroundClockStep(() => makePayer(db.pool, { perMinute: 4 }), 0)).toEqual([0, 0, 0, 0, 3, 3])
  expect(await aroundClockStep(() => makePayer(db.pool, { perDay: 5 }), 0)).toEqual([0, 0, 0, 0, 0, 4])
  expect(await aroundClockStep(() => makePayer(db.pool, { spendCap: 4 }), 1)).toEqual([0, 0, 0, 0, 6, 6])
  expect(await aroundClockStep(() => makePayer(db.pool, { accountCap: 5 }), 1)).toEqual([0, 0, 0, 0, 0, 10])
})

test('when the clock returns to an earlier window, recounts the calls of that window from the log', async () => {
  const payer = await makePayer(db.pool, { perDay: 4 })
  await admit(db.pool, repeatRequest(3, payer))
  // Simulates a clock that was temporarily set to yesterday.
  await db.pool.query('UPDATE wallet SET day_seen = day, day = day - 1, day_used = 1 WHERE account_id = $1', [payer.accountId])
  expect(toVerdicts(await admit(db.pool, repeatRequest(2, payer)))).toEqual([0, 4])
})
