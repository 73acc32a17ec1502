/** SQL that applies manual corrections to the products of a feed. $1 is the dataset. */

/** Correctable columns of a product, with their types. Columns that depend on each other are corrected together, so that they stay consistent with any feed. */
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

/** Stores the feed's values for corrected products. */
export const keepFeed = `UPDATE product_correction c SET feed = to_jsonb(f) - 'line' FROM market_feed f
  WHERE ${corrected} AND c.feed IS DISTINCT FROM to_jsonb(f) - 'line'`

/** Clears the stored feed row of corrected products that are missing from a complete feed, because a complete feed withdraws the products that it omits. */
export const forgetFeed = `UPDATE product_correction c SET feed = NULL WHERE c.dataset = $1 AND c.ended_at IS NULL AND c.feed IS NOT NULL
  AND NOT EXISTS (SELECT FROM market_feed f WHERE f.source_key = c.source_key)`

const assignments = Object.entries(columns).map(
  ([name, type]) => `${name} = CASE WHEN c.changes ? '${name}' THEN (c.changes ->> '${name}')::${type} ELSE f.${name} END`,
)

/** Replaces the corrected columns. */
export const layOver = `UPDATE market_feed f SET ${assignments.join(', ')} FROM product_correction c WHERE ${corrected} AND NOT c.is_withdrawal`

/** Removes the products that an administrator has withdrawn. */
export const leaveOut = `DELETE FROM market_feed f USING product_correction c WHERE ${corrected} AND c.is_withdrawal`

/** Withdraws the products that an administrator has withdrawn and that are still listed, even if the feed is partial. */
export const withdrawCorrected = `INSERT INTO market_diff (key, change)
  SELECT t.source_key, 'withdrawn' FROM product_correction c JOIN product t ON t.dataset = c.dataset AND t.source_key = c.source_key
  WHERE c.dataset = $1 AND c.ended_at IS NULL AND c.is_withdrawal AND t.withdrawn_at IS NULL ON CONFLICT (key) DO NOTHING`
