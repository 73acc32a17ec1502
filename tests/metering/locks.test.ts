import { Client } from 'pg'
import { expect, test } from 'vitest'
import { changePlan } from '#server/accounts/accounts.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { holdWallet, waiters, whileHeld } from './blocking-lock.ts'
import { admit, admitWhole, buildRequest, makePayer, meteringDatabase, settle } from './statement.ts'

const db = meteringDatabase()

test('completes both an account change and a credit adjustment that wait for the same wallet', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const both = await whileHeld(db.pool, holdWallet, [payer.accountId], async (release) => {
    const grant = adjustCredits(db.pool, payer.accountId, 5, 'A test.')
    await waiters(db.pool, 1)
    const plan = changePlan(db.pool, payer.account.email, 'business')
    await waiters(db.pool, 2)
    await release()
    return Promise.allSettled([grant, plan])
  })
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('completes both an account change and a reversal that wait for the same wallet', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const request = buildRequest(payer, { price: 4 })
  await admit(db.pool, [request])
  const both = await whileHeld(db.pool, holdWallet, [payer.accountId], async (release) => {
    const settling = settle(db.pool, [{ ...request, isVoid: true }])
    await waiters(db.pool, 1)
    const plan = changePlan(db.pool, payer.account.email, 'business')
    await waiters(db.pool, 2)
    await release()
    return Promise.allSettled([settling, plan])
  })
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('deleting expired idempotency keys never deadlocks with a batch that reuses them', async () => {
  const [first, middle, last] = [await makePayer(db.pool), await makePayer(db.pool), await makePayer(db.pool)]
  const ask = (payer: typeof first) => buildRequest(payer, { idempotency: { key: 'again', request: 'aa' } })
  for (const payer of [first, middle, last]) await admit(db.pool, [ask(payer)])
  await db.pool.query("UPDATE idempotency SET at = at - interval '11 minutes'")
  // The middle row is locked, so the deletion waits between the first and the last row while the batch locks these two in the opposite order.
  const both = await whileHeld(db.pool, 'SELECT FROM idempotency WHERE account_id = $1 FOR UPDATE', [middle.accountId], async (release) => {
    const keeping = maintainLog(db.pool)
    const isDone = await Promise.race([keeping.then(() => true), waiters(db.pool, 1).then(() => false)])
    const batch = admit(db.pool, [ask(last), ask(first)])
    if (!isDone) await waiters(db.pool, 2)
    await release()
    return Promise.allSettled([keeping, batch])
  })
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('creating partitions during a long query on the log does not block charges', async () => {
  const payer = await makePayer(db.pool)
  await whileHeld(db.pool, 'SELECT count(*) FROM request_log', [], async (release) => {
    const making = db.pool.query("SELECT make_log_partitions('2033-01-01', 2)").catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const started = performance.now()
    const charge = admit(db.pool, [buildRequest(payer)])
    await Promise.race([charge, new Promise((resolve) => setTimeout(resolve, 1_500))])
    const waitedMs = performance.now() - started
    await release()
    await Promise.all([making, charge])
    expect(waitedMs).toBeLessThan(1_000)
  })
})

const wallets = (rows: number) => `SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', 'wallet', 'relpages', 1, 'reltuples', ${rows}::real)`

/**
 * Each case sets the planner's statistics and page cost. If the planner expects a million wallets that are expensive to look up, it prefers a scan in physical
 * order.
 */
test.each([
  ['a few wallets', 7, 4],
  ['a million wallets', 1_000_000, 4],
  ['a million wallets that are expensive to look up', 1_000_000, 1_000_000],
] as const)('admit_whole locks wallets in id order, regardless of their physical order, even if the query planner expects %s', async (_, rows, cost) => {
  const payers = await Promise.all(Array.from({ length: 7 }, () => makePayer(db.pool)))
  payers.sort((one, other) => one.accountId - other.accountId)
  // `admit` updates each wallet on its first call of a day, so calling it in reverse order reverses the physical order of the rows.
  for (const payer of payers.toReversed()) await admit(db.pool, [buildRequest(payer, { price: 0 })])
  await db.pool.query(wallets(rows))
  const ids = payers.map(({ accountId }) => accountId)
  const gateway = new Client({ connectionString: db.url, options: `-c plan_cache_mode=force_generic_plan -c random_page_cost=${cost}` })
  await gateway.connect()
  try {
    const [outcomes, free] = await whileHeld(db.pool, holdWallet, [ids[3]], async (release) => {
      const batch = admitWhole(
        gateway,
        payers.map((payer) => buildRequest(payer)),
      )
      await waiters(db.pool, 1)
      const { rows } = await db.pool.query<{ id: number }>(
        'SELECT account_id::int AS id FROM wallet WHERE account_id = ANY ($1) ORDER BY account_id FOR UPDATE SKIP LOCKED',
        [ids],
      )
      await release()
      return [await batch, rows.map(({ id }) => id)] as const
    })
    expect(free).toEqual(ids.slice(4))
    expect(outcomes).toHaveLength(payers.length)
  } finally {
    await gateway.end()
  }
})
