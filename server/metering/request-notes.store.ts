import type { Pool } from 'pg'

export type RequestDetailRow = { id: string; accountId: number; target: string; headers: Record<string, string>; message: string | null }

/** Writes what was noted of some requests. A request that is noted already stays as it is. */
export async function keepDetails(pool: Pool, rows: readonly RequestDetailRow[]): Promise<void> {
  await pool.query({
    name: 'keep-request-details',
    text: `INSERT INTO request_detail (account_id, id, target, headers, message)
           SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[]) ON CONFLICT DO NOTHING`,
    values: [
      rows.map((row) => row.accountId),
      rows.map((row) => row.id),
      rows.map((row) => row.target),
      rows.map((row) => JSON.stringify(row.headers)),
      rows.map((row) => row.message),
    ],
  })
}

/** Removes what is older than thirty days, at most so many rows; returns how many. */
export async function forgetDetails(pool: Pool, most: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM request_detail WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM request_detail WHERE id < first_id_at(now() - interval '30 days') LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    [most],
  )
  return rowCount ?? 0
}
