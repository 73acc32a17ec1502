import type { Pool, PoolClient } from 'pg'
import { type Deed, writeAudit } from '../../accounts/audit.ts'
import { missing } from '../../contract/errors.ts'
import { FieldsError } from '../../contract/field-errors.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { MarketRoom } from '../desk/market-room.ts'
import { BusyError, waitForTurn } from '../import/import.store.ts'
import type { StoredRow } from '../import/row-change.ts'
import { isDay, londonDay } from '../sources/calendar.ts'
import { beginCorrection, dueCorrection, endCorrection, type NewCorrection, readProductRow, standingCorrection } from './corrections.store.ts'
import { type Plan, planCorrection, type TypedTerms } from './plan-correction.ts'

/** Who puts something right: the deed for the audit log, and the public id that stands with the correction. */
export type Corrector = { readonly deed: Deed; readonly publicId: string }

/** About which product, as it was when whoever asks looked at it, and until which day in London; empty: until it is ended by hand. */
export type CorrectionAsked = { readonly sourceKey: string; readonly seen: string; readonly until: string }

/** An import that is under way is waited for shortly: a person waits for the answer, or the job comes again. */
const waitSeconds = 2

const live = 'live'

/** Works while no import does. */
async function inTurn<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  try {
    return await inTransaction(pool, async (client) => {
      await waitForTurn(client, waitSeconds)
      return await work(client)
    })
  } catch (error) {
    if (error instanceof BusyError) throw new FieldsError({ form: error.message })
    throw error
  }
}

function lastDay(until: string, now: number): string | null {
  if (until.trim() === '') return null
  if (!isDay(until.trim())) throw new FieldsError({ until: 'Enter the last day as a date, or leave it empty.' })
  if (until.trim() < londonDay(now)) throw new FieldsError({ until: 'The last day must be today or later.' })
  return until.trim()
}

/** The product, ready to be corrected. */
async function open(client: PoolClient, { sourceKey, seen }: CorrectionAsked): Promise<StoredRow> {
  const product = await readProductRow(client, live, sourceKey)
  if (!product) throw missing('product', sourceKey)
  if ((await standingCorrection(client, live, sourceKey)) !== null) throw new FieldsError({ form: 'This product is corrected already. End that first.' })
  if (product['withdrawn_at'] !== null) throw new FieldsError({ form: 'This product is withdrawn already.' })
  if (product['updated_at'] !== seen) throw new FieldsError({ form: 'This product has changed since you looked at it. Look at it again.' })
  return product
}

type Planned = Pick<NewCorrection, 'changes' | 'was'>

async function begin(room: MarketRoom, by: Corrector, asked: CorrectionAsked, action: string, plan: (product: StoredRow) => Planned): Promise<void> {
  const until = lastDay(asked.until, room.now())
  await inTurn(room.pool, async (client) => {
    const { changes, was } = plan(await open(client, asked))
    const { sourceKey } = asked
    await beginCorrection(client, { dataset: live, sourceKey, changes, was, reason: by.deed.reason, by: by.publicId, until })
    const after = { ...(changes ?? { withdrawn: true }), until }
    await writeAudit(client, { ...by.deed, accountId: null, action, subject: sourceKey, before: changes === null ? { withdrawn: false } : was, after })
  })
}

/** Puts the terms of a product right by hand. @throws FieldsError for what the rules of the feed would refuse. */
export async function correctProduct(room: MarketRoom, by: Corrector, asked: CorrectionAsked & TypedTerms): Promise<void> {
  await begin(room, by, asked, 'product.correct', (product) => planCorrection(product, asked))
}

/** Takes a product off the market by hand, whatever the feed says of it. */
export async function withdrawProduct(room: MarketRoom, by: Corrector, asked: CorrectionAsked): Promise<void> {
  await begin(room, by, asked, 'product.withdraw', () => ({ changes: null, was: {} }))
}

/** Ends what was corrected about a product: it is as the feed has it again. */
export async function endProductCorrection(room: MarketRoom, by: Corrector, sourceKey: string): Promise<void> {
  await inTurn(room.pool, async (client) => {
    const id = await standingCorrection(client, live, sourceKey)
    if (id === null) throw new FieldsError({ form: 'No correction of this product stands.' })
    await endCorrection(client, id, by.publicId)
    await writeAudit(client, { ...by.deed, accountId: null, action: 'product.end-correction', subject: sourceKey })
  })
}

/** What a correction would change, before it is made. @throws FieldsError */
export async function previewCorrection({ pool }: MarketRoom, sourceKey: string, typed: TypedTerms): Promise<Plan> {
  const product = await readProductRow(pool, live, sourceKey)
  if (!product) throw missing('product', sourceKey)
  return planCorrection(product, typed)
}

/** Ends the correction that has been over for longest; false when none is. @throws BusyError */
async function endOneDue(pool: Pool, at: string): Promise<boolean> {
  if ((await dueCorrection(pool, at)) === undefined) return false
  return await inTransaction(pool, async (client) => {
    await waitForTurn(client, waitSeconds)
    // Asked again in turn: another process may have ended it.
    const due = await dueCorrection(client, at)
    if (!due) return false
    await endCorrection(client, due.id, null)
    await writeAudit(client, { actor: 'service', accountId: null, action: 'product.end-correction', subject: due.source_key })
    return true
  })
}

/** Ends the corrections whose last day is over, each by itself, and says how many. Those that are left when an import is under way are for the next time. */
export async function endDueCorrections(pool: Pool, now: number, signal?: AbortSignal): Promise<number> {
  let ended = 0
  try {
    while (!signal?.aborted && (await endOneDue(pool, new Date(now).toISOString()))) ended += 1
  } catch (error) {
    if (!(error instanceof BusyError)) throw error
  }
  return ended
}
