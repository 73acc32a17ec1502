import type { Portal } from './portal.ts'

/**
 * Inserts four weeks of past usage, and 60 hours of hourly usage, for every key of an account, covering every colour, both modes and several statuses. A few
 * endpoints get most of the calls. Leaves out today, because the test makes today's calls itself.
 */
export async function insertPastUsage(portal: Portal, accountId: number): Promise<void> {
  const groups = `FROM generate_series(1, 27) d,
    (VALUES (3, 200, 45), (4, 200, 25), (5, 200, 15), (6, 200, 8), (15, 200, 5), (16, 200, 2), (3, 400, 1), (3, 429, 1), (0, 404, 1)) g(endpoint, status, share),
    (SELECT id, mode FROM api_key WHERE account_id = $1) k`
  const day = "(now() AT TIME ZONE 'UTC')::date - d"
  const count = '(CASE WHEN g.status = 200 THEN g.share * (70 + (d * 13 + g.endpoint * 29) % 61) / 75 ELSE 1 + (d + g.status) % 3 END)'
  // An error every eight hours, and a successful call every hour.
  const hourly = 'WHERE g.status = 200 OR (d + g.status) % 8 = 0'
  await portal.sql(
    `INSERT INTO usage_day SELECT $1, ${day}, k.id, g.endpoint, g.status, ${count}, CASE WHEN k.mode = 'live' AND g.status = 200 THEN ${count} ELSE 0 END ${groups}`,
    [accountId],
  )
  await portal.sql(
    `INSERT INTO usage_hour SELECT $1, date_trunc('hour', now()) - d * interval '1 hour', k.id, g.endpoint, g.status, 1 + (d + g.endpoint) % 9, 1,
       CASE WHEN k.mode = 'live' AND g.status = 200 THEN 1 ELSE 0 END ${groups.replace('(1, 27)', '(1, 60)')} ${hourly}`,
    [accountId],
  )
  await portal.sql(`INSERT INTO usage_latency SELECT $1, ${day}, k.id, g.endpoint, g.status, 1 + (d + g.endpoint) % 9, ${count} ${groups}`, [accountId])
  await portal.sql(
    `INSERT INTO key_use SELECT id, now() - interval '1 hour', '203.0.113.7' FROM api_key WHERE account_id = $1 ON CONFLICT (key_id) DO NOTHING`,
    [accountId],
  )
}

/**
 * Inserts requests of the last minutes with a live key, older than those of the test. They belong to a transaction that is already rolled up, so usage figures
 * don't count them.
 */
export async function insertPastRequests(portal: Portal, accountId: number, count: number): Promise<void> {
  await portal.sql(
    `INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
     SELECT first_id_at(at), $1, k.id, 1, 4000 + 3 * n, at, units, units, 3, 200, 0
     FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - interval '30 seconds' - n * interval '1 second' AS at, 1 + n % 5 AS units) t,
       (SELECT id FROM api_key WHERE account_id = $1 AND mode = 'live' AND revoked_at IS NULL ORDER BY id LIMIT 1) k`,
    [accountId, count],
  )
}
