import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { dayMs } from '#server/api/contract/dates.ts'
import { missing } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { MarketDeps } from '../admin/market-deps.ts'
import { BusyError, hasChanges, recordImport, takeImportLock } from '../import/apply-feed.ts'
import type { StoredRow } from '../import/row-change.ts'
import { stageProduct } from '../import/stage-feed.sql.ts'
import { applyTableFeed } from '../import/table-feed.sql.ts'
import { byColumn } from '../market-rows.ts'
import { bumpMarketVersion } from '../market-version.ts'
import { isDay, londonDay, londonMidnight } from '../sources/calendar.ts'
import { type CorrectedValues, type Plan, planCorrection, type TypedTerms } from './plan-correction.ts'

/** Administrator making a correction: the audit context and the public id stored with the correction. */
export type Corrector = { readonly actor: AdminActor; readonly publicId: string }

/**
 * Product to correct, its `updated_at` when the administrator loaded it, and the last day (London) of the correction. If `until` is empty, the correction lasts
 * until it is ended manually.
 */
export type CorrectionAsked = { readonly sourceKey: string; readonly seen: string; readonly until: string }

/** Seconds to wait for a running import to finish. Short, because either an administrator is waiting, or the caller is a job that retries. */
const waitSeconds = 2

const dataset = 'live'

/** Returns a live product as a row keyed by column name. @throws if the product doesn't exist. */
export async function readProductRow(db: Db, sourceKey: string): Promise<StoredRow> {
  const product = await db.product.findUnique({ where: { dataset_sourceKey: { dataset, sourceKey } } })
  if (!product) throw missing('product', sourceKey)
  return byColumn(product)
}

/** Returns the id of the active correction of a product; undefined if there is none. */
async function findActive(tx: Transaction, sourceKey: string): Promise<number | undefined> {
  return (await tx.productCorrection.findFirst({ where: { dataset, sourceKey, endedAt: null }, select: { id: true } }))?.id
}

/** Applies a product as an import of that product alone would, with history, events and a new market version. */
async function applyProduct(tx: Transaction, sourceKey: string, row: StoredRow): Promise<void> {
  await stageProduct(tx, row)
  const { counts, changedAt } = await applyTableFeed(
    tx,
    'product',
    { dataset, fileName: 'correction', partial: true, isSeed: false, isQuiet: false },
    () => undefined,
  )
  // Recording the correction updates the date of the market figures, and the market no longer counts as seed data.
  await recordImport(tx, { dataset, kind: 'correction', fileName: sourceKey, sha256: '', isSeed: false }, 1, { counts: { ...counts, added: 0 }, changedAt })
  if (hasChanges(counts)) await bumpMarketVersion(tx)
}

/** Runs `work` while holding the import lock. */
async function withImportLock<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await inTransaction(db, async (tx) => {
      await takeImportLock(tx, waitSeconds)
      return await work(tx)
    })
  } catch (error) {
    if (error instanceof BusyError) throw new FieldsError({ form: error.message })
    throw error
  }
}

function lastDay(until: string, now: number): string | null {
  if (until.trim() === '') return null
  if (!isDay(until.trim())) throw new FieldsError({ until: 'Enter a date such as 2027-03-01, or leave this empty.' })
  if (until.trim() < londonDay(now)) throw new FieldsError({ until: 'The last day must be today or later.' })
  return until.trim()
}

/** Loads a product and checks that it can be corrected. */
async function open(tx: Transaction, { sourceKey, seen }: CorrectionAsked): Promise<StoredRow> {
  const product = await readProductRow(tx, sourceKey)
  if ((await findActive(tx, sourceKey)) !== undefined) throw new FieldsError({ form: 'This product already has a correction. End it first.' })
  if (product['withdrawn_at'] !== null) throw new FieldsError({ form: 'This product is already withdrawn.' })
  if (Date.parse(String(product['updated_at'])) !== Date.parse(seen)) {
    throw new FieldsError({ form: 'This product has changed since you loaded it. Reload the page and try again.' })
  }
  return product
}

/** Changes of a correction; null `changes` means that the product is withdrawn. `was` contains the values before the correction. */
type Planned = { readonly changes: CorrectedValues | null; readonly was: CorrectedValues }

