import type { PoolClient } from 'pg'
import type { Dataset } from '../dataset.ts'
import { type DayOfChanges, type Movement, noMovement, type PastRates } from './movement.ts'

/** Days before today to read: the last 30 days are today and 29 more. */
const lookBackDays = 30

const asOfSql = `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "asOf",
    to_char(day - interval '1 month', 'YYYY-MM-DD') AS "monthAgo", to_char(day - interval '1 year', 'YYYY-MM-DD') AS "yearAgo"
  FROM (SELECT max(at) AS at, (max(at) AT TIME ZONE 'Europe/London')::date AS day FROM market_import WHERE dataset = $1 AND added + changed + withdrawn > 0) last
  WHERE at IS NOT NULL`

// Index range scan at the end of the primary key.
const daysSql = `SELECT to_char(effective_date, 'YYYY-MM-DD') AS date, account_type AS "accountType",
    count(*) FILTER (WHERE direction = 'up')::int AS rises, count(*) FILTER (WHERE direction = 'down')::int AS cuts,
    count(*) FILTER (WHERE direction IN ('up', 'down', 'unchanged'))::int AS changes, count(*)::int AS updates
  FROM rate_change WHERE dataset = $1 AND effective_date >= $2::date - $3::int GROUP BY effective_date, account_type`

// Current rates minus the changes since: replaying history backwards gives the past rates, and reads only a year of changes, by primary key. A
// change that moves a product to another group is a withdrawal there and a launch here.
const pastSql = `WITH day (name, date) AS (VALUES ('monthAgo', $2::date), ('yearAgo', $3::date)),
  stood AS (
    SELECT name, account_type, provider_slug, term_months, is_known, sum(rate_bp) AS sum_bp, sum(count) AS count FROM (
      SELECT day.name, p.account_type, p.provider_slug, p.term_months, true AS is_known, p.rate_bp, 1 AS count
        FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug CROSS JOIN day
        WHERE p.dataset = $1 AND p.withdrawn_at IS NULL AND v.active
      UNION ALL
      SELECT day.name, r.account_type, r.provider_slug, p.term_months, p.source_key IS NOT NULL, coalesce(r.previous_rate_bp, 0) - coalesce(r.rate_bp, 0),
          num_nonnulls(r.previous_rate_bp) - num_nonnulls(r.rate_bp)
        FROM rate_change r JOIN day ON r.effective_date > day.date LEFT JOIN product p ON p.dataset = r.dataset AND p.source_key = r.source_key
        WHERE r.dataset = $1 AND r.effective_date > $3::date
    ) part GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) > 0)
  SELECT stood.name, account_type AS "accountType", term_months AS "termMonths", is_known AS "isTermKnown", sum(sum_bp)::float8 AS "sumBp",
    sum(count)::int AS count, array_agg(DISTINCT coalesce(v.licence_group, provider_slug)) AS institutions
  FROM stood LEFT JOIN provider v ON v.dataset = $1 AND v.slug = provider_slug GROUP BY 1, 2, 3, 4`

type AsOfRow = { asOf: string; monthAgo: string; yearAgo: string }

type PastRow = PastRates & { name: 'monthAgo' | 'yearAgo' }

/** Reads the history that the figures of a dataset need, aggregated by the database once per snapshot. `today` is the ISO date in London. */
export async function readMovement(client: PoolClient, dataset: Dataset, today: string): Promise<Movement> {
  const [last] = (await client.query<AsOfRow>(asOfSql, [dataset])).rows
  if (!last) return noMovement
  const { rows: days } = await client.query<DayOfChanges>(daysSql, [dataset, today, lookBackDays])
  const { rows: past } = await client.query<PastRow>(pastSql, [dataset, last.monthAgo, last.yearAgo])
  const getRates = (wanted: PastRow['name']) => past.flatMap(({ name, ...rates }) => (name === wanted ? [rates] : []))
  return { asOf: last.asOf, days, monthAgo: getRates('monthAgo'), yearAgo: getRates('yearAgo') }
}
