import { expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { admit, countersOf, logOf, makePayer, meteringDatabase, type Payer, requestOf, timesOf, verdictsOf } from './statement.ts'

const db = meteringDatabase()

/** Makes the last request of the payer lie in an older window, as if the time between had passed. */
const age = (payer: Payer, window: 'minute' | 'month', by: number) =>
  db.pool.query(`UPDATE key_meter SET ${window} = ${window} - $2, ${window}_seen = ${window}_seen - $2 WHERE key_id = $1`, [payer.keyId, by])
const ageDay = (payer: Payer, days: number) =>
  db.pool.query('UPDATE wallet SET day = day - $2, day_seen = day_seen - $2 WHERE account_id = $1', [payer.accountId, days])

const clockOf = async () => {
  const { rows } = await db.pool.query<{ minute: number; day: number; month: number }>(
    `SELECT floor(extract(epoch FROM t) / 60)::int AS minute, floor(extract(epoch FROM t) / 86400)::int AS day,
       (extract(year FROM t AT TIME ZONE 'UTC') * 12 + extract(month FROM t AT TIME ZONE 'UTC'))::int AS month FROM clock_timestamp() AS t`,
  )
  return rows[0] ?? { minute: 0, day: 0, month: 0 }
}

verifies(['decision/minute-is-utc', 'decision/day-is-utc'], 'the statement keeps its counters under the UTC minute, day and month', async () => {
  const payer = await makePayer(db.pool)
  const before = await clockOf()
  // In a session far from Greenwich, because the session's time zone must not count.
  const client = await db.pool.connect()
  try {
    await client.query("SET timezone = 'Pacific/Kiritimati'")
    await admit(client, [requestOf(payer)])
  } finally {
    await client.query('RESET timezone')
    client.release()
  }
  const after = await clockOf()
  const { rows } = await db.pool.query<{ minute: number; day: number; month: number }>(
    'SELECT k.minute, w.day, k.month FROM key_meter k JOIN wallet w USING (account_id) WHERE k.key_id = $1',
    [payer.keyId],
  )
  for (const window of ['minute', 'day', 'month'] as const) expect([before[window], after[window]]).toContain(rows[0]?.[window])
})

test('a new minute is a new allowance for the key, and the day goes on', async () => {
  const payer = await makePayer(db.pool, { perMinute: 2 })
  expect(verdictsOf(await admit(db.pool, timesOf(3, payer)))).toEqual([0, 0, 3])
  await age(payer, 'minute', 1)
  const [outcome] = await admit(db.pool, [requestOf(payer)])
  expect(outcome).toMatchObject({ verdict: 0, minuteLeft: 1 })
  expect(await countersOf(db.pool, payer)).toMatchObject({ minuteUsed: 1, dayUsed: 3 })
})

test('a new day is a new allowance for the account', async () => {
  const payer = await makePayer(db.pool, { perDay: 2 })
  expect(verdictsOf(await admit(db.pool, timesOf(3, payer)))).toEqual([0, 0, 4])
  await ageDay(payer, 1)
  const outcomes = await admit(db.pool, timesOf(3, payer))
  expect(verdictsOf(outcomes)).toEqual([0, 0, 4])
  expect(outcomes.map(({ dayLeft }) => dayLeft)).toEqual([1, 0, 0])
})

verifies('spending/spend-cap-renews-monthly', 'the statement counts a cap for the calendar month', async () => {
  const payer = await makePayer(db.pool, { credits: 100, spendCap: 3 })
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer, { price: 2 })))).toEqual([0, 6])
  await age(payer, 'month', 1)
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer, { price: 2 })))).toEqual([0, 6])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 96, monthSpent: 2 })
})

const idempotent = (key: string, request = 'aa') => ({ idempotency: { key, request } })

verifies('spending/idempotent-replay-free', 'in one batch, in the next, and with as many rows as were paid for', async () => {
  const payer = await makePayer(db.pool, { credits: 3 })
  const ask = () => requestOf(payer, { units: 10, ...idempotent('first') })
  const outcomes = [...(await admit(db.pool, [ask(), ask()])), ...(await admit(db.pool, [ask()]))]
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [0, 3, 3, 0],
    [8, 3, 0, 0],
    [8, 3, 0, 0],
  ])
  expect((await logOf(db.pool, payer)).map(({ status, credits, units }) => [status, credits, units]).toSorted()).toEqual([
    [200, 0, 3],
    [200, 0, 3],
    [200, 3, 3],
  ])
  expect(await countersOf(db.pool, payer)).toMatchObject({ dayUsed: 3, minuteUsed: 3, monthSpent: 3 })
})

test('a replay never gives more rows than there are now', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await admit(db.pool, [requestOf(payer, { units: 5, ...idempotent('shrinking') })])
  expect(await admit(db.pool, [requestOf(payer, { units: 2, ...idempotent('shrinking') })])).toMatchObject([{ verdict: 8, units: 2, credits: 0 }])
})

