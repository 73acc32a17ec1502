import type { JobRun } from '#server/api/contract/admin-views.ts'
import type { Database } from '#server/db/prisma.ts'

export async function noteBegun(pool: Database, name: string, everyMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, started_at, every_ms) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET started_at = now(), every_ms = excluded.every_ms`,
    [name, everyMs],
  )
}

/**
 * Time of the last opposite outcome (success or failure). Moved into the past if it was recorded while the clock was ahead, so that the new outcome is always
 * the later one.
 */
const before = (column: 'r.failed_at' | 'r.ok_at') => `CASE WHEN ${column} >= now() THEN now() - interval '1 second' ELSE ${column} END`

export async function noteDone(pool: Database, name: string, tookMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, ok_at, took_ms) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET started_at = NULL, ok_at = now(), took_ms = excluded.took_ms, failed_at = ${before('r.failed_at')}`,
    [name, tookMs],
  )
}

/** Records a success of a job that is still running. */
export async function noteSucceeded(pool: Database, name: string): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, ok_at) VALUES ($1, now())
     ON CONFLICT (name) DO UPDATE SET ok_at = now(), failed_at = ${before('r.failed_at')}`,
    [name],
  )
}

export async function noteFailed(pool: Database, name: string, fault: string): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, failed_at, fault) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET started_at = NULL, failed_at = now(), fault = excluded.fault, ok_at = ${before('r.ok_at')}`,
    [name, fault],
  )
}

/** Returns all jobs that ever ran: one row per job name, past or present. */
export async function readJobRuns(pool: Database): Promise<JobRun[]> {
  const { rows } = await pool.query<JobRun>(
    `SELECT name, started_at AS "begunAt", ok_at AS "okAt", took_ms AS "tookMs", failed_at AS "failedAt", fault FROM job_run ORDER BY name LIMIT 200`,
  )
  return rows
}

/**
 * Job status, by the database's clock. `lateSeconds` is how long the next success is overdue. Jobs that run as long as their process record successes along the
 * way. A run that has lasted ten minutes since a failure no longer counts as failing. A success in the future comes from a clock that was ahead, and is treated
 * as an old one.
 */
export type JobStatus = { name: string; okAt: Date | null; tookMs: number | null; lateSeconds: number; isFailing: boolean }

export async function readJobStatus(pool: Database): Promise<JobStatus[]> {
  const { rows } = await pool.query<JobStatus>(
    `SELECT name, ok_at AS "okAt", took_ms AS "tookMs", is_failing AS "isFailing",
       CASE WHEN every_ms IS NULL OR ok_at IS NULL AND NOT is_failing THEN 0
         ELSE greatest(0, abs(extract(epoch FROM now() - coalesce(ok_at, known_since))) - every_ms / 1000.0) END::float8 AS "lateSeconds"
     FROM (SELECT *, coalesce(failed_at > ok_at, failed_at IS NOT NULL)
         AND (started_at > failed_at AND started_at < now() - interval '10 minutes') IS NOT TRUE AS is_failing FROM job_run) r ORDER BY name LIMIT 200`,
  )
  return rows
}
