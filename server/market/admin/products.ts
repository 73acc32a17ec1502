import type { Prisma } from '#server/db/generated/client.ts'
import { readProductRow } from '../corrections/correct-product.ts'
import { getLines, shownValue, terms, typedTerms } from '../corrections/plan-correction.ts'
import type { StoredRow } from '../import/row-change.ts'
import type { MarketDeps } from './market-deps.ts'

const pageSize = 50
const maxWords = 8
const correctionsShown = 20

export type ProductSearch = { readonly text: string; readonly isCorrected: boolean; readonly after: string }

/** Matches products that contain a word in the key, the name, the provider or the type. The backslashes escape wildcards. */
function containsWord(word: string): Prisma.ProductWhereInput {
  const text = { contains: word.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const
  return { OR: [{ sourceKey: text }, { accountName: text }, { accountType: text }, { provider: { name: text } }] }
}

const maxCorrections = 10_000

/**
 * Searches for listed and withdrawn products in the live market that contain every word, 50 per page. `next` is the key of the last row, or null on the last
 * page.
 */
export async function searchProducts({ pool: db }: MarketDeps, { text, isCorrected, after }: ProductSearch) {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
  const active = { dataset: 'live', endedAt: null } as const
  const corrections = await db.productCorrection.findMany({ where: active, take: maxCorrections, select: { sourceKey: true } })
  const corrected = new Set(corrections.map(({ sourceKey }) => sourceKey))
  const found = await db.product.findMany({
    where: { dataset: 'live', sourceKey: { gt: after, ...(isCorrected ? { in: [...corrected] } : {}) }, AND: words.map(containsWord) },
    orderBy: { sourceKey: 'asc' },
    take: pageSize + 1,
    select: {
      ...({ sourceKey: true, accountName: true, accountType: true, rateBp: true, withdrawnAt: true } as const),
      provider: { select: { name: true, active: true } },
    },
  })
  const rows = found.slice(0, pageSize).map(({ provider, withdrawnAt, ...row }) => ({
    ...row,
    provider: provider.name,
    isListed: withdrawnAt === null && provider.active,
    isCorrected: corrected.has(row.sourceKey),
  }))
  return { rows, next: found.length > pageSize ? (rows.at(-1)?.sourceKey ?? null) : null }
}

/**
 * Returns a manual correction of a product. `lines` shows the terms before and after the correction. `feedSays` has the differences between the corrected terms
 * and the current feed; it is null if the feed no longer lists the product.
 */
function toCorrection(row: Prisma.ProductCorrectionModel) {
  const [changes, was, feed] = [row.changes, row.was, row.feed] as [StoredRow, StoredRow, StoredRow | null]
  const { isWithdrawal, reason, startedAt: begunAt, startedBy: by, endsAt, endedAt, endedBy } = row
  return { isWithdrawal, lines: getLines(was, changes), feedSays: feed && getLines(changes, feed), reason, begunAt, by, endsAt, endedAt, endedBy }
}

/** Returns a live product with its manual corrections. @throws if it doesn't exist. */
export async function getAdminProduct({ pool: db }: MarketDeps, sourceKey: string) {
  const dataset = 'live'
  const row = await readProductRow(db, sourceKey)
  const slug = String(row['provider_slug'])
  const [provider, corrections] = await Promise.all([
    db.provider.findUnique({ where: { dataset_slug: { dataset, slug } }, select: { name: true } }),
    db.productCorrection.findMany({ where: { dataset, sourceKey }, orderBy: { id: 'desc' }, take: correctionsShown }),
  ])
  const shown = corrections.map(toCorrection)
  return {
    sourceKey,
    provider: provider?.name ?? slug,
    accountName: String(row['account_name']),
    accountType: String(row['account_type']),
    isWithdrawn: row['withdrawn_at'] !== null,
    /** Version of the product as loaded. A correction is accepted only if it still matches. */
    seen: String(row['updated_at']),
    typed: typedTerms(row),
    facts: Object.values(terms).map(({ label, column }) => ({ label, value: shownValue(column, row[column]) })),
    correction: shown.find(({ endedAt }) => endedAt === null) ?? null,
    former: shown.filter(({ endedAt }) => endedAt !== null),
  }
}
