/** Reads aggregates and neighbouring rows of the rate history. Prisma has no lateral joins, window frames or sums over unions. */
import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Db } from '#server/db/prisma.ts'
import type { PastRates } from '../figures/movement.ts'
import type { Dataset } from '../product.ts'
import type { ChangeFilter, PageOfChanges, RatePeriod, TrendWindow } from './rate-change.ts'

/**
 * Conditions on rows `r`, with the dataset, type, provider and source key as the first four parameters. The planner removes the conditions whose parameter is
 * null.
 */
const matches = `r.dataset = $1 AND ($2::text IS NULL OR r.account_type = $2) AND ($3::text IS NULL OR r.provider_slug = $3)
  AND ($4::text IS NULL OR r.source_key = $4)`

const getMatched = (dataset: Dataset, { type, provider, sourceKey }: ChangeFilter) => [dataset, type, provider, sourceKey]

// Finding the start date of the product's next row costs one index lookup per row of the page.
const periodsSql = `SELECT r.seq::float8 AS seq, r.source_key AS "sourceKey", r.provider_slug AS "providerSlug", r.account_name AS "accountName",
    r.account_type AS "accountType", r.effective_date::text AS "effectiveDate", n.effective_date::text AS "effectiveTo", r.rate_bp AS "rateBp",
    r.base_rate_bp AS "baseRateBp", r.boost_rate_bp AS "boostRateBp", r.boost_duration AS "boostDuration"
  FROM rate_change r LEFT JOIN LATERAL (SELECT n.effective_date FROM rate_change n
    WHERE n.dataset = r.dataset AND n.source_key = r.source_key AND (n.effective_date, n.seq) > (r.effective_date, r.seq)
    ORDER BY n.effective_date, n.seq LIMIT 1) n ON true
  WHERE r.rate_bp IS NOT NULL AND ${matches} AND ($5::date IS NULL OR r.effective_date >= $5) AND ($6::date IS NULL OR r.effective_date <= $6)
    AND ($7::date IS NULL OR (r.effective_date, r.seq) < ($7, $8::bigint))
  ORDER BY r.effective_date DESC, r.seq DESC LIMIT $9`

type PeriodRow = Omit<RatePeriod, 'provider' | 'providerLogoPath'>

/** Reads periods with a constant rate, newest first. */
export async function readPeriods(db: Db, dataset: Dataset, { filter, after, limit }: PageOfChanges): Promise<PeriodRow[]> {
  const values = [...getMatched(dataset, filter), filter.from, filter.to, after?.effectiveDate, after?.seq, limit]
  return (await db.query<PeriodRow>(periodsSql, values)).rows
}

/** Change in the number of products that pay a given rate, at a step of a trend. Steps are counted back from the end. */
export type RateMoves = { accountType: ProductType; step: number; rateBp: number; count: number }

const movesSql = `WITH moves AS (
    SELECT r.account_type, greatest(0, ($5::date - r.effective_date) / $6::int) AS step, m.rate_bp, sum(m.count) AS count
    FROM rate_change r CROSS JOIN LATERAL (VALUES (r.rate_bp, 1), (r.previous_rate_bp, -1)) m(rate_bp, count)
    WHERE r.effective_date > $5::date - $6::int * $7::int AND m.rate_bp IS NOT NULL AND ${matches} GROUP BY 1, 2, 3
  ), listed AS (
    SELECT r.account_type, r.rate_bp, count(*) AS count FROM product r JOIN provider v ON v.dataset = r.dataset AND v.slug = r.provider_slug
    WHERE r.withdrawn_at IS NULL AND v.active AND ${matches} GROUP BY 1, 2
  )
  SELECT account_type AS "accountType", step, rate_bp AS "rateBp", count::int AS count FROM moves WHERE count <> 0
  UNION ALL
  SELECT account_type, $7::int, rate_bp, sum(count)::int FROM (SELECT * FROM listed UNION ALL SELECT account_type, rate_bp, -count FROM moves) first
  GROUP BY account_type, rate_bp HAVING sum(count) <> 0`

/**
 * Reads the rates at the start of a window, and all changes since then. Works backwards from the current rates, so that only rows within the window are read.
 * This is possible because a product's current rate is always the rate in its newest history row.
 */
