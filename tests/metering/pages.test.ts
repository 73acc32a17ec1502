import { expect, test } from 'vitest'
import { admit, admitWhole, buildRequest, type Caller, meteringDatabase } from './statement.ts'

const db = meteringDatabase()

/**
 * Creates accounts with one key each in a single statement, so that their rows fill consecutive pages. Returns every `oneIn`th account, so that the rows of any
 * two returned accounts are more than a page apart.
 */
async function fill(accounts: number, oneIn: number): Promise<Caller[]> {
  const { rows } = await db.pool.query<{ account: number; key: number }>(
    `WITH accounts AS (
       INSERT INTO account (public_id, email, plan, state) SELECT 'acc_filled' || g, g || '@filled.test', 'hobby', 'open' FROM generate_series(1, $1::int) g RETURNING id),
     wallets AS (INSERT INTO wallet (account_id, balance, day_limit, minute_limit) SELECT id, 1000, 1000, 1000 FROM accounts),
     keys AS (
       INSERT INTO api_key (public_id, account_id, hash, mode, hint, scopes) SELECT 'key_filled' || id, id, sha256(('filled' || id)::bytea), 'live', 'fill', '{}' FROM accounts
       RETURNING id, account_id),
     meters AS (INSERT INTO key_meter (key_id, account_id, live) SELECT id, account_id, true FROM keys)
     SELECT account_id::int AS account, id::int AS key FROM keys ORDER BY id`,
    [accounts],
  )
  return rows.filter((_, at) => at % oneIn === 0).map(({ account, key }) => ({ accountId: account, keyId: key, isLive: true }))
}

/** Returns the page numbers of each payer's row in `wallet` and in `key_meter`. */
async function readPages(payers: readonly Caller[]): Promise<{ wallet: number; meter: number }[]> {
  const { rows } = await db.pool.query<{ wallet: number; meter: number }>(
    `SELECT (w.ctid::text::point)[0]::int AS wallet, (k.ctid::text::point)[0]::int AS meter FROM wallet w JOIN key_meter k USING (account_id)
     WHERE k.key_id = ANY ($1::bigint[]) ORDER BY k.key_id`,
    [payers.map(({ keyId }) => keyId)],
  )
  return rows
}

const count = (pages: readonly { wallet: number; meter: number }[]) => ({
  wallets: new Set(pages.map(({ wallet }) => wallet)).size,
  meters: new Set(pages.map(({ meter }) => meter)).size,
})

async function charge(payers: readonly Caller[], times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const batch = payers.map((payer) => buildRequest(payer))
    if ((await admitWhole(db.pool, batch)) === null) await admit(db.pool, batch)
  }
}

/**
 * Returns the proportion of updates during `work` that are HOT updates, which keep the row on its page. Some are not, because open transactions prevent old
 * versions from being pruned.
 */
async function shareThatStays(work: () => Promise<void>): Promise<number> {
  const read = async () => {
    await db.pool.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await db.pool.query<{ all: number; stayed: number }>(
      "SELECT sum(n_tup_upd)::int AS all, sum(n_tup_hot_upd)::int AS stayed FROM pg_stat_user_tables WHERE relname IN ('wallet', 'key_meter')",
    )
    return rows[0] ?? { all: 0, stayed: 0 }
  }
  const before = await read()
  await work()
  const after = await read()
  return (after.stayed - before.stayed) / (after.all - before.all)
}

test('moves the rows of active accounts onto a few shared database pages, and most later charges keep them there', async () => {
  const payers = await fill(2_400, 200)
  expect(count(await readPages(payers))).toEqual({ wallets: 12, meters: 12 })
  await charge(payers, 20)
  const together = count(await readPages(payers))
  expect(together.wallets).toBeLessThanOrEqual(3)
  expect(together.meters).toBeLessThanOrEqual(3)
  expect(await shareThatStays(() => charge(payers, 80))).toBeGreaterThan(0.7)
})
