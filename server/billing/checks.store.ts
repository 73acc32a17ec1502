import type { Pool } from 'pg'

export type CheckName = 'ledger' | 'reconciliation'

/** Tells times that were written by a clock that was ahead. The minute is for another process that has written one this moment. */
const isAhead = (column: 'begun_at' | 'failure_told_at') => `${column} > now() + interval '1 minute'`

/** Takes a check that has not been begun for so long, or ahead of now; false: another process did it, or it is not due. */
export async function takeCheck(pool: Pool, name: CheckName, everySeconds: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE billing_check SET begun_at = now() WHERE name = $1 AND (begun_at < now() - make_interval(secs => $2) OR ${isAhead('begun_at')})`,
    [name, everySeconds],
  )
  return rowCount === 1
}

export async function finishCheck(pool: Pool, name: CheckName, faults: number): Promise<void> {
  await pool.query('UPDATE billing_check SET done_at = now(), faults = $2, failure_told_at = NULL WHERE name = $1', [name, faults])
}

/** Lets a check that failed be tried again in so many seconds. */
export async function repeatCheck(pool: Pool, name: CheckName, everySeconds: number, inSeconds: number): Promise<void> {
  await pool.query('UPDATE billing_check SET begun_at = now() - make_interval(secs => $2) WHERE name = $1', [name, everySeconds - inSeconds])
}

/** Tells the administrators that a check could not be made, once a day for as long as that lasts. */
export async function tellFailure(pool: Pool, name: CheckName): Promise<void> {
  await pool.query(
    `WITH due AS (
       UPDATE billing_check SET failure_told_at = now() WHERE name = $1 AND (failure_told_at IS NULL OR failure_told_at < now() - interval '1 day' OR ${isAhead('failure_told_at')})
       RETURNING name)
     INSERT INTO billing_notice (account_id, kind, data) SELECT NULL, 'check.failed', jsonb_build_object('check', name) FROM due`,
    [name],
  )
}

export type CheckRow = { name: CheckName; doneAt: Date | null; faults: number | null; failedAt: Date | null }

/** How the checks went: when each was last done, what differed, and when it was last told of as one that cannot be made. */
export async function readChecks(pool: Pool): Promise<CheckRow[]> {
  const { rows } = await pool.query<CheckRow>(
    'SELECT name, done_at AS "doneAt", faults, failure_told_at AS "failedAt" FROM billing_check ORDER BY name LIMIT 10',
  )
  return rows
}
