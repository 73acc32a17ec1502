import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Database } from '#server/db/prisma.ts'
import { isoDay } from './decimal.ts'
import type { Dataset } from './product.ts'
import { type ProductRow, type ProviderRow, productColumns, providerColumns } from './snapshot.store.ts'

export type FormerProductRow = ProductRow & { withdrawn_on: string }

/** Returns a product that is no longer listed; undefined if it is listed or never existed. Products of an inactive provider aren't listed. */
export async function readFormerProduct(pool: Database, dataset: Dataset, sourceKey: string): Promise<FormerProductRow | undefined> {
  const { rows } = await pool.query<FormerProductRow>(
    `SELECT ${productColumns}, to_char(coalesce(p.withdrawn_at, v.updated_at) AT TIME ZONE 'Europe/London', 'YYYY-MM-DD') AS withdrawn_on
     FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     WHERE p.dataset = $1 AND p.source_key = $2 AND (p.withdrawn_at IS NOT NULL OR NOT v.active)`,
    [dataset, sourceKey],
  )
  return rows[0]
}

/** Returns a provider, active or not. */
export async function readProvider(pool: Database, dataset: Dataset, slug: string): Promise<(ProviderRow & { active: boolean }) | undefined> {
  const { rows } = await pool.query<ProviderRow & { active: boolean }>(`SELECT ${providerColumns}, active FROM provider WHERE dataset = $1 AND slug = $2`, [
    dataset,
    slug,
  ])
  return rows[0]
}

export type LastChangeRow = {
  provider_slug: string
  /** Null if the provider no longer exists. */
  provider: string | null
  colour: string | null
  account_name: string
  account_type: ProductType
  /** Last rate of the product, even if this row is its withdrawal. */
  rate_bp: number
  effective_date: string
}

/** Latest change of a product that only exists in history, because it was withdrawn before the dataset stored products. */
export async function readLastChange(pool: Database, dataset: Dataset, sourceKey: string): Promise<LastChangeRow | undefined> {
  const { rows } = await pool.query<LastChangeRow>(
    `SELECT r.provider_slug, v.name AS provider, v.colour, r.account_name, r.account_type, coalesce(r.rate_bp, r.previous_rate_bp) AS rate_bp,
       ${isoDay('r.effective_date')}
     FROM rate_change r LEFT JOIN provider v ON v.dataset = r.dataset AND v.slug = r.provider_slug
     WHERE r.dataset = $1 AND r.source_key = $2 AND NOT EXISTS (SELECT FROM product p WHERE p.dataset = $1 AND p.source_key = $2)
     ORDER BY r.effective_date DESC, r.seq DESC LIMIT 1`,
    [dataset, sourceKey],
  )
  return rows[0]
}

export type RateStepRow = { date: string; rate_bp: number | null; base_rate_bp: number | null; boost_rate_bp: number | null }

/** Maximum steps read. Even a rate that changes on every working day has fewer in a year. */
const maxSteps = 300

/** Rate of a product on a given day and all later rates, oldest first. A null rate is a withdrawal. */
export async function readRateSteps(pool: Database, dataset: Dataset, sourceKey: string, since: string): Promise<RateStepRow[]> {
  const { rows } = await pool.query<RateStepRow>(
    `SELECT to_char(effective_date, 'YYYY-MM-DD') AS date, rate_bp, base_rate_bp, boost_rate_bp FROM (
       (SELECT * FROM rate_change WHERE dataset = $1 AND source_key = $2 AND effective_date > $3::date ORDER BY effective_date DESC, seq DESC LIMIT ${maxSteps})
       UNION ALL
       (SELECT * FROM rate_change WHERE dataset = $1 AND source_key = $2 AND effective_date <= $3::date ORDER BY effective_date DESC, seq DESC LIMIT 1)
     ) step ORDER BY effective_date, seq`,
    [dataset, sourceKey, since],
  )
  return rows
}
