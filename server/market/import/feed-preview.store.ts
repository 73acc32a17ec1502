import type { PoolClient } from 'pg'
import type { FeedPreview, RateMove } from './feed-preview.ts'
import type { Outcome } from './table-feed.store.ts'

const maxListedMoves = 20

// The table only exists for product or provider feeds that change something.
const isMade = "SELECT to_regclass('pg_temp.market_move') IS NOT NULL AS made"

const movesSql = `SELECT source_key AS "sourceKey", now_account_name AS "accountName", was_rate_bp AS "fromBp", now_rate_bp AS "toBp" FROM market_move
  WHERE was AND now AND was_rate_bp <> now_rate_bp ORDER BY abs(now_rate_bp - was_rate_bp) DESC, source_key LIMIT ${maxListedMoves}`

/** Builds the preview of a feed in the transaction that compared it. */
export async function buildPreview(client: PoolClient, { rows, counts, changes, reasons }: Outcome & { readonly rows: number }): Promise<FeedPreview> {
  const { rows: tables } = await client.query<{ made: boolean }>(isMade)
  const rateMoves = tables[0]?.made === true ? (await client.query<RateMove>(movesSql)).rows : []
  return { rows, counts, changes, rateMoves, reasons }
}
