import type { Pool } from 'pg'
import type { JobRun } from '../contract/operations.ts'

export async function noteBegun(pool: Pool, name: string, everyMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, begun_at, every_ms) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET begun_at = now(), every_ms = excluded.every_ms`,
    [name, everyMs],
  )
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

/** How a job stands by the database's clock. `lateSeconds` is how long its next success is overdue; a job that runs as long as its process does never is. */
export type JobStanding = { name: string; okAt: Date | null; tookMs: number | null; lateSeconds: number; isFailing: boolean }

export async function readJobStanding(pool: Pool): Promise<JobStanding[]> {
  const { rows } = await pool.query<JobStanding>(
    `SELECT name, ok_at AS "okAt", took_ms AS "tookMs", coalesce(failed_at > ok_at, failed_at IS NOT NULL) AS "isFailing",
       CASE WHEN every_ms IS NULL OR ok_at IS NULL AND failed_at IS NULL THEN 0
         ELSE greatest(0, extract(epoch FROM now() - coalesce(ok_at, failed_at)) - every_ms / 1000.0) END::float8 AS "lateSeconds"
     FROM job_run ORDER BY name LIMIT 200`,
  )
  return rows
}
