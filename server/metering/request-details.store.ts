import type { Pool } from 'pg'

export type RequestDetailRow = { id: string; accountId: number; target: string; headers: Record<string, string>; message: string | null }

/** Inserts request details. Existing rows are left unchanged. */
export async function writeRequestDetails(pool: Pool, rows: readonly RequestDetailRow[]): Promise<void> {
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

/** Deletes up to `max` details that are older than 30 days and returns how many were deleted. */
export async function deleteRequestDetails(pool: Pool, max: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM request_detail WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM request_detail WHERE id < first_id_at(now() - interval '30 days') LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    [max],
  )
  return rowCount ?? 0
}