verifies('spending/idempotent-conflict-400', 'the statement refuses the key on another request, and logs a 400', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const outcomes = await admit(db.pool, [requestOf(payer, idempotent('once')), requestOf(payer, idempotent('once', 'bb'))])
  expect(outcomes.map(({ verdict, units, credits, balance }) => [verdict, units, credits, balance])).toEqual([
    [0, 1, 1, 9],
    [9, 0, 0, 9],
  ])
  expect((await logOf(db.pool, payer)).map(({ status, error }) => [status, error]).toSorted()).toEqual([
    [200, 0],
    [400, 1],
  ])
})

verifies('spending/idempotent-replay-ends', 'the statement charges a key again that is ten minutes old, and remembers the new charge', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const ask = (request: string) => requestOf(payer, idempotent('old', request))
  await admit(db.pool, [ask('aa')])
  const agedBy = (interval: string) => db.pool.query('UPDATE idempotency SET at = at - $2::interval WHERE account_id = $1', [payer.accountId, interval])
  await agedBy('9 minutes')
  expect(verdictsOf(await admit(db.pool, [ask('aa')]))).toEqual([8])
  await agedBy('1 minute')
  // Another request now, and its repetition is a replay of it: the row was taken over whole.
  expect(verdictsOf(await admit(db.pool, [ask('bb'), ask('bb'), ask('aa')]))).toEqual([0, 8, 9])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 8 })
})

test('an idempotency key belongs to the account: shared by its keys, unknown to others, whatever characters it has', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const other = await makePayer(db.pool, { credits: 10 })
  const odd = `a"b\\c,{}'NULL $1 ~`
  const batch = [payer, other, payer].map((one) => requestOf(one, idempotent(odd)))
  expect(verdictsOf(await admit(db.pool, batch))).toEqual([0, 0, 8])
  expect(verdictsOf(await admit(db.pool, [requestOf(payer, idempotent('NULL')), requestOf(payer, idempotent('NULL'))]))).toEqual([0, 8])
  const { rows } = await db.pool.query<{ key: string }>('SELECT key FROM idempotency WHERE account_id = $1', [payer.accountId])
  expect(rows.map((row) => row.key).toSorted()).toEqual(['NULL', odd])
})

test('what was refused is not remembered: the same key buys once there is credit', async () => {
  const payer = await makePayer(db.pool, { credits: 0 })
  const ask = () => requestOf(payer, idempotent('patient'))
  expect(verdictsOf(await admit(db.pool, [ask()]))).toEqual([5])
  await db.pool.query('UPDATE wallet SET balance = 5 WHERE account_id = $1', [payer.accountId])
  expect(verdictsOf(await admit(db.pool, [ask(), ask()]))).toEqual([0, 8])
})

test('a repeated request id is refused by the log, and its whole batch with it', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = requestOf(payer)
  await admit(db.pool, [request])
  await expect(admit(db.pool, [requestOf(payer), request])).rejects.toThrow(/request_log.*_pkey/)
  expect(await countersOf(db.pool, payer)).toEqual({ balance: 9, dayUsed: 1, minuteUsed: 1, monthSpent: 1 })
  expect(await logOf(db.pool, payer)).toHaveLength(1)
})

/** Has the clock have been ahead: the counters of the payer are those of a window that is still to come, in which nothing was counted. */
const wasAhead = (payer: Payer) =>
  db.pool.query(
    `WITH k AS (UPDATE key_meter SET minute = minute + 5, minute_used = 0, month = month + 1, month_spent = 0 WHERE key_id = $1)
     UPDATE wallet SET day = day + 1, day_used = 0, month = month + 1, month_spent = 0 WHERE account_id = $2`,
    [payer.keyId, payer.accountId],
  )

/** The verdicts on three requests before the clock was ahead and three behind it, all of them in one minute. */
async function aroundAStep(makeOne: () => Promise<Payer>, price: number): Promise<number[]> {
  for (;;) {
    const payer = await makeOne()
    const before = await clockOf()
    const first = await admit(db.pool, timesOf(3, payer, { price }))
    await wasAhead(payer)
    const then = await admit(db.pool, timesOf(3, payer, { price }))
    if ((await clockOf()).minute === before.minute) return verdictsOf([...first, ...then])
  }
}

test('a clock that was ahead and is set back gives no minute, day or month a second time', async () => {
  expect(await aroundAStep(() => makePayer(db.pool, { perMinute: 4 }), 0)).toEqual([0, 0, 0, 0, 3, 3])
  expect(await aroundAStep(() => makePayer(db.pool, { perDay: 5 }), 0)).toEqual([0, 0, 0, 0, 0, 4])
  expect(await aroundAStep(() => makePayer(db.pool, { spendCap: 4 }), 1)).toEqual([0, 0, 0, 0, 6, 6])
  expect(await aroundAStep(() => makePayer(db.pool, { accountCap: 5 }), 1)).toEqual([0, 0, 0, 0, 0, 10])
})

test('a window that is entered again after the clock was there and back is counted from the log', async () => {
  const payer = await makePayer(db.pool, { perDay: 4 })
  await admit(db.pool, timesOf(3, payer))
  // It was yesterday in between.
  await db.pool.query('UPDATE wallet SET day_seen = day, day = day - 1, day_used = 1 WHERE account_id = $1', [payer.accountId])
  expect(verdictsOf(await admit(db.pool, timesOf(2, payer)))).toEqual([0, 4])
})
