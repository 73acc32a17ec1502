import type { Pool } from 'pg'
import type { JobRun } from '#server/api/contract/operations.ts'

export async function noteBegun(pool: Pool, name: string, everyMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, begun_at, every_ms) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET begun_at = now(), every_ms = excluded.every_ms`,
    [name, everyMs],
  )
}

/** The other outcome stays behind this one, also when it was put down by a clock that was ahead. */
const before = (column: 'r.failed_at' | 'r.ok_at') => `CASE WHEN ${column} >= now() THEN now() - interval '1 second' ELSE ${column} END`

export async function noteDone(pool: Pool, name: string, tookMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, ok_at, took_ms) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET begun_at = NULL, ok_at = now(), took_ms = excluded.took_ms, failed_at = ${before('r.failed_at')}`,
    [name, tookMs],
  )
}

/** Records a success of a job that goes on running. */
export async function noteSucceeded(pool: Pool, name: string): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, ok_at) VALUES ($1, now())
     ON CONFLICT (name) DO UPDATE SET ok_at = now(), failed_at = ${before('r.failed_at')}`,
    [name],
  )
}

export async function noteFailed(pool: Pool, name: string, fault: string): Promise<void> {
  await pool.query(
    `INSERT INTO job_run AS r (name, failed_at, fault) VALUES ($1, now(), $2)
     ON CONFLICT (name) DO UPDATE SET begun_at = NULL, failed_at = now(), fault = excluded.fault, ok_at = ${before('r.ok_at')}`,
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

/**
 * How a job stands by the database's clock. `lateSeconds` is how long its next success is overdue. A job that
 * runs as long as its process records its successes meanwhile. A run that has gone on for ten minutes since a failure does not count as failing. A success that lies ahead is of a clock that was, and counts as one of long ago.
 */
export type JobStanding = { name: string; okAt: Date | null; tookMs: number | null; lateSeconds: number; isFailing: boolean }

export async function readJobStanding(pool: Pool): Promise<JobStanding[]> {
  const { rows } = await pool.query<JobStanding>(
    `SELECT name, ok_at AS "okAt", took_ms AS "tookMs", is_failing AS "isFailing",
       CASE WHEN every_ms IS NULL OR ok_at IS NULL AND NOT is_failing THEN 0
         ELSE greatest(0, abs(extract(epoch FROM now() - coalesce(ok_at, known_since))) - every_ms / 1000.0) END::float8 AS "lateSeconds"
     FROM (SELECT *, coalesce(failed_at > ok_at, failed_at IS NOT NULL)
         AND (begun_at > failed_at AND begun_at < now() - interval '10 minutes') IS NOT TRUE AS is_failing FROM job_run) r ORDER BY name LIMIT 200`,
  )
  return rows
}
