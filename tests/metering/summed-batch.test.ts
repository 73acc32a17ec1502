import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { AdmissionRequest, Outcome } from '#server/metering/batch.ts'
import {
  addKey,
  admit,
  admitWhole,
  buildRequest,
  makePayer,
  meteringDatabase,
  type Payer,
  readCounters,
  readLog,
  repeatRequest,
  toVerdicts,
} from './statement.ts'

const db = meteringDatabase()
let payers: Payer[] = []

/** Creates two live keys of one account (one with a cap), a test key of the same account, and a live key of another account. */
beforeAll(async () => {
  const first = await makePayer(db.pool, { credits: 1_000 })
  const capped = await addKey(db.pool, first.account, { spendCap: 50 })
  const sample = await addKey(db.pool, first.account, { mode: 'test' })
  const other = await makePayer(db.pool, { credits: 1_000 })
  payers = [first, capped, sample, other]
  // `admit` must handle the first call of a day, so that call is made here.
  await admit(
    db.pool,
    payers.map((payer) => buildRequest(payer, { price: 0 })),
  )
})

/** State of a payer at the time a batch arrives. */
type State = {
  readonly balance: number
  readonly dayLeft: number
  readonly accountCap: number | null
  readonly minuteLeft: number
  readonly keyCap: number | null
  readonly ends: 'never' | 'later' | 'before'
  readonly version: number
  readonly aged: 'nothing' | 'minute' | 'day' | 'month' | 'seen'
}

const usual: State = { balance: 1_000, dayLeft: 100, accountCap: null, minuteLeft: 100, keyCap: null, ends: 'never', version: 1, aged: 'nothing' }

const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const states = fc.record<State>({
  balance: fc.oneof({ weight: 5, arbitrary: fc.constant(1_000) }, { weight: 2, arbitrary: fc.integer({ min: -5, max: 40 }) }),
  dayLeft: mostly(100, 0, 1, 3, 6),
  accountCap: mostly<number | null>(null, 0, 3, 20, 500),
  minuteLeft: mostly(100, 0, 1, 3),
  keyCap: mostly<number | null>(null, 0, 3, 20, 500),
  ends: mostly<State['ends']>('never', 'later', 'before'),
  version: mostly(1, 2),
  aged: mostly<State['aged']>('nothing', 'minute', 'day', 'month', 'seen'),
})

const asks = fc.record({
  payer: fc.nat({ max: 3 }),
  price: fc.constantFrom(0, 1, 1, 2, 7),
  units: fc.constantFrom(1, 1, 1, 2, 5),
  stage: fc.constantFrom<(0 | 1 | 2)[]>(0, 0, 0, 0, 0, 1, 2),
  ceiling: mostly<number | null>(null, 0, 5, 1_000),
})

/** Puts a payer into a state relative to the current time, because the minute or day may have changed since the test started. */
async function setState(client: PoolClient, { keyId, accountId, isLive }: Payer, state: State, isFirstOfAccount: boolean): Promise<void> {
  const { balance, dayLeft, accountCap, minuteLeft, keyCap, ends, version, aged } = state
  const back = (...windows: State['aged'][]) => (windows.includes(aged) ? 1 : 0)
  if (isFirstOfAccount) {
    await client.query(
      `UPDATE wallet SET balance = $2, day_used = 3, day_limit = 3 + $3, month_cap = month_spent + $4::bigint,
         day = floor(extract(epoch FROM clock_timestamp()) / 86400) - $5::int, month = month_of(clock_timestamp()) - $6::int
       WHERE account_id = $1`,
      [accountId, balance, dayLeft, accountCap, back('day'), back('month')],
    )
  }
  await client.query(
    `WITH clock AS (SELECT floor(extract(epoch FROM clock_timestamp()) / 60)::int AS minute)
     UPDATE key_meter SET minute_used = 5, own_minute_limit = 5 + $2 - 5 * $6::int, month_cap = month_spent + $3::bigint, version = $4,
       month = month_of(clock_timestamp()) - $5::int, minute = clock.minute - $6::int, minute_seen = clock.minute - $7::int,
       ends_at = CASE $8 WHEN 'later' THEN now() + interval '1 hour' WHEN 'before' THEN now() - interval '1 second' END
     FROM clock WHERE key_id = $1`,
    [keyId, minuteLeft, isLive ? keyCap : null, version, back('month'), back('minute', 'seen'), back('minute'), ends],
  )
}

