/** Replays the past changes of a feed and merges them into the history. Prisma has no temporary tables, window functions or set-based merges. */
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { FaultList } from './feed-faults.ts'
import {
  addChanges,
  allowRewriting,
  brokenLinks,
  createChain,
  createExisting,
  createSteps,
  dropVoid,
  fillChain,
  fillExisting,
  fillSteps,
  forgetHistory,
  putRight,
  strayLines,
  strayProviders,
} from './history-feed-sql.ts'
import type { RowChange } from './row-change.ts'
import { addBrokenLinks, addStrayLines, type BrokenLink, refuseProviders, type StrayLine } from './staged-faults.ts'
import { maxListedRows, noChanges, type Outcome, providerSlugs, type StagedFeed } from './table-feed.sql.ts'

/** Minimum number of new rows for which ANALYZE runs immediately. */
const manyRows = 10_000

async function checkLines(tx: Transaction, { dataset, fileName }: StagedFeed): Promise<void> {
  const faults = new FaultList()
  addStrayLines(faults, (await tx.query<StrayLine>(strayLines)).rows)
  const { rows: unknown } = await tx.query<{ line: number; slug: string }>(strayProviders, [dataset])
  if (unknown.length > 0) refuseProviders(faults, unknown, await providerSlugs(tx, dataset))
  faults.throwIfAny(fileName)
}

async function makeChain(tx: Transaction, { dataset, fileName }: StagedFeed): Promise<void> {
  await tx.query(createChain)
  await tx.query(fillChain, [dataset])
  await tx.query('ANALYZE market_chain (source_key, is_last)')
  const faults = new FaultList()
  addBrokenLinks(faults, (await tx.query<BrokenLink>(brokenLinks, [dataset])).rows)
  faults.throwIfAny(fileName)
}

type FirstRow = { source_key: string; date: string; rate: number | null; before: number | null }

const word = (rate: number | null) => (rate === null ? null : twoDecimals(rate))

async function firstAdded(tx: Transaction): Promise<RowChange[]> {
  const { rows } = await tx.query<FirstRow>(
    `SELECT source_key, to_char(effective_date, 'YYYY-MM-DD') AS date, rate_bp AS rate, was_rate_bp AS before
     FROM market_chain WHERE line IS NOT NULL ORDER BY line LIMIT $1`,
    [maxListedRows],
  )
  return rows.map(({ source_key, date, rate, before }) => ({
    change: 'added',
    key: `${source_key} ${date}`,
    fields: [{ field: 'rate', from: word(before), to: word(rate) }],
  }))
}

const changedRows = async (tx: Transaction, statement: string, dataset: string) => (await tx.query(statement, [dataset])).rowCount ?? 0

/**
 * Adds past changes to history. Every product in the feed is replayed from its first to its last change, which must match the current listing. A seed replaces
 * the history of its dataset.
 * @throws FeedError with the inconsistent lines.
 */
export async function applyHistoryFeed(tx: Transaction, feed: StagedFeed, beforeWriting: () => void): Promise<Outcome> {
  const { dataset } = feed
  await tx.query("SET LOCAL work_mem = '64MB'")
  await tx.query('ANALYZE market_feed (source_key, effective_date)')
  if (feed.isSeed) {
    await tx.query(allowRewriting)
    await tx.query(forgetHistory, [dataset])
  }
  await tx.query(createSteps)
  const { rowCount: steps } = await tx.query(fillSteps, [dataset])
  if (!steps) return { counts: noChanges, changes: [], replaced: 0, reasons: [] }
  await tx.query('ANALYZE market_step (source_key)')
  await tx.query(createExisting)
  await tx.query(fillExisting, [dataset])
  await tx.query('ANALYZE market_standing')
  await checkLines(tx, feed)
  await makeChain(tx, feed)
  const changes = await firstAdded(tx)
  beforeWriting()
  await tx.query(allowRewriting)
  const dropped = await changedRows(tx, dropVoid, dataset)
  const corrected = await changedRows(tx, putRight, dataset)
  const added = await changedRows(tx, addChanges, dataset)
  if (added > manyRows) await tx.query('SELECT analyse_history()')
  return { counts: { ...noChanges, added }, changes, replaced: dropped + corrected, reasons: [] }
}
