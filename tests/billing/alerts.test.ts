import { expect, test } from 'vitest'
import { deliverNotices, type Notice } from '#server/billing/billing-notices.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import { noticeLowBalances } from '#server/billing/low-balance-alerts.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { billingJobs } from '#server/jobs/scheduled-jobs.ts'
import { holdWallet, whileHeld } from '../metering/blocking-lock.ts'
import { addKey, admit, buildRequest } from '../metering/statement.ts'
import type { TestAccount } from '../support/accounts.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'

const fixture = new BillingFixture()
const running = new AbortController().signal

const spend = async (account: TestAccount, credits: number) => admit(fixture.pool, [buildRequest(await addKey(fixture.pool, account), { price: credits })])
/** Returns true if exactly one connection is waiting for a lock. */
const isWaiting = async () =>
  (await fixture.pool.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).rowCount === 1
const notified = async (account: TestAccount) => (await fixture.notices(account)).map(({ data }) => [data['balanceCredits'], data['thresholdCredits']])

test('alerts once at each threshold as the balance falls', async () => {
  const account = await fixture.account({ credits: 100 })
  for (const credits of [49, 1, 20, 21, 9]) {
    await spend(account, credits)
    for (let time = 0; time < 2; time++) await noticeLowBalances(fixture.pool)
  }
  expect(await notified(account)).toEqual([
    [50, 50],
    [9, 10],
    [0, 0],
  ])
})

test('alerts at the lowest threshold crossed, and resets every threshold after a top-up', async () => {
  const account = await fixture.account({ credits: 100 })
  await spend(account, 95)
  await noticeLowBalances(fixture.pool)
  await fixture.topUp(account, 500)
  await noticeLowBalances(fixture.pool)
  await spend(account, 10)
  await noticeLowBalances(fixture.pool)
  expect(await notified(account)).toEqual([
    [5, 10],
    [45, 50],
  ])
})

test('alerts after a refund takes the balance below zero', async () => {
  const account = await fixture.account({ credits: 20 })
  await adjustCredits(fixture.pool, account.id, -30, 'Of the tests.')
  expect(await notified(account)).toEqual([[-10, 0]])
  await noticeLowBalances(fixture.pool)
  expect(await notified(account)).toHaveLength(1)
})

test('lets an account choose its own thresholds, or none', async () => {
  const account = await fixture.account({ credits: 1_000 })
  const { billing } = getPortal(fixture.deps(), account)
  await billing.setAlerts({ thresholds: [500, 900, 500] })
  expect((await billing.overview()).alertThresholds).toEqual([900, 500])
  await spend(account, 200)
  await noticeLowBalances(fixture.pool)
  await billing.setAlerts({ thresholds: [] })
  await spend(account, 800)
  await noticeLowBalances(fixture.pool)
  expect(await notified(account)).toEqual([[800, 900]])
})

test.each([[[-1]], [[1.5]], [[1_000_001]]])('rejects %j as a threshold', async (thresholds) => {
  const { billing } = getPortal(fixture.deps(), await fixture.account())
  const fault = 'Enter whole numbers of credits from 0 to 1,000,000 separated by spaces, for example: 1000 50.'
  await expect(billing.setAlerts({ thresholds })).rejects.toMatchObject({ cause: { faults: { thresholds: fault } } })
  await expect(billing.setAlerts({ thresholds: [1, 2, 3, 4, 5, 6] })).rejects.toMatchObject({ cause: { faults: { thresholds: 'Enter up to 5 balances.' } } })
})

test('alerts once when several processes check at the same time', async () => {
  const account = await fixture.account({ credits: 60 })
  await spend(account, 55)
  await Promise.all(Array.from({ length: 8 }, () => noticeLowBalances(fixture.pool)))
  expect(await notified(account)).toEqual([[5, 10]])
})

