import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { FaultList } from './feed-faults.ts'
import { getColumns } from './feed-table.ts'
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
import { maxListedRows, noChanges, type Outcome, providerSlugs, type StagedFeed } from './table-feed.store.ts'

export const historyColumns = getColumns<'rate_history'>({
  sourceKey: ['source_key', 'text'],
  effectiveDate: ['effective_date', 'date'],
  detectedAt: ['detected_at', 'timestamptz(3)'],
  withdrawn: ['withdrawn', 'boolean'],
  rate: ['rate_bp', 'int'],
  baseRate: ['base_rate_bp', 'int'],
  boostRate: ['boost_rate_bp', 'int'],
  boostDuration: ['boost_duration', 'text'],
  providerSlug: ['provider_slug', 'text'],
  accountName: ['account_name', 'text'],
  accountType: ['account_type', 'text'],
})

/** Number of new rows from which ANALYZE runs immediately. */
const manyRows = 10_000

async function checkLines(client: Transaction, { dataset, fileName }: StagedFeed): Promise<void> {
  const faults = new FaultList()
  addStrayLines(faults, (await client.query<StrayLine>(strayLines)).rows)
  const { rows: unknown } = await client.query<{ line: number; slug: string }>(strayProviders, [dataset])
  if (unknown.length > 0) refuseProviders(faults, unknown, await providerSlugs(client, dataset))
  faults.throwIfAny(fileName)
}

async function makeChain(client: Transaction, { dataset, fileName }: StagedFeed): Promise<void> {
  await client.query(createChain)
  await client.query(fillChain, [dataset])
  await client.query('ANALYZE market_chain (source_key, is_last)')
  const faults = new FaultList()
  addBrokenLinks(faults, (await client.query<BrokenLink>(brokenLinks, [dataset])).rows)
  faults.throwIfAny(fileName)
}

type FirstRow = { source_key: string; date: string; rate: number | null; before: number | null }

const word = (rate: number | null) => (rate === null ? null : twoDecimals(rate))

async function firstAdded(client: Transaction): Promise<RowChange[]> {
  const { rows } = await client.query<FirstRow>(
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

const changedRows = async (client: Transaction, statement: string, dataset: string) => (await client.query(statement, [dataset])).rowCount ?? 0

/**
 * Adds past changes to history. Every product in the feed is replayed from its first to its last change, which must match the current listing. A seed replaces
 * the history of its dataset.
 * @throws FeedError with the inconsistent lines.
 */
export async function applyHistoryFeed(client: Transaction, feed: StagedFeed, beforeWriting: () => void): Promise<Outcome> {
  const { dataset } = feed
  await client.query("SET LOCAL work_mem = '64MB'")
  await client.query('ANALYZE market_feed (source_key, effective_date)')
  if (feed.isSeed) {
    await client.query(allowRewriting)
    await client.query(forgetHistory, [dataset])
  }
  await client.query(createSteps)
  const { rowCount: steps } = await client.query(fillSteps, [dataset])
  if (!steps) return { counts: noChanges, changes: [], replaced: 0, reasons: [] }
  await client.query('ANALYZE market_step (source_key)')
  await client.query(createExisting)
  await client.query(fillExisting, [dataset])
  await client.query('ANALYZE market_standing')
  await checkLines(client, feed)
  await makeChain(client, feed)
  const changes = await firstAdded(client)
  beforeWriting()
  await client.query(allowRewriting)
  const dropped = await changedRows(client, dropVoid, dataset)
  const corrected = await changedRows(client, putRight, dataset)
  const added = await changedRows(client, addChanges, dataset)
  if (added > manyRows) await client.query('SELECT analyse_history()')
  return { counts: { ...noChanges, added }, changes, replaced: dropped + corrected, reasons: [] }
}
