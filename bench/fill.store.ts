/** Fills a database with 100,000 accounts, a million keys and ten million requests from yesterday and today. Every balance equals the sum of its entries. */

import { scopeNames } from '#server/api/contract/access.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import type { Database } from '#server/db/prisma.ts'
import { hashKey, newKey } from '#server/keys/key-secret.ts'

const accounts = 100_000
const keys = 1_000_000
const logRows = 10_000_000
const rowsAtOnce = 1_000_000
const credits = 10
const opening = 1_000_000_000_000
const noLimit = 1_000_000_000

async function fillAccounts(pool: Database): Promise<void> {
  await pool.query(
    `INSERT INTO account (id, public_id, email, plan, state, custom_per_minute, custom_per_day, email_verified_at, accepted_licence)
     SELECT g, 'acc_filled' || g, g || '@filled.bench.test', 'enterprise', 'open', $2, $2, now(), $3 FROM generate_series(1, $1::int) g`,
    [accounts, noLimit, dataLicence],
  )
  await pool.query(
    `INSERT INTO wallet (account_id, balance, day_limit, minute_limit) SELECT g, $2::bigint - $3::bigint, $4::int, $4::int FROM generate_series(1, $1::int) g`,
    [accounts, opening, (logRows / accounts) * credits, noLimit],
  )
  await pool.query(
    `INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason)
     SELECT g, 'adjustment', $2::bigint, $2::bigint, 'bench', 'Filled.' FROM generate_series(1, $1::int) g`,
    [accounts, opening],
  )
}

/** Creates the keys. Key k belongs to account (k - 1) mod 100,000 + 1, so the keys of an account are far apart in the table. */
async function fillKeys(pool: Database): Promise<void> {
  await pool.query(
    `INSERT INTO api_key (id, public_id, account_id, hash, mode, hint, scopes)
     SELECT g, 'key_filled' || g, (g - 1) % $2::int + 1, sha256(('filled' || g)::bytea), 'live', 'fill', $3::text[] FROM generate_series(1, $1::int) g`,
    [keys, accounts, scopeNames],
  )
  await pool.query('INSERT INTO key_meter (key_id, account_id, live) SELECT g, (g - 1) % $2::int + 1, true FROM generate_series(1, $1::int) g', [
    keys,
    accounts,
  ])
}

/**
 * Inserts half of the rows into yesterday's partition and half into today's, ordered by time; every account has one row in every 100,000.
 * Today's rows are between midnight and now, so that the partition under measurement is as full as the other.
 */
async function fillLog(pool: Database): Promise<void> {
  for (let from = 0; from < logRows; from += rowsAtOnce) {
    const isToday = from >= logRows / 2
    const { rows } = await pool.query<{ partition: string }>(
      "SELECT 'request_log_' || to_char((now() AT TIME ZONE 'UTC')::date - $1::int, 'YYYYMMDD') AS partition",
      [isToday ? 0 : 1],
    )
    await pool.query(
      `INSERT INTO ${rows[0]?.partition} (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
       SELECT (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid, a, a + $3::int * (block % 10),
         $4::bigint - (block + 1) * $5::int, to_timestamp(ms / 1000.0), $5, $5, 3, 200, 0
       FROM (SELECT (g::bigint * 7919) % $3::int + 1 AS a, g / $3::int AS block, md5(g::text) AS h, first + (g % $6::int)::bigint * span / $6::int AS ms
             FROM generate_series($1::int, $1::int + $2::int - 1) g,
               LATERAL (SELECT (extract(epoch FROM date_trunc('day', now(), 'UTC') - make_interval(days => CASE WHEN $7 THEN 0 ELSE 1 END)) * 1000)::bigint AS first,
                 (CASE WHEN $7 THEN extract(epoch FROM now() - date_trunc('day', now(), 'UTC')) ELSE 86400 END * 1000)::bigint AS span) day) r`,
      [from, rowsAtOnce, accounts, opening, credits, logRows / 2, isToday],
    )
  }
}

/** Gives new keys to `count` existing accounts that are spread across the tables, overwriting the stored hashes. Returns the keys. */
async function handOutKeys(pool: Database, count: number): Promise<string[]> {
  const made: string[] = []
  for (let index = 0; index < count; index++) {
    const key = newKey('live')
    await pool.query('UPDATE api_key SET hash = $2 WHERE id = $1', [1 + index * 9_973, hashKey(key)])
    made.push(key)
  }
  return made
}

/** Fills an empty, migrated database. Returns live keys of `count` accounts spread over it. */
export async function fillDatabase(pool: Database, count: number): Promise<string[]> {
  await fillAccounts(pool)
  await fillKeys(pool)
  await fillLog(pool)
  return handOutKeys(pool, count)
}