export async function readRateMoves(db: Db, dataset: Dataset, { filter, to, stepDays, steps }: TrendWindow): Promise<RateMoves[]> {
  return (await db.query<RateMoves>(movesSql, [...getMatched(dataset, filter), to, stepDays, steps])).rows
}

// Undoing all changes since a day gives the rates on that day. This reads only a year of changes, by primary key. A change that moves a product to another
// group counts as a withdrawal from the old group and a launch in the new one.
const pastSql = `WITH last AS (SELECT ($2::timestamptz AT TIME ZONE 'Europe/London')::date AS day),
  day (name, date) AS (SELECT v.* FROM last, LATERAL (VALUES ('monthAgo', (day - interval '1 month')::date), ('yearAgo', (day - interval '1 year')::date)) v),
  stood AS (
    SELECT name, account_type, provider_slug, term_months, is_known, sum(rate_bp) AS sum_bp, sum(count) AS count FROM (
      SELECT day.name, p.account_type, p.provider_slug, p.term_months, true AS is_known, p.rate_bp, 1 AS count
        FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug CROSS JOIN day
        WHERE p.dataset = $1 AND p.withdrawn_at IS NULL AND v.active
      UNION ALL
      SELECT day.name, r.account_type, r.provider_slug, p.term_months, p.source_key IS NOT NULL, coalesce(r.previous_rate_bp, 0) - coalesce(r.rate_bp, 0),
          num_nonnulls(r.previous_rate_bp) - num_nonnulls(r.rate_bp)
        FROM rate_change r JOIN day ON r.effective_date > day.date LEFT JOIN product p ON p.dataset = r.dataset AND p.source_key = r.source_key
        WHERE r.dataset = $1 AND r.effective_date > (SELECT (day - interval '1 year')::date FROM last)
    ) part GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) > 0)
  SELECT stood.name, account_type AS "accountType", term_months AS "termMonths", is_known AS "isTermKnown", sum(sum_bp)::float8 AS "sumBp",
    sum(count)::int AS count, array_agg(DISTINCT coalesce(v.licence_group, provider_slug)) AS institutions
  FROM stood LEFT JOIN provider v ON v.dataset = $1 AND v.slug = provider_slug GROUP BY 1, 2, 3, 4`

type PastRow = PastRates & { name: 'monthAgo' | 'yearAgo' }

/** Reads the rates one month and one year before a time, by account type and term. */
export async function readPastRates(db: Db, dataset: Dataset, asOf: Date): Promise<Record<PastRow['name'], PastRates[]>> {
  const { rows } = await db.query<PastRow>(pastSql, [dataset, asOf])
  const getRates = (wanted: PastRow['name']) => rows.flatMap(({ name, ...rates }) => (name === wanted ? [rates] : []))
  return { monthAgo: getRates('monthAgo'), yearAgo: getRates('yearAgo') }
}

/** Large rate change. */
export type RateJump = { sourceKey: string; accountName: string; fromBp: number; toBp: number; at: Date }

const maxJumps = 10_000

// Keeps only the latest of these changes for each product. The date filter is an index range scan on the primary key.
const jumpsSql = `SELECT source_key AS "sourceKey", account_name AS "accountName", previous_rate_bp AS "fromBp", rate_bp AS "toBp", detected_at AS at FROM (
    SELECT DISTINCT ON (r.source_key) r.* FROM rate_change r
    WHERE r.dataset = $1 AND r.effective_date >= $2::date - $3::int AND abs(r.rate_bp - r.previous_rate_bp) >= $4
    ORDER BY r.source_key, r.effective_date DESC, r.seq DESC) m
  ORDER BY abs(rate_bp - previous_rate_bp) DESC, source_key LIMIT ${maxJumps}`

/** Reads each product's latest change of at least `leastBp` in the period that starts `days` days before `today`, largest change first. */
export async function readRateJumps(db: Db, dataset: Dataset, today: string, { leastBp, days }: { leastBp: number; days: number }): Promise<RateJump[]> {
  return (await db.query<RateJump>(jumpsSql, [dataset, today, days, leastBp])).rows
}
