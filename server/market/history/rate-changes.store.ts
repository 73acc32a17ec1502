import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Reader } from '#server/db/replica.ts'
import { isoDay, isoTime } from '../decimal.ts'
import type { Dataset } from '../product.ts'
import type { ChangeKey, Direction } from './rate-change.ts'

/** Filter for changes. Omitted fields match everything; dates are inclusive. */
export type ChangeFilter = {
  readonly type?: ProductType | undefined
  readonly provider?: string | undefined
  readonly sourceKey?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type SubjectRow = {
  /** `bigint` as text. */
  seq: string
  source_key: string
  /** Null if the provider no longer exists. */
  provider: string | null
  provider_slug: string
  /** Null if the provider has no logo or is inactive. */
  colour: string | null
  account_name: string
  account_type: ProductType
  effective_date: string
}

export type ChangeRow = SubjectRow & {
  direction: Direction
  previous_rate_bp: number | null
  rate_bp: number | null
  previous_effective_date: string | null
  detected_at: string
}

export type PeriodRow = SubjectRow & {
  effective_to: string | null
  rate_bp: number
  base_rate_bp: number
  boost_rate_bp: number
  boost_duration: string | null
}

const subject = `r.seq, r.source_key, v.name AS provider, r.provider_slug, CASE WHEN v.active THEN v.colour END AS colour, r.account_name, r.account_type, ${isoDay('r.effective_date')}`

export const ofProvider = 'LEFT JOIN provider v ON v.dataset = r.dataset AND v.slug = r.provider_slug'

// Start day of the product's next row: one index lookup per row of the page.
const next = `LEFT JOIN LATERAL (SELECT n.effective_date AS effective_to FROM rate_change n
    WHERE n.dataset = r.dataset AND n.source_key = r.source_key AND (n.effective_date, n.seq) > (r.effective_date, r.seq)
    ORDER BY n.effective_date, n.seq LIMIT 1) n ON true`

export const changeColumns = `${subject}, r.direction, r.previous_rate_bp, r.rate_bp, ${isoDay('r.previous_effective_date')}, ${isoTime('r.detected_at')}`

const changes = `SELECT ${changeColumns} FROM rate_change r ${ofProvider} WHERE true`

const periods = `SELECT ${subject}, ${isoDay('n.effective_to')}, r.rate_bp, r.base_rate_bp, r.boost_rate_bp, r.boost_duration
  FROM rate_change r ${ofProvider} ${next} WHERE r.rate_bp IS NOT NULL`

/** WHERE conditions of a page with their values. */
function conditions(dataset: Dataset, filter: ChangeFilter, after: ChangeKey | null): readonly (readonly [condition: string, values: readonly unknown[]])[] {
  const { type, provider, sourceKey, from, to } = filter
  const all: readonly (readonly [condition: string, values: readonly unknown[]])[] = [
    ['r.dataset = ?', [dataset]],
    ['r.account_type = ?', [type]],
    ['r.provider_slug = ?', [provider]],
    ['r.source_key = ?', [sourceKey]],
    ['r.effective_date >= ?::date', [from]],
    ['r.effective_date <= ?::date', [to]],
    ['(r.effective_date, r.seq) < (?::date, ?::bigint)', [after?.effectiveDate, after?.seq]],
  ]
  return all.filter(([, values]) => !values.includes(undefined))
}

/** Appends the values to the statement's parameters and returns the numbered conditions. */
function toWhere(chosen: ReturnType<typeof conditions>, values: unknown[]): string {
  return chosen
    .map(([condition, given]) => {
      const queue = [...given]
      return condition.replace(/\?/g, () => `$${values.push(queue.shift())}`)
    })
    .join(' AND ')
}

const names = new Map<string, string>()

/** Returns the name under which each connection prepares a statement. There is one name per combination of conditions, so a few hundred at most. */
function getName(text: string): string {
  const name = names.get(text) ?? `history ${names.size}`
  names.set(text, name)
  return name
}

async function readPage<Row extends object>(db: Reader, select: string, dataset: Dataset, { filter, after, limit }: PageOfChanges): Promise<Row[]> {
  const values: unknown[] = [limit]
  const where = toWhere(conditions(dataset, filter, after), values)
  const text = `${select} AND ${where} ORDER BY r.effective_date DESC, r.seq DESC LIMIT $1`
  return (await db.query<Row>({ name: getName(text), text, values })).rows
}

export type PageOfChanges = { readonly filter: ChangeFilter; readonly after: ChangeKey | null; readonly limit: number }

export const readChanges = (db: Reader, dataset: Dataset, page: PageOfChanges): Promise<ChangeRow[]> => readPage(db, changes, dataset, page)

export const readPeriods = (db: Reader, dataset: Dataset, page: PageOfChanges): Promise<PeriodRow[]> => readPage(db, periods, dataset, page)

/** Change in the number of products that pay a given rate, at a step of a trend. Steps are counted back from the end. */
export type RateMoves = { accountType: ProductType; step: number; rateBp: number; count: number }

export type TrendWindow = {
  readonly filter: Pick<ChangeFilter, 'type' | 'provider' | 'sourceKey'>
  /** Last day, ISO date. */
  readonly to: string
  readonly stepDays: number
  /** Number of steps before the last day. */
  readonly steps: number
}

/**
 * Rates at the start of a window, and the changes since. Works backwards from the current rates, so that only the rows of the window are read. This is possible
 * because a product's current rate is always the rate of its newest history row.
 */
export async function readRateMoves(db: Reader, dataset: Dataset, { filter, to, stepDays, steps }: TrendWindow): Promise<RateMoves[]> {
  const values: unknown[] = [to, stepDays, steps]
  const where = toWhere(conditions(dataset, filter, null), values)
  const text = `WITH moves AS (
      SELECT r.account_type, greatest(0, ($1::date - r.effective_date) / $2::int) AS step, m.rate_bp, sum(m.count) AS count
      FROM rate_change r CROSS JOIN LATERAL (VALUES (r.rate_bp, 1), (r.previous_rate_bp, -1)) m(rate_bp, count)
      WHERE r.effective_date > $1::date - $2::int * $3::int AND m.rate_bp IS NOT NULL AND ${where} GROUP BY 1, 2, 3
    ), listed AS (
      SELECT r.account_type, r.rate_bp, count(*) AS count FROM product r JOIN provider v ON v.dataset = r.dataset AND v.slug = r.provider_slug
      WHERE r.withdrawn_at IS NULL AND v.active AND ${where} GROUP BY 1, 2
    )
    SELECT account_type AS "accountType", step, rate_bp AS "rateBp", count::int AS count FROM moves WHERE count <> 0
    UNION ALL
    SELECT account_type, $3::int, rate_bp, sum(count)::int FROM (SELECT * FROM listed UNION ALL SELECT account_type, rate_bp, -count FROM moves) first
    GROUP BY account_type, rate_bp HAVING sum(count) <> 0`
  return (await db.query<RateMoves>({ name: getName(text), text, values })).rows
}
