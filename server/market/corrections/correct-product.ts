import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { missing } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { MarketDeps } from '../admin/market-deps.ts'
import { BusyError, takeImportLock } from '../import/import.store.ts'
import type { StoredRow } from '../import/row-change.ts'
import { isDay, londonDay } from '../sources/calendar.ts'
import { beginCorrection, dueCorrection, endCorrection, lockActiveCorrection, type NewCorrection, readProductRow } from './corrections.store.ts'
import { type Plan, planCorrection, type TypedTerms } from './plan-correction.ts'

/** Administrator making a correction: the audit context and the public id stored with the correction. */
export type Corrector = { readonly actor: AdminActor; readonly publicId: string }

/**
 * Product to correct, its `updated_at` when the administrator loaded it, and the last day (London) of the correction. An empty `until` means until
 * it is ended manually.
 */
export type CorrectionAsked = { readonly sourceKey: string; readonly seen: string; readonly until: string }

/** Seconds to wait for a running import to finish. Short, because either an administrator is waiting, or the caller is a job that retries. */
const waitSeconds = 2

const live = 'live'

/** Runs `work` while holding the import lock. */
async function withImportLock<Result>(pool: Database, work: (client: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await inTransaction(pool, async (client) => {
      await takeImportLock(client, waitSeconds)
      return await work(client)
    })
  } catch (error) {
    if (error instanceof BusyError) throw new FieldsError({ form: error.message })
    throw error
  }
}

function lastDay(until: string, now: number): string | null {
  if (until.trim() === '') return null
  if (!isDay(until.trim())) throw new FieldsError({ until: 'Enter a valid date or leave it empty.' })
  if (until.trim() < londonDay(now)) throw new FieldsError({ until: 'The last day must be today or later.' })
  return until.trim()
}

/** Loads a product and checks that it can be corrected. */
async function open(client: Transaction, { sourceKey, seen }: CorrectionAsked): Promise<StoredRow> {
  const product = await readProductRow(client, live, sourceKey)
  if (!product) throw missing('product', sourceKey)
  if ((await lockActiveCorrection(client, live, sourceKey)) !== null) throw new FieldsError({ form: 'This product already has a correction. End it first.' })
  if (product['withdrawn_at'] !== null) throw new FieldsError({ form: 'This product is already withdrawn.' })
  if (product['updated_at'] !== seen) throw new FieldsError({ form: 'This product has changed since you loaded it. Reload the page and try again.' })
  return product
}

type Planned = Pick<NewCorrection, 'changes' | 'was'>

async function begin(deps: MarketDeps, by: Corrector, asked: CorrectionAsked, action: string, plan: (product: StoredRow) => Planned): Promise<void> {
  const until = lastDay(asked.until, deps.now())
  await withImportLock(deps.pool, async (client) => {
    const { changes, was } = plan(await open(client, asked))
    const { sourceKey } = asked
    await beginCorrection(client, { dataset: live, sourceKey, changes, was, reason: by.actor.reason, by: by.publicId, until })
    const after = { ...(changes ?? { withdrawn: true }), until }
    await writeAudit(client, { ...by.actor, accountId: null, action, subject: sourceKey, before: changes === null ? { withdrawn: false } : was, after })
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

/** Ends the correction of a product and restores the feed's values. */
export async function endProductCorrection(deps: MarketDeps, by: Corrector, sourceKey: string): Promise<void> {
  await withImportLock(deps.pool, async (client) => {
    const id = await lockActiveCorrection(client, live, sourceKey)
    if (id === null) throw new FieldsError({ form: 'This product has no active correction.' })
    await endCorrection(client, id, by.publicId)
    await writeAudit(client, { ...by.actor, accountId: null, action: 'product.end-correction', subject: sourceKey })
  })
}

/** Previews the changes of a correction. @throws FieldsError if the terms break the feed rules. */
export async function previewCorrection({ pool }: MarketDeps, sourceKey: string, typed: TypedTerms): Promise<Plan> {
  const product = await readProductRow(pool, live, sourceKey)
  if (!product) throw missing('product', sourceKey)
  return planCorrection(product, typed)
}

/** Ends the correction that expired first; returns false if none has expired. @throws BusyError if an import is running. */
async function endOneDue(pool: Database, at: string): Promise<boolean> {
  if ((await dueCorrection(pool, at)) === undefined) return false
  return await inTransaction(pool, async (client) => {
    await takeImportLock(client, waitSeconds)
    // Check again under the lock: another process may have ended it.
    const due = await dueCorrection(client, at)
    if (!due) return false
    await endCorrection(client, due.id, null)
    await writeAudit(client, { actor: 'service', accountId: null, action: 'product.end-correction', subject: due.source_key })
    return true
  })
}

/** Ends all expired corrections, one transaction each, and returns how many. If an import is running, the rest wait for the next run. */
export async function endDueCorrections(pool: Database, now: number, signal?: AbortSignal): Promise<number> {
  let ended = 0
  try {
    while (!signal?.aborted && (await endOneDue(pool, new Date(now).toISOString()))) ended += 1
  } catch (error) {
    if (!(error instanceof BusyError)) throw error
  }
  return ended
}