/** Returns everything that a batch may change, except the log time and transaction id. */
async function everything(client: PoolClient): Promise<unknown> {
  const ids = [payers.map(({ accountId }) => accountId)]
  const selectRows = async (text: string) => (await client.query(text, ids)).rows
  return [
    await selectRows('SELECT * FROM wallet WHERE account_id = ANY ($1) ORDER BY account_id'),
    await selectRows('SELECT * FROM key_meter WHERE account_id = ANY ($1) ORDER BY key_id'),
    await selectRows(`SELECT to_jsonb(l) - 'at' - 'tx' AS row FROM request_log l WHERE account_id = ANY ($1) ORDER BY id`),
  ]
}

type BatchDecision = { readonly outcomes: Outcome[] | null; readonly after: unknown }

async function tried(client: PoolClient, decide: () => Promise<Outcome[] | null>): Promise<BatchDecision> {
  await client.query('SAVEPOINT tried')
  const outcomes = await decide()
  const after = await everything(client)
  await client.query('ROLLBACK TO tried')
  return { outcomes, after }
}

type Both = { readonly whole: BatchDecision; readonly one: BatchDecision; readonly before: unknown }

/** Runs a batch with each of the two statements, from the same state and within one minute. */
async function bothWays(requests: readonly AdmissionRequest[], given: readonly State[]): Promise<Both> {
  const client = await db.pool.connect()
  try {
    for (;;) {
      await client.query('BEGIN')
      for (const [place, payer] of payers.entries()) await setState(client, payer, given[place] ?? usual, place === 0 || place === 3)
      const before = await everything(client)
      const from = Math.floor(Date.now() / 60_000)
      const one = await tried(client, () => admit(client, requests))
      const whole = await tried(client, () => admitWhole(client, requests))
      await client.query('ROLLBACK')
      if (Math.floor(Date.now() / 60_000) === from) return { whole, one, before }
    }
  } finally {
    client.release()
  }
}

const timeless = (outcomes: readonly Outcome[] | null) => outcomes?.map(({ now, ...rest }) => rest)

test('admit_whole grants a batch with the same results as admit, or changes nothing', async () => {
  const seen = { whole: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(asks, { minLength: 1, maxLength: 12 }), fc.tuple(states, states, states, states), async (asked, given) => {
      const requests = asked.map(({ payer, price, ...rest }) => {
        const of = payers[payer] as Payer
        return buildRequest(of, { ...rest, price: of.isLive ? price : 0 })
      })
      const { whole, one, before } = await bothWays(requests, given)
      if (whole.outcomes === null) {
        seen.refused++
        expect(whole.after).toEqual(before)
        return
      }
      seen.whole++
      expect(timeless(whole.outcomes)).toEqual(timeless(one.outcomes))
      expect(toVerdicts(whole.outcomes).every((verdict) => verdict === 0)).toBe(true)
      expect(whole.after).toEqual(one.after)
    }),
    { numRuns: 300 },
  )
  expect(seen.whole).toBeGreaterThan(30)
  expect(seen.refused).toBeGreaterThan(30)
})

const exactly = [
  ['exactly enough balance', { balance: 6 }, { balance: 5 }],
  ['exactly enough calls left in the day', { dayLeft: 3 }, { dayLeft: 2 }],
  ['exactly enough calls left in the minute', { minuteLeft: 3 }, { minuteLeft: 2 }],
  ['exactly enough left under the account cap', { accountCap: 6 }, { accountCap: 5 }],
  ['exactly enough left under the key cap', { keyCap: 6 }, { keyCap: 5 }],
  ['a key that ends later', { ends: 'later' }, { ends: 'before' }],
  ['a new minute', { aged: 'minute' }, { aged: 'seen' }],
  ['the current version of a key', { version: 1 }, { version: 2 }],
] as const

