import type { Pool } from 'pg'

export type CheckName = 'ledger' | 'reconciliation'

/** Matches times written by a clock that was ahead. The minute allows for a time that another process has just written. */
const isAhead = (column: 'begun_at' | 'failure_told_at') => `${column} > now() + interval '1 minute'`

/** Claims a check that was last started longer ago than this, or in the future. Returns false if another process claimed it or it is not due. */
export async function claimCheck(pool: Pool, name: CheckName, everySeconds: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE billing_check SET begun_at = now() WHERE name = $1 AND (begun_at < now() - make_interval(secs => $2) OR ${isAhead('begun_at')})`,
    [name, everySeconds],
  )
  return rowCount === 1
}

export async function finishCheck(pool: Pool, name: CheckName, faults: number): Promise<void> {
  await pool.query('UPDATE billing_check SET done_at = now(), faults = $2, failure_told_at = NULL WHERE name = $1', [name, faults])
}

/** Makes a failed check due again in this many seconds. */
export async function rescheduleCheck(pool: Pool, name: CheckName, everySeconds: number, inSeconds: number): Promise<void> {
  await pool.query('UPDATE billing_check SET begun_at = now() - make_interval(secs => $2) WHERE name = $1', [name, everySeconds - inSeconds])
}

/** Notifies the administrators that a check can't run, at most once a day. */
export async function notifyFailure(pool: Pool, name: CheckName): Promise<void> {
  await pool.query(
    `WITH due AS (
       UPDATE billing_check SET failure_told_at = now() WHERE name = $1 AND (failure_told_at IS NULL OR failure_told_at < now() - interval '1 day' OR ${isAhead('failure_told_at')})
       RETURNING name)
     INSERT INTO billing_notice (account_id, kind, data) SELECT NULL, 'check.failed', jsonb_build_object('check', name) FROM due`,
    [name],
  )
}

export type CheckRow = { name: CheckName; doneAt: Date | null; faults: number | null; failedAt: Date | null }

/** Returns for each check its last run, its differences, and when administrators were last notified that it can't run. */
export async function readChecks(pool: Pool): Promise<CheckRow[]> {
  const { rows } = await pool.query<CheckRow>(
    'SELECT name, done_at AS "doneAt", faults, failure_told_at AS "failedAt" FROM billing_check ORDER BY name LIMIT 10',
  )
  return rows
}