async function begin(
  deps: MarketDeps,
  by: Corrector,
  asked: CorrectionAsked,
  action: 'product.correct' | 'product.withdraw',
  plan: (product: StoredRow) => Planned,
): Promise<void> {
  const now = deps.now()
  const until = lastDay(asked.until, now)
  await withImportLock(deps.pool, async (tx) => {
    const product = await open(tx, asked)
    const { changes, was } = plan(product)
    const { sourceKey } = asked
    const endsAt = until === null ? null : new Date(londonMidnight(Date.parse(until) + dayMs))
    const origin = { dataset, sourceKey, reason: by.actor.reason, startedAt: new Date(now), startedBy: by.publicId, endsAt }
    const values = { isWithdrawal: changes === null, changes: (changes ?? {}) as Prisma.InputJsonObject, was: was as Prisma.InputJsonObject }
    await tx.productCorrection.create({ data: { ...origin, ...values }, select: { id: true } })
    await applyProduct(tx, sourceKey, product)
    const after = { ...(changes ?? { withdrawn: true }), until }
    await writeAudit(tx, { ...by.actor, accountId: null, action, subject: sourceKey, before: changes === null ? { withdrawn: false } : was, after })
  })
}

/** Corrects the terms of a product manually. @throws FieldsError if they break the feed rules. */
export async function correctProduct(deps: MarketDeps, by: Corrector, asked: CorrectionAsked & TypedTerms): Promise<void> {
  await begin(deps, by, asked, 'product.correct', (product) => planCorrection(product, asked))
}

/** Withdraws a product manually, overriding the feed. */
export async function withdrawProduct(deps: MarketDeps, by: Corrector, asked: CorrectionAsked): Promise<void> {
  await begin(deps, by, asked, 'product.withdraw', () => ({ changes: null, was: {} }))
}

/**
 * Ends a correction and restores the feed's values; the product stays withdrawn if the feed no longer lists it. `by` is null if the correction
 * expired. The caller holds the import lock.
 */
async function endCorrection(tx: Transaction, id: number, endedAt: Date, endedBy: string | null): Promise<void> {
  const [ended] = await tx.productCorrection.updateManyAndReturn({
    where: { id, endedAt: null },
    data: { endedAt, endedBy },
    select: { sourceKey: true, feed: true },
  })
  if (ended?.feed) await applyProduct(tx, ended.sourceKey, ended.feed as StoredRow)
}

/** Ends the correction of a product and restores the feed's values. */
export async function endProductCorrection({ pool: db, now }: MarketDeps, by: Corrector, sourceKey: string): Promise<void> {
  await withImportLock(db, async (tx) => {
    const id = await findActive(tx, sourceKey)
    if (id === undefined) throw new FieldsError({ form: 'This product has no active correction.' })
    await endCorrection(tx, id, new Date(now()), by.publicId)
    await writeAudit(tx, { ...by.actor, accountId: null, action: 'product.end-correction', subject: sourceKey })
  })
}

/** Previews the changes of a correction. @throws FieldsError if the terms break the feed rules. */
export async function previewCorrection({ pool: db }: MarketDeps, sourceKey: string, typed: TypedTerms): Promise<Plan> {
  return planCorrection(await readProductRow(db, sourceKey), typed)
}

/** Returns the correction that expired first; null if none has expired. */
const findDue = (db: Db, at: Date) =>
  db.productCorrection.findFirst({
    where: { endedAt: null, endsAt: { lte: at } },
    orderBy: [{ endsAt: 'asc' }, { id: 'asc' }],
    select: { id: true, sourceKey: true },
  })

/** Ends the correction that expired first; returns false if none has expired. @throws BusyError if an import is running. */
async function endOneDue(db: Database, at: Date): Promise<boolean> {
  if ((await findDue(db, at)) === null) return false
  return await inTransaction(db, async (tx) => {
    await takeImportLock(tx, waitSeconds)
    // Check again under the lock: another process may have ended it.
    const due = await findDue(tx, at)
    if (!due) return false
    await endCorrection(tx, due.id, at, null)
    await writeAudit(tx, { actor: 'service', accountId: null, action: 'product.end-correction', subject: due.sourceKey })
    return true
  })
}

/** Ends all expired corrections, one transaction each, and returns how many. If an import is running, the rest wait for the next run. */
export async function endDueCorrections(db: Database, now: number, signal?: AbortSignal): Promise<number> {
  let ended = 0
  try {
    while (!signal?.aborted && (await endOneDue(db, new Date(now)))) ended += 1
  } catch (error) {
    if (!(error instanceof BusyError)) throw error
  }
  return ended
}
