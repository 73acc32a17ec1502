import type { PoolClient } from 'pg'

/** The columns of a product that can be put right by hand, with their types. Those of a group are corrected together, so that no feed can contradict them. */
const columns = {
  account_name: 'text',
  rate_bp: 'int',
  base_rate_bp: 'int',
  boost_rate_bp: 'int',
  boost_duration: 'text',
  min_balance_pence: 'bigint',
  max_balance_pence: 'bigint',
} as const

export type CorrectedColumn = keyof typeof columns

const corrected = 'c.dataset = $1 AND c.ended_at IS NULL AND f.source_key = c.source_key'

const keepFeed = `UPDATE product_correction c SET feed = to_jsonb(f) - 'line' FROM market_feed f
  WHERE ${corrected} AND c.feed IS DISTINCT FROM to_jsonb(f) - 'line'`

/** A complete feed that leaves a product out has withdrawn it. */
const forgetFeed = `UPDATE product_correction c SET feed = NULL WHERE c.dataset = $1 AND c.ended_at IS NULL AND c.feed IS NOT NULL
  AND NOT EXISTS (SELECT FROM market_feed f WHERE f.source_key = c.source_key)`

const assignments = Object.entries(columns).map(
  ([name, type]) => `${name} = CASE WHEN c.changes ? '${name}' THEN (c.changes ->> '${name}')::${type} ELSE f.${name} END`,
)

const layOver = `UPDATE market_feed f SET ${assignments.join(', ')} FROM product_correction c WHERE ${corrected} AND NOT c.is_withdrawal`

const leaveOut = `DELETE FROM market_feed f USING product_correction c WHERE ${corrected} AND c.is_withdrawal`

const standingSql = 'SELECT 1 FROM product_correction WHERE dataset = $1 AND ended_at IS NULL LIMIT 1'

/**
 * Lays what was corrected by hand over the products of a feed that stands in `market_feed`, and keeps what the feed itself says of them. So the comparison
 * sees the market as it is to be: a correction is neither undone by an import nor told of again.
 */
export async function layCorrections(client: PoolClient, dataset: string, isComplete: boolean): Promise<void> {
  const { rowCount } = await client.query(standingSql, [dataset])
  if (!rowCount) return
  await client.query(keepFeed, [dataset])
  if (isComplete) await client.query(forgetFeed, [dataset])
  await client.query(layOver, [dataset])
  await client.query(leaveOut, [dataset])
}

/** Withdraws what was withdrawn by hand and is listed, also where the feed is not complete. */
export async function withdrawCorrected(client: PoolClient, dataset: string): Promise<void> {
  await client.query(
    `INSERT INTO market_diff (key, change)
     SELECT t.source_key, 'withdrawn' FROM product_correction c JOIN product t ON t.dataset = c.dataset AND t.source_key = c.source_key
     WHERE c.dataset = $1 AND c.ended_at IS NULL AND c.is_withdrawal AND t.withdrawn_at IS NULL ON CONFLICT (key) DO NOTHING`,
    [dataset],
  )
}
