import type { Pool } from 'pg'
import type { JobRun } from '../contract/operations.ts'

export async function noteBegun(pool: Pool, name: string): Promise<void> {
  await pool.query('INSERT INTO job_run AS r (name, begun_at) VALUES ($1, now()) ON CONFLICT (name) DO UPDATE SET begun_at = now()', [name])
}

export async function noteDone(pool: Pool, name: string, tookMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, ok_at, took_ms) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET begun_at = NULL, ok_at = now(), took_ms = excluded.took_ms`,
    [name, tookMs],
  )
}

export async function noteFailed(pool: Pool, name: string, fault: string): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, failed_at, fault) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET begun_at = NULL, failed_at = now(), fault = excluded.fault`,
    [name, fault],
  )
}

/** Every job that ever ran. There are as many rows as jobs in the code, now and before. */
export async function readJobRuns(pool: Pool): Promise<JobRun[]> {
  const { rows } = await pool.query<JobRun>(
    `SELECT name, begun_at AS "begunAt", ok_at AS "okAt", took_ms AS "tookMs", failed_at AS "failedAt", fault FROM job_run ORDER BY name LIMIT 200`,
  )
  return rows
}
