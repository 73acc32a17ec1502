import { missing } from '#server/api/contract/errors.ts'
import { type CorrectionRow, type FoundRow, findProducts, providerName, readCorrections, readProductRow } from '../corrections/corrections.store.ts'
import { getLines, type PlannedLine, shownValue, type TypedTerms, terms, typedTerms } from '../corrections/plan-correction.ts'
import type { MarketDeps } from './market-deps.ts'

const pageSize = 50
const maxWords = 8
const correctionsShown = 20

export type ProductSearch = { readonly text: string; readonly isCorrected: boolean; readonly after: string }

/** Searches products that contain every word, 50 a page. `next` is the key of the last row, or null on the last page. */
export async function searchProducts({ pool }: MarketDeps, { text, isCorrected, after }: ProductSearch): Promise<{ rows: FoundRow[]; next: string | null }> {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
  const found = await findProducts(pool, words, isCorrected, after, pageSize + 1)
  const rows = found.slice(0, pageSize)
  return { rows, next: found.length > pageSize ? (rows.at(-1)?.sourceKey ?? null) : null }
}

/** Manual correction of a product. Lines show the terms before and after. */
export type Correction = {
  readonly isWithdrawal: boolean
  readonly lines: readonly PlannedLine[]
  /** Differences between the corrected terms and the current feed; null if the feed no longer lists the product. */
  readonly feedSays: readonly PlannedLine[] | null
  readonly reason: string
  readonly begunAt: Date
  readonly by: string
  readonly endsAt: Date | null
  readonly endedAt: Date | null
  readonly endedBy: string | null
}

export type AdminProduct = {
  readonly sourceKey: string
  readonly provider: string
  readonly accountName: string
  readonly accountType: string
  readonly isWithdrawn: boolean
  /** Version of the product (`updated_at`) that a correction must match. */
  readonly seen: string
  readonly typed: TypedTerms
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly correction: Correction | null
  readonly former: readonly Correction[]
}

function toCorrection(row: CorrectionRow): Correction {
  return {
    isWithdrawal: row.is_withdrawal,
    lines: getLines(row.was, row.changes),
    feedSays: row.feed && getLines(row.changes, row.feed),
    reason: row.reason,
    begunAt: row.started_at,
    by: row.started_by,
    endsAt: row.ends_at,
    endedAt: row.ended_at,
    endedBy: row.ended_by,
  }
}

/** Returns a live product with its manual corrections. @throws if it doesn't exist. */
export async function getAdminProduct({ pool }: MarketDeps, sourceKey: string): Promise<AdminProduct> {
  const row = await readProductRow(pool, 'live', sourceKey)
  if (!row) throw missing('product', sourceKey)
  const slug = String(row['provider_slug'])
  const [name, corrections] = await Promise.all([providerName(pool, slug), readCorrections(pool, 'live', sourceKey, correctionsShown)])
  const shown = corrections.map(toCorrection)
  return {
    sourceKey,
    provider: name ?? slug,
    accountName: String(row['account_name']),
    accountType: String(row['account_type']),
    isWithdrawn: row['withdrawn_at'] !== null,
    seen: String(row['updated_at']),
    typed: typedTerms(row),
    facts: Object.values(terms).map(({ label, column }) => ({ label, value: shownValue(column, row[column]) })),
    correction: shown.find(({ endedAt }) => endedAt === null) ?? null,
    former: shown.filter(({ endedAt }) => endedAt !== null),
  }
}
