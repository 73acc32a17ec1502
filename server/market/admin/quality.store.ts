import type { Database } from '#server/db/prisma.ts'
import { bankRateSeries } from '../sources/boe-iadb.ts'

/** Thresholds for manual review of a rate, in basis points. Shown next to the rates they flag. */

/** Margin above Bank Rate that is implausible. Regular savers pay higher teaser rates on small balances. */
export const aboveBankRateBp = { regularSaver: 700, other: 300 } as const

/** A rate change of at least this size within this many days is more likely to be a misplaced digit than real. */
export const suddenMove = { leastBp: 150, days: 7 } as const

/** Maximum rows shown of each kind; further rows are only counted. */
export const maxShown = 50

/** Products served by the API. */
const served = `FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
  WHERE p.dataset = 'live' AND p.withdrawn_at IS NULL AND v.active`

const bankRateSql = `(SELECT (value * 100)::int FROM statistic WHERE series = '${bankRateSeries}' AND value IS NOT NULL ORDER BY date DESC LIMIT 1)`

const highSql = `p.rate_bp > ${bankRateSql} + CASE p.account_type WHEN 'regular-saver' THEN ${aboveBankRateBp.regularSaver} ELSE ${aboveBankRateBp.other} END`

// The latest change of a product gives its current rate. The date filter is an index range scan on the primary key.
const movedSql = `SELECT DISTINCT ON (r.source_key) r.source_key, r.account_name, r.previous_rate_bp, r.rate_bp, r.detected_at FROM rate_change r
  WHERE r.dataset = 'live' AND r.effective_date >= $1::date - ${suddenMove.days} AND r.rate_bp IS NOT NULL AND r.previous_rate_bp IS NOT NULL
    AND abs(r.rate_bp - r.previous_rate_bp) >= ${suddenMove.leastBp}
  ORDER BY r.source_key, r.effective_date DESC, r.seq DESC`

export type RateRow = { sourceKey: string; accountName: string; provider: string; accountType: string; rateBp: number; total: number }

export type MovedRow = { sourceKey: string; accountName: string; fromBp: number; toBp: number; at: Date; total: number }

const listed = `p.source_key AS "sourceKey", p.account_name AS "accountName", v.name AS provider, p.account_type AS "accountType", p.rate_bp AS "rateBp",
  count(*) OVER ()::int AS total`

/** Current Bank Rate in basis points; null if unknown. */
export async function readBankRate(pool: Database): Promise<number | null> {
  const { rows } = await pool.query<{ rate: number | null }>(`SELECT ${bankRateSql} AS rate`)
  return rows[0]?.rate ?? null
}

/** Rates too far above Bank Rate, highest first. */
export async function highRates(pool: Database, limit: number): Promise<RateRow[]> {
  return (await pool.query<RateRow>(`SELECT ${listed} ${served} AND ${highSql} ORDER BY p.rate_bp DESC, p.source_key LIMIT $1`, [limit])).rows
}

/** Served products with a zero rate. */
export async function zeroRates(pool: Database, limit: number): Promise<RateRow[]> {
  return (await pool.query<RateRow>(`SELECT ${listed} ${served} AND p.rate_bp = 0 ORDER BY p.source_key LIMIT $1`, [limit])).rows
}

/** Large recent moves, largest first. */
export async function suddenMoves(pool: Database, today: string, limit: number): Promise<MovedRow[]> {
  const { rows } = await pool.query<MovedRow>(
    `SELECT source_key AS "sourceKey", account_name AS "accountName", previous_rate_bp AS "fromBp", rate_bp AS "toBp", detected_at AS at, count(*) OVER ()::int AS total
     FROM (${movedSql}) m ORDER BY abs(rate_bp - previous_rate_bp) DESC, source_key LIMIT $2`,
    [today, limit],
  )
  return rows
}

export type ProviderRow = { slug: string; name: string; total: number }

/** Listed providers without a logo. */
export async function withoutLogo(pool: Database, limit: number): Promise<ProviderRow[]> {
  const { rows } = await pool.query<ProviderRow>(
    "SELECT slug, name, count(*) OVER ()::int AS total FROM provider WHERE dataset = 'live' AND active AND colour IS NULL ORDER BY name LIMIT $1",
    [limit],
  )
  return rows
}

/** Names of the listed providers, for matching brands. */
export async function readProviderNames(pool: Database): Promise<readonly { readonly slug: string; readonly name: string }[]> {
  const { rows } = await pool.query<{ slug: string; name: string }>(
    "SELECT slug, name FROM provider WHERE dataset = 'live' AND active ORDER BY slug LIMIT 10000",
  )
  return rows
}

/** Counts the implausible rates, and returns the time of the oldest. */
export async function countImplausible(pool: Database, today: string): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await pool.query<{ count: number; oldest: Date | null }>(
    `SELECT count(*)::int AS count, min(since) AS oldest FROM (
       SELECT p.source_key, p.updated_at AS since ${served} AND (p.rate_bp = 0 OR ${highSql})
       UNION ALL SELECT m.source_key, m.detected_at FROM (${movedSql}) m) fault`,
    [today],
  )
  return rows[0] ?? { count: 0, oldest: null }
}
