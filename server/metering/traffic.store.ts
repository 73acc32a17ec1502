import type { Pool } from 'pg'

export type TrafficRow = { at: Date; requests: number; refused: number; failed: number }

const sums = `sum(requests)::float8 AS requests, coalesce(sum(requests) FILTER (WHERE status BETWEEN 400 AND 499), 0)::float8 AS refused,
  coalesce(sum(requests) FILTER (WHERE status >= 500), 0)::float8 AS failed`

/** Returns requests of the last hour by minute, newest first. Minutes without requests are left out. */
export async function readMinutes(pool: Pool): Promise<TrafficRow[]> {
  const { rows } = await pool.query<TrafficRow>(
    `SELECT at, ${sums} FROM service_traffic WHERE grain = 'minute' AND at > now() - interval '1 hour' GROUP BY at ORDER BY at DESC LIMIT 60`,
  )
  return rows
}

/** Returns requests of the last day by hour, including the current one, newest first. Hours without requests are left out. */
export async function readHours(pool: Pool): Promise<TrafficRow[]> {
  const { rows } = await pool.query<TrafficRow>(
    `SELECT at, ${sums} FROM service_traffic WHERE grain = 'hour' AND at > now() - interval '24 hours' GROUP BY at ORDER BY at DESC LIMIT 24`,
  )
  return rows
}

export type LatencyRow = { bucket: number; hour: number; day: number }

/** Returns latency histograms of the last hour and the last day. */
export async function readTrafficLatency(pool: Pool): Promise<LatencyRow[]> {
  const { rows } = await pool.query<LatencyRow>(
    `SELECT bucket::int AS bucket, coalesce(sum(requests) FILTER (WHERE grain = 'minute'), 0)::float8 AS hour,
       coalesce(sum(requests) FILTER (WHERE grain = 'hour'), 0)::float8 AS day
     FROM service_traffic WHERE (grain = 'minute' AND at > now() - interval '1 hour') OR (grain = 'hour' AND at > now() - interval '24 hours') GROUP BY bucket`,
  )
  return rows
}

/** Returns the time up to which the log has been aggregated. */
export async function readAggregatedUntil(pool: Pool): Promise<Date | null> {
  return (await pool.query<{ as_of: Date }>('SELECT as_of FROM usage_progress')).rows[0]?.as_of ?? null
}

/** Deletes minutes and hours that are no longer shown. */
export async function deleteTraffic(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM service_traffic WHERE ctid = ANY (ARRAY(SELECT ctid FROM service_traffic
       WHERE (grain = 'minute' AND at < now() - interval '2 hours') OR (grain = 'hour' AND at < now() - interval '30 days') FOR UPDATE SKIP LOCKED))`,
  )
}
