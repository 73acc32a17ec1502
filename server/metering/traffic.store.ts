import type { Pool } from 'pg'

export type TrafficRow = { at: Date; requests: number; refused: number; failed: number }

const sums = `sum(requests)::float8 AS requests, coalesce(sum(requests) FILTER (WHERE status BETWEEN 400 AND 499), 0)::float8 AS refused,
  coalesce(sum(requests) FILTER (WHERE status >= 500), 0)::float8 AS failed`

/** Requests of the last hour by minute, those that had any, the newest first. */
export async function minutesOfHour(pool: Pool): Promise<TrafficRow[]> {
  const { rows } = await pool.query<TrafficRow>(
    `SELECT at, ${sums} FROM service_traffic WHERE grain = 'minute' AND at > now() - interval '1 hour' GROUP BY at ORDER BY at DESC LIMIT 60`,
  )
  return rows
}

/** Requests of the last day by hour, those that had any, the newest first; the running hour is one of them. */
export async function hoursOfDay(pool: Pool): Promise<TrafficRow[]> {
  const { rows } = await pool.query<TrafficRow>(
    `SELECT at, ${sums} FROM service_traffic WHERE grain = 'hour' AND at > now() - interval '24 hours' GROUP BY at ORDER BY at DESC LIMIT 24`,
  )
  return rows
}

export type LatencyRow = { bucket: number; hour: number; day: number }

/** How long requests took, in buckets: of the last hour, and of the last day. */
export async function latencyLately(pool: Pool): Promise<LatencyRow[]> {
  const { rows } = await pool.query<LatencyRow>(
    `SELECT bucket::int AS bucket, coalesce(sum(requests) FILTER (WHERE grain = 'minute'), 0)::float8 AS hour,
       coalesce(sum(requests) FILTER (WHERE grain = 'hour'), 0)::float8 AS day
     FROM service_traffic WHERE (grain = 'minute' AND at > now() - interval '1 hour') OR (grain = 'hour' AND at > now() - interval '24 hours') GROUP BY bucket`,
  )
  return rows
}

/** Up to when the log has been added up. */
export async function addedUpTo(pool: Pool): Promise<Date | null> {
  return (await pool.query<{ as_of: Date }>('SELECT as_of FROM usage_progress')).rows[0]?.as_of ?? null
}

/** Forgets minutes and hours that nobody looks at any more. */
export async function forgetTraffic(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM service_traffic WHERE ctid = ANY (ARRAY(SELECT ctid FROM service_traffic
       WHERE (grain = 'minute' AND at < now() - interval '2 hours') OR (grain = 'hour' AND at < now() - interval '30 days') FOR UPDATE SKIP LOCKED))`,
  )
}