test.each(exactly)('grants a batch with %s, and rejects it otherwise', async (_, granted, refused) => {
  const payer = payers[0] as Payer
  const ask = () => repeatRequest(3, payer, { price: 2 })
  expect((await bothWays(ask(), [{ ...usual, ...granted }, usual, usual, usual])).whole.outcomes).not.toBeNull()
  expect((await bothWays(ask(), [{ ...usual, ...refused }, usual, usual, usual])).whole.outcomes).toBeNull()
})

test.each([
  ['a day', { aged: 'day' }],
  ['a month', { aged: 'month' }],
] as const)('delegates the first call of %s to `admit()`', async (_, state) => {
  const { whole, one } = await bothWays([buildRequest(payers[0] as Payer)], [{ ...usual, ...state }, usual, usual, usual])
  expect([whole.outcomes, toVerdicts(one.outcomes ?? [])]).toEqual([null, [0]])
})

test.each([
  ['with an Idempotency-Key', { idempotency: { key: 'k', request: 'aa' } }],
  ['with a ceiling below its full price', { price: 2, units: 3, ceiling: 5 }],
  ['for an empty page, which needs a balance', { price: 2, units: 0 }],
  ["with another account's key", { accountId: 999_999_999 }],
  ['with an older version than the call before it', { accountVersion: 2 }],
])('delegates a call %s to `admit()`', async (_, changes) => {
  const payer = payers[0] as Payer
  expect(await admitWhole(db.pool, [buildRequest(payer), buildRequest(payer, changes)])).toBeNull()
})

test.each([
  ['an unknown account', { accountId: 999_999_998, keyId: 999_999_998 }],
  ['an unknown key', { keyId: 999_999_999 }],
  ['a test key declared as live', { isLive: true }],
  ['a stale account version', { accountVersion: 2 }],
])('grants nothing to anyone in a batch with %s', async (_, changes) => {
  const payer = payers[2] as Payer
  const before = await readCounters(db.pool, payers[3] as Payer)
  expect(await admitWhole(db.pool, [buildRequest(payers[3] as Payer), buildRequest(payer, { price: 0, ...changes })])).toBeNull()
  expect(await readCounters(db.pool, payers[3] as Payer)).toEqual(before)
})

test('grants nothing with a stale service version', async () => {
  expect(await admitWhole(db.pool, [buildRequest(payers[0] as Payer)], 0)).toBeNull()
})

test.each([
  ['the key ends', 'UPDATE key_meter SET ends_at = clock_timestamp() WHERE account_id = $1'],
  ['the balance is spent', 'UPDATE wallet SET balance = 0 WHERE account_id = $1'],
  ['the account changes', 'UPDATE wallet SET version = version + 1 WHERE account_id = $1'],
])('grants nothing if %s while the batch waits for the wallet', async (_, change) => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await admit(db.pool, [buildRequest(payer)])
  const holder = await db.pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM wallet WHERE account_id = $1 FOR NO KEY UPDATE', [payer.accountId])
    const waiting = admitWhole(db.pool, [buildRequest(payer)])
    await expect.poll(async () => (await db.pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount).toBeGreaterThan(0)
    await holder.query(change, [payer.accountId])
    await holder.query('COMMIT')
    expect(await waiting).toBeNull()
    expect(await readLog(db.pool, payer)).toHaveLength(1)
  } finally {
    holder.release()
  }
})

test('concurrent batches with the same accounts in different orders never deadlock', async () => {
  const [first, , , other] = payers as [Payer, Payer, Payer, Payer]
  const before = await Promise.all([readCounters(db.pool, first), readCounters(db.pool, other)])
  const rounds = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? [first, other] : [other, first]).map((payer) => buildRequest(payer)))
  const outcomes = await Promise.all(rounds.map((requests) => admitWhole(db.pool, requests)))
  expect(outcomes.every((one) => one !== null)).toBe(true)
  const after = await Promise.all([readCounters(db.pool, first), readCounters(db.pool, other)])
  expect(after.map(({ balance }, at) => (before[at]?.balance ?? 0) - balance)).toEqual([40, 40])
})