test('keeps every threshold active when a top-up commits during the check', async () => {
  const account = await fixture.account({ credits: 100 })
  await spend(account, 95)
  // The check starts before the top-up commits, and reads the old balance.
  const [looking] = await inTransaction(fixture.pool, async (client) => {
    await client.query("SELECT enter_credits($1, 'adjustment', 500, 'operator', 'Of the tests.', NULL)", [account.id])
    const look = noticeLowBalances(fixture.pool)
    await expect.poll(isWaiting).toBe(true)
    return [look]
  })
  await looking
  expect(await notified(account)).toEqual([])
  await spend(account, 460)
  await noticeLowBalances(fixture.pool)
  expect(await notified(account)).toEqual([[45, 50]])
})

test('reads only the wallets charged since the last check', async () => {
  const [charged, idle] = [await fixture.account({ credits: 60 }), await fixture.account({ credits: 60 })]
  await spend(charged, 55)
  // Changes the balance directly. In production, only charges and ledger entries change it.
  await fixture.pool.query('UPDATE wallet SET balance = 5 WHERE account_id = $1', [idle.id])
  expect(await noticeLowBalances(fixture.pool)).toBe(1)
  await fixture.pool.query('UPDATE wallet SET balance = 60 WHERE account_id = $1', [idle.id])
  expect([await notified(charged), await notified(idle)]).toEqual([[[5, 10]], []])
})

test('enqueues exactly one email per notice, even if several jobs run concurrently', async () => {
  const account = await fixture.account({ credits: 60 })
  await spend(account, 55)
  await noticeLowBalances(fixture.pool)
  const job = billingJobs(fixture.deps()).find(({ name }) => name === 'billing.notices')
  await Promise.all(Array.from({ length: 4 }, () => job?.run(fixture.pool, running)))
  const mails = async () => (await fixture.pool.query('SELECT kind, data AS facts FROM email WHERE recipient = $1', [account.email])).rows
  expect(await mails()).toEqual([
    {
      kind: 'billing',
      facts: { notice: 'balance.low', facts: { balanceCredits: 5, thresholdCredits: 10 }, account: account.publicId, at: expect.any(String) },
    },
  ])
  await job?.run(fixture.pool, running)
  expect(await mails()).toHaveLength(1)
  expect(await getPortal(fixture.deps(), account).billing.notices()).toMatchObject([{ notice: 'balance.low', facts: { balanceCredits: 5 } }])
})

test('gives up on a failing notice after eight attempts, without blocking other notices', async () => {
  await deliverNotices(fixture.deps(), async () => undefined, running)
  const [one, two] = [await fixture.account({ credits: 60 }), await fixture.account({ credits: 60 })]
  for (const account of [one, two]) await spend(account, 55)
  await noticeLowBalances(fixture.pool)
  const handed: string[] = []
  const failsForOne = async (_client: unknown, { account }: Notice) => {
    if (account === one.publicId) throw new Error('Simulated failure.')
    handed.push(account ?? '')
  }
  for (let attempt = 1; attempt <= 8; attempt++) {
    await deliverNotices(fixture.deps(), failsForOne, running)
    await fixture.pool.query('UPDATE billing_notice SET not_before = now() WHERE account_id = $1', [one.id])
  }
  await deliverNotices(fixture.deps(), failsForOne, running)
  expect(handed).toEqual([two.publicId])
  const { rows } = await fixture.pool.query('SELECT attempts, sent_at IS NOT NULL AS is_over FROM billing_notice WHERE account_id = $1', [one.id])
  expect(rows).toEqual([{ attempts: 8, is_over: true }])
})

