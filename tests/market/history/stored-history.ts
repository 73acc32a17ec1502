import { expect } from 'vitest'
import type { Database } from '#server/db/prisma.ts'
import type { Dataset } from '#server/market/product.ts'

/** Terms of a product; unlisted products have none. */
type Terms = { readonly rate: number; readonly base: number; readonly boost: number; readonly duration: string | null; readonly owner: string }

export type StoredChange = {
  seq: string
  source_key: string
  provider_slug: string
  account_name: string
  account_type: string
  direction: string
  previous_rate_bp: number | null
  previous_base_rate_bp: number | null
  previous_boost_rate_bp: number | null
  rate_bp: number | null
  base_rate_bp: number | null
  boost_rate_bp: number | null
  boost_duration: string | null
  effective_date: string
  previous_effective_date: string | null
}

/** Returns all history rows, oldest first. */
export async function storedChanges(pool: Database, dataset: Dataset = 'live'): Promise<StoredChange[]> {
  const { rows } = await pool.query<StoredChange>(
    `SELECT seq, source_key, provider_slug, account_name, account_type, direction, previous_rate_bp, previous_base_rate_bp, previous_boost_rate_bp,
       rate_bp, base_rate_bp, boost_rate_bp, boost_duration, effective_date::text, previous_effective_date::text
     FROM rate_change WHERE dataset = $1 ORDER BY effective_date, rate_change.seq`,
    [dataset],
  )
  return rows
}

/** Returns the currently served terms by source key. */
async function servedTerms(pool: Database, dataset: Dataset): Promise<Map<string, Terms>> {
  const { rows } = await pool.query<Terms & { key: string }>(
    `SELECT p.source_key AS key, rate_bp AS rate, base_rate_bp AS base, boost_rate_bp AS boost, boost_duration AS duration, provider_slug || ' ' || account_type AS owner
     FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     WHERE p.dataset = $1 AND p.withdrawn_at IS NULL AND v.active`,
    [dataset],
  )
  return new Map(rows.map(({ key, ...terms }) => [key, terms]))
}

function termsAfter(change: StoredChange): Terms | undefined {
  const { rate_bp: rate, base_rate_bp: base, boost_rate_bp: boost, boost_duration: duration } = change
  if (rate === null || base === null || boost === null) return undefined
  return { rate, base, boost, duration, owner: `${change.provider_slug} ${change.account_type}` }
}

/** Checks that a row starts from the terms of the product's previous row and changes them. Returns the new terms. */
function checkStep(change: StoredChange, before: Terms | undefined, since: string | undefined): Terms | undefined {
  const at = `${change.source_key} ${change.effective_date} ${change.seq}`
  const said = [change.previous_rate_bp, change.previous_base_rate_bp, change.previous_boost_rate_bp, change.previous_effective_date]
  expect(said, at).toEqual([before?.rate ?? null, before?.base ?? null, before?.boost ?? null, since ?? null])
  const after = termsAfter(change)
  expect(after, at).not.toEqual(before)
  expect(change.direction === 'withdrawn', at).toBe(after === undefined)
  expect(change.direction === 'launched', at).toBe(before === undefined)
  if (before && after) expect(after.owner, at).toBe(before.owner)
  return after
}

/** Replays history and returns the resulting terms. */
function replay(changes: readonly StoredChange[]): Map<string, Terms> {
  const terms = new Map<string, Terms>()
  const since = new Map<string, string>()
  for (const change of changes) {
    const { source_key: key } = change
    const after = checkStep(change, terms.get(key), since.get(key))
    since.set(key, change.effective_date)
    if (after) terms.set(key, after)
    else terms.delete(key)
  }
  return terms
}

type StoredEvent = { type: string; subject: string; change: number | null; seq: string | null; data: Record<string, unknown> }

export async function storedEvents(pool: Database, dataset: Dataset = 'live'): Promise<StoredEvent[]> {
  const { rows } = await pool.query<StoredEvent>(
    `SELECT type, subject_key AS subject, rate_change_bp AS change, rate_change_seq AS seq, data FROM market_event WHERE dataset = $1 ORDER BY market_event.seq`,
    [dataset],
  )
  return rows
}

const typeOf: Record<string, string> = { launched: 'product.added', withdrawn: 'product.withdrawn' }

/** Returns the events expected for history rows. */
export const eventsFor = (changes: readonly StoredChange[]) =>
  changes.map(({ seq, source_key, direction, rate_bp, previous_rate_bp }) => ({
    seq,
    type: typeOf[direction] ?? 'rate.changed',
    subject: source_key,
    change: typeOf[direction] ? null : Number(rate_bp) - Number(previous_rate_bp),
  }))

/** Checks the invariant after any sequence of feeds: replaying history gives exactly the served market. */
export async function checkHistory(pool: Database, dataset: Dataset = 'live'): Promise<void> {
  expect(replay(await storedChanges(pool, dataset))).toEqual(await servedTerms(pool, dataset))
}
