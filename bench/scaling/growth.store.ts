/** Fills tables step by step: accounts with keys, and log rows. Every balance stays the sum of its entries. */
import type { Pool } from 'pg'
import { scopeNames } from '#server/api/contract/access.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { hashKey, newKey } from '#server/keys/key-format.ts'

const opening = 1_000_000_000_000
const noLimit = 1_000_000_000
const creditsARow = 10
const rowsAtOnce = 500_000

/** Creates accounts from..to, counted from 1, with their initial credits. */
export async function addAccounts(pool: Pool, from: number, to: number): Promise<void> {
  await pool.query(
    `INSERT INTO account (id, public_id, email, plan, state, own_per_minute, own_per_day, email_verified_at, accepted_licence)
     SELECT g, 'acc_grown' || g, g || '@grown.bench.test', 'enterprise', 'open', $3, $3, now(), $4 FROM generate_series($1::int, $2::int) g`,
    [from, to, noLimit, dataLicence],
  )
  await pool.query(
    'INSERT INTO wallet (account_id, balance, day_limit, minute_limit) SELECT g, $3::bigint, $4::int, $4::int FROM generate_series($1::int, $2::int) g',
    [from, to, opening, noLimit],
  )
  await pool.query(
    `INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason)
     SELECT g, 'adjustment', $3::bigint, $3::bigint, 'bench', 'Grown.' FROM generate_series($1::int, $2::int) g`,
    [from, to, opening],
  )
}

/** Creates keys from..to; key k belongs to account (k - 1) mod `accounts` + 1. */
export async function addKeys(pool: Pool, accounts: number, from: number, to: number): Promise<void> {
  await pool.query(
    `INSERT INTO api_key (id, public_id, account_id, hash, mode, hint, scopes)
     SELECT g, 'key_grown' || g, (g - 1) % $3::int + 1, sha256(('grown' || g)::bytea), 'live', 'grow', $4::text[] FROM generate_series($1::int, $2::int) g`,
    [from, to, accounts, scopeNames],
  )
  await pool.query('INSERT INTO key_meter (key_id, account_id, live) SELECT g, (g - 1) % $3::int + 1, true FROM generate_series($1::int, $2::int) g', [
    from,
    to,
    accounts,
  ])
}

/** Sets known secrets for `count` of `keys` keys, as far apart as possible. */
export async function setKnownSecrets(pool: Pool, keys: number, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => newKey('live'))
  const step = Math.floor(keys / count)
  await pool.query('UPDATE api_key k SET hash = p.hash FROM unnest($1::bigint[], $2::bytea[]) AS p(id, hash) WHERE k.id = p.id', [
    made.map((_, at) => 1 + at * step),
    made.map(hashKey),
  ])
  return made
}

/**
 * Inserts log rows from..to, counted from 0: half of them yesterday, half since midnight, charged to all accounts in turn. `from` and `to` must be multiples of
 * twice the number of accounts. Rows are ordered by time within each half.
 */
export async function addLog(pool: Pool, accounts: number, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, to - first)
    await pool.query(
      `INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
       SELECT (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid, a, a, $4::bigint, to_timestamp(ms / 1000.0), $5, $5, 3, 200, 0
       FROM (SELECT g % $3::int + 1 AS a, md5(g::text) AS h,
               CASE WHEN (g - $1::int) * 2 < $2::int THEN midnight - 86400000 + (g - $1::int)::bigint * 2 * 86400000 / $2::int
                    ELSE midnight + ((g - $1::int)::bigint * 2 - $2::int) * since / $2::int END AS ms
             FROM generate_series($1::int, $1::int + $2::int - 1) g,
               LATERAL (SELECT (extract(epoch FROM date_trunc('day', now(), 'UTC')) * 1000)::bigint AS midnight,
                 (extract(epoch FROM now() - date_trunc('day', now(), 'UTC')) * 1000)::bigint AS since) day) r`,
      [first, rows, accounts, opening, creditsARow],
    )
  }
  await pool.query('UPDATE wallet SET balance = balance - $1::bigint WHERE account_id <= $2', [((to - from) / accounts) * creditsARow, accounts])
}

/** Returns the size of the log with its indexes in bytes, over all partitions. */
export async function logBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "SELECT coalesce(sum(pg_total_relation_size(relid)), 0) AS bytes FROM pg_partition_tree('request_log') WHERE isleaf",
  )
  return Number(rows[0]?.bytes)
}