/** Creates `count` accounts whose balance has fallen from 60 credits to 5 since the last check. `tx` is the transaction id of their calls in the log. */
async function chargeMany(count: number, tx = 'pg_current_xact_id()::text::bigint'): Promise<number[]> {
  const { rows } = await fixture.pool.query<{ id: string }>(
    `WITH a AS (INSERT INTO account (public_id, email, state) SELECT 'acc_many_' || gen_random_uuid(), gen_random_uuid() || '@example.test', 'open'
       FROM generate_series(1, $1) RETURNING id)
     INSERT INTO wallet (account_id, minute_limit, day_limit) SELECT id, 60, 1000 FROM a RETURNING account_id AS id`,
    [count],
  )
  const ids = rows.map(({ id }) => Number(id))
  await fixture.pool.query("SELECT enter_credits(id, 'adjustment', 60, 'operator', 'Of the tests.', NULL) FROM unnest($1::int[]) id", [ids])
  await fixture.pool.query(
    `WITH charged AS (UPDATE wallet SET balance = balance - 55 WHERE account_id = ANY ($1) RETURNING account_id, balance)
     INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
     SELECT gen_random_uuid(), account_id, 0, ${tx}, balance, now(), 55, 55, 1, 200, 0 FROM charged`,
    [ids],
  )
  return ids
}

/** Returns the number of notices each transaction wrote, in commit order, and the number of accounts with a notice. */
async function getNotices(ids: readonly number[]): Promise<{ batches: number[]; accounts: number }> {
  const { rows } = await fixture.pool.query<{ n: number; accounts: number }>(
    'SELECT count(*)::int AS n, count(DISTINCT account_id)::int AS accounts FROM billing_notice WHERE account_id = ANY ($1) GROUP BY xmin::text ORDER BY min(id)',
    [ids],
  )
  return { batches: rows.map(({ n }) => n), accounts: rows.reduce((sum, { accounts }) => sum + accounts, 0) }
}

test('after an outage, alerts every account exactly once, in transactions of 500, even if the job is interrupted', async () => {
  await noticeLowBalances(fixture.pool)
  const ids = await chargeMany(1_200)
  const progress = async () => (await fixture.pool.query<{ next_tx: string }>('SELECT next_tx FROM alert_progress')).rows[0]?.next_tx
  const before = await progress()
  expect(await noticeLowBalances(fixture.pool, AbortSignal.abort())).toBe(500)
  // Progress does not advance until every account in the range has its notice.
  expect([await getNotices(ids), await progress()]).toEqual([{ batches: [500], accounts: 500 }, before])
  const rest = await Promise.all(Array.from({ length: 4 }, () => noticeLowBalances(fixture.pool)))
  expect(rest.reduce((sum, notified) => sum + notified, 0)).toBe(700)
  expect(await getNotices(ids)).toEqual({ batches: [500, 500, 200], accounts: 1_200 })
  expect(await noticeLowBalances(fixture.pool)).toBe(0)
})

test('times out after a second if a wallet is locked, and alerts everyone in the next run', async () => {
  await noticeLowBalances(fixture.pool)
  const ids = await chargeMany(3)
  const late = expect.objectContaining({ code: '55P03' })
  await whileHeld(fixture.pool, holdWallet, [ids.at(-1)], () => expect(noticeLowBalances(fixture.pool)).rejects.toEqual(late))
  expect((await getNotices(ids)).accounts).toBe(0)
  expect(await noticeLowBalances(fixture.pool)).toBe(3)
})

test('processes a long backlog in batches without skipping any account', async () => {
  await noticeLowBalances(fixture.pool)
  // Simulates a log with more transactions than one check covers. Negative ids come before this database's first transaction.
  await fixture.pool.query('UPDATE alert_progress SET next_tx = -250000')
  const ids = [...(await chargeMany(2, '-250000')), ...(await chargeMany(2, '-149999')), ...(await chargeMany(2, '-50000')), ...(await chargeMany(2))]
  expect(await noticeLowBalances(fixture.pool, AbortSignal.abort())).toBe(2)
  expect((await fixture.pool.query('SELECT next_tx::int FROM alert_progress')).rows).toEqual([{ next_tx: -150_000 }])
  expect(await noticeLowBalances(fixture.pool)).toBe(6)
  const { batches, accounts } = await getNotices(ids)
  expect([batches.slice(0, 2), accounts]).toEqual([[2, 2], 8])
})
