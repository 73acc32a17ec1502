/**
 * Replays the past changes of a feed and merges them into the history. Uses raw SQL, because Prisma has no temporary tables, window functions or set-based
 * merges. $1 is the dataset. `market_feed` contains the lines of the feed, and `market_step` the new lines. `market_chain` contains all changes, existing and
 * new, of every product with new changes, in order.
 */
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { FaultList } from './feed-faults.ts'
import type { RowChange } from './row-change.ts'
import { providerSlugs, type StagedFeed } from './stage-feed.sql.ts'
import { addBrokenLinks, addStrayLines, type BrokenLink, refuseProviders, type StrayLine } from './staged-faults.ts'
import { maxListedRows, noChanges, type Outcome, readImportTime } from './table-feed.sql.ts'

/** Columns with the terms of a product. The rates are null if the product is withdrawn. */
const state = ['rate_bp', 'base_rate_bp', 'boost_rate_bp', 'boost_duration'] as const
const getState = (alias: string) => state.map((name) => `${alias}.${name}`).join(', ')

const createSteps = `CREATE TEMP TABLE market_step (line int NOT NULL, source_key text NOT NULL, effective_date date NOT NULL,
  detected_at timestamptz(3) NOT NULL, provider_slug text, account_name text, account_type text, rate_bp int, base_rate_bp int, boost_rate_bp int,
  boost_duration text, now_provider_slug text, now_account_name text, now_account_type text) ON COMMIT DROP`

/** SQL condition that is true if a feed line equals an existing change of the same product and day. */
const isExisting = `coalesce(c.rate_bp, -1) = coalesce(f.rate_bp, -1) AND coalesce(c.boost_rate_bp, 0) = coalesce(f.boost_rate_bp, 0)
    AND coalesce(c.boost_duration, '') = coalesce(f.boost_duration, '')`

/** Inserts the feed lines whose rate change is not stored yet, with the product's current provider, name and type. */
const fillSteps = `INSERT INTO market_step
  SELECT f.line, f.source_key, f.effective_date, coalesce(f.detected_at, f.effective_date::timestamp AT TIME ZONE 'UTC'),
    f.provider_slug, f.account_name, f.account_type, f.rate_bp, coalesce(f.base_rate_bp, f.rate_bp - coalesce(f.boost_rate_bp, 0)),
    CASE WHEN f.rate_bp IS NOT NULL THEN coalesce(f.boost_rate_bp, 0) END, f.boost_duration, p.provider_slug, p.account_name, p.account_type
  FROM market_feed f LEFT JOIN product p ON p.dataset = $1 AND p.source_key = f.source_key
  WHERE NOT EXISTS (SELECT FROM rate_change c WHERE c.dataset = $1 AND c.source_key = f.source_key AND c.effective_date = f.effective_date
    AND ${isExisting})`

const createExisting = `CREATE TEMP TABLE market_standing (source_key text PRIMARY KEY, first_date date NOT NULL, last_date date NOT NULL,
  rows int NOT NULL, provider_slug text NOT NULL, account_name text NOT NULL, account_type text NOT NULL, is_named boolean NOT NULL) ON COMMIT DROP`

/**
 * Inserts a summary of the existing history of each product with new changes: dates of the first and last row, number of rows; provider, name and type on
 * the first row; and whether the feed includes the first row.
 */
const fillExisting = `INSERT INTO market_standing
  SELECT t.source_key, t.first_date, t.last_date, t.rows, o.provider_slug, o.account_name, o.account_type, n.source_key IS NOT NULL FROM (
    SELECT c.source_key, min(c.effective_date) AS first_date, max(c.effective_date) AS last_date, count(*) AS rows FROM rate_change c
    WHERE c.dataset = $1 AND c.source_key IN (SELECT source_key FROM market_step) GROUP BY c.source_key
  ) t JOIN rate_change o ON o.dataset = $1 AND o.source_key = t.source_key AND o.effective_date = t.first_date AND o.previous_effective_date IS NULL
  LEFT JOIN (
    SELECT DISTINCT c.source_key FROM rate_change c JOIN market_feed f ON f.source_key = c.source_key AND f.effective_date = c.effective_date AND ${isExisting}
    WHERE c.dataset = $1 AND c.previous_effective_date IS NULL
  ) n ON n.source_key = t.source_key`

/**
 * Selects the new lines with their owner (provider and type). A line dated before the product was first seen gets the owner that the product had when it was
 * first seen; any other line gets the current owner. If a line states an owner, it must match. If the product is unknown, the line must state one.
 */
const owned = `SELECT s.*, coalesce(o.provider_slug, s.now_provider_slug) AS own_provider_slug, coalesce(o.account_type, s.now_account_type) AS own_account_type,
    coalesce(o.account_name, s.now_account_name) AS own_account_name
  FROM market_step s LEFT JOIN market_standing o ON o.source_key = s.source_key AND (s.effective_date <= o.first_date OR s.now_account_type IS NULL)`

/** Selects the lines that are invalid regardless of existing history, with the reason. */
const strayLines = `SELECT line, fault FROM (
    SELECT line, 'future' AS fault FROM market_step WHERE effective_date > (clock_timestamp() AT TIME ZONE 'Europe/London')::date
    UNION ALL SELECT line, CASE WHEN account_type IS NULL THEN 'unknown' ELSE 'other' END FROM (${owned}) w
      WHERE coalesce(account_type, own_account_type) IS NULL OR (provider_slug, account_type) <> (own_provider_slug, own_account_type)
    UNION ALL SELECT w.line, 'two' FROM (${owned}) w JOIN (
        SELECT source_key, min(provider_slug || ' ' || account_type) AS least FROM market_step WHERE now_account_type IS NULL GROUP BY source_key
      ) k ON k.source_key = w.source_key WHERE w.own_account_type IS NULL AND w.provider_slug || ' ' || w.account_type <> k.least
  ) stray ORDER BY line LIMIT 10000`

/** Selects the lines that reference an unknown provider. */
const strayProviders = `SELECT line, provider_slug AS slug FROM market_step s WHERE provider_slug IS NOT NULL
  AND NOT EXISTS (SELECT FROM provider v WHERE v.dataset = $1 AND v.slug = s.provider_slug) ORDER BY line LIMIT 10000`

const createChain = `CREATE TEMP TABLE market_chain (source_key text NOT NULL, line int, seq bigint, effective_date date NOT NULL, detected_at timestamptz(3),
  provider_slug text, account_name text, account_type text, rate_bp int, base_rate_bp int, boost_rate_bp int, boost_duration text, is_between boolean, is_named boolean,
  was_line int, was_since date, was_rate_bp int, was_base_rate_bp int, was_boost_rate_bp int, is_same boolean, is_void boolean, is_last boolean,
  follows_void boolean, since_before_void date) ON COMMIT DROP`

const order = '(PARTITION BY source_key ORDER BY effective_date, rank, seq, detected_at, line)'

/**
 * Fills `market_chain`. Existing rows keep their order. New rows come before the first existing row or after the last one; any other new row is marked
 * `is_between` and rejected. `was…` columns contain the previous row. The first existing row of a product only records when the product was first seen, so that
 * row is marked `is_void` if the new row before it is identical.
 */
const fillChain = `INSERT INTO market_chain
  SELECT source_key, line, seq, effective_date, detected_at, provider_slug, account_name, account_type, ${state.join(', ')}, is_between, is_named,
    was_line, was_since, was_rate_bp, was_base_rate_bp, was_boost_rate_bp, is_same, is_void, is_last, lag(is_void) OVER w, lag(was_since) OVER w
  FROM (
    SELECT i.*, i.is_first AND i.is_same AS is_void FROM (
      SELECT r.*, lag(r.line) OVER w AS was_line, lag(r.effective_date) OVER w AS was_since, lag(r.rate_bp) OVER w AS was_rate_bp,
        lag(r.base_rate_bp) OVER w AS was_base_rate_bp, lag(r.boost_rate_bp) OVER w AS was_boost_rate_bp,
        coalesce((${getState('r')}) IS NOT DISTINCT FROM (${state.map((name) => `lag(r.${name}) OVER w`).join(', ')}) AND lag(true) OVER w, false) AS is_same,
        lead(true) OVER w IS NULL AS is_last
      FROM (
        SELECT s.source_key, s.line, NULL::bigint AS seq, s.effective_date, s.detected_at, coalesce(s.provider_slug, s.own_provider_slug) AS provider_slug,
          coalesce(s.account_name, s.now_account_name, s.own_account_name) AS account_name, coalesce(s.account_type, s.own_account_type) AS account_type, ${getState('s')},
          CASE WHEN s.effective_date < t.first_date OR (s.effective_date = t.first_date AND t.rows = 1) THEN 0 ELSE 2 END AS rank,
          coalesce(s.effective_date >= t.first_date AND s.effective_date < t.last_date, false) AS is_between, NULL::boolean AS is_named,
          false AS is_first
        FROM (${owned}) s LEFT JOIN market_standing t ON t.source_key = s.source_key
        UNION ALL
        SELECT c.source_key, NULL, c.seq, c.effective_date, c.detected_at, c.provider_slug, c.account_name, c.account_type, ${getState('c')}, 1, false,
          CASE WHEN c.previous_effective_date IS NULL THEN t.is_named END, c.previous_effective_date IS NULL
        FROM market_standing t JOIN rate_change c ON c.dataset = $1 AND c.source_key = t.source_key
      ) r WINDOW w AS ${order}
    ) i
  ) o WINDOW w AS ${order}`

/**
 * Selects the lines that are inconsistent with the history of their product, with the reason. The last row must match the current listing. If there are new
 * rows before the first existing row, the last of them must be identical to it, unless the feed includes the existing row. `now` is the expected rate.
 */
const brokenLinks = `SELECT coalesce(c.line, c.was_line) AS line, to_char(c.was_since, 'YYYY-MM-DD') AS since,
    CASE WHEN c.line IS NULL THEN c.was_rate_bp ELSE c.rate_bp END AS rate, CASE WHEN c.line IS NULL THEN c.rate_bp ELSE now.rate_bp END AS now,
    CASE WHEN c.line IS NULL THEN CASE WHEN c.was_since = c.effective_date THEN 'same day' ELSE 'first' END WHEN c.is_between THEN 'between'
      WHEN c.was_since IS NULL AND c.rate_bp IS NULL THEN 'gone' WHEN c.is_same THEN 'same' ELSE 'end' END AS fault
  FROM market_chain c
  LEFT JOIN LATERAL (SELECT ${getState('p')} FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
    WHERE c.is_last AND p.dataset = $1 AND p.source_key = c.source_key AND p.withdrawn_at IS NULL AND v.active) now ON true
  WHERE (c.is_named IS NOT NULL AND c.was_line IS NOT NULL AND NOT c.is_void AND (c.was_since = c.effective_date OR NOT c.is_named))
    OR (c.line IS NOT NULL AND (c.is_between OR c.is_same OR (c.was_since IS NULL AND c.rate_bp IS NULL)
      OR (c.is_last AND (${getState('c')}) IS DISTINCT FROM (${getState('now')}))))
  ORDER BY 1 LIMIT 10000`

/** Allows history rows to be updated until the end of the transaction. */
const allowRewriting = `SET LOCAL market.rewrites_history = 'on'`

const forgetHistory = 'DELETE FROM rate_change WHERE dataset = $1'

const since = 'CASE WHEN c.follows_void THEN c.since_before_void ELSE c.was_since END'
const direction = `CASE WHEN c.rate_bp IS NULL THEN 'withdrawn' WHEN c.was_rate_bp IS NULL THEN 'launched'
    WHEN c.rate_bp > c.was_rate_bp THEN 'up' WHEN c.rate_bp < c.was_rate_bp THEN 'down' ELSE 'unchanged' END`

/** Deletes the existing first rows that the new rows make redundant. */
const dropVoid = `DELETE FROM rate_change r USING market_chain c WHERE c.is_void
  AND r.dataset = $1 AND r.source_key = c.source_key AND r.effective_date = c.effective_date AND r.seq = c.seq`

/** Updates the existing first rows that now follow a new row, and rows whose predecessor was deleted. */
const putRight = `UPDATE rate_change r SET previous_rate_bp = c.was_rate_bp, previous_base_rate_bp = c.was_base_rate_bp,
    previous_boost_rate_bp = c.was_boost_rate_bp, direction = ${direction}, previous_effective_date = ${since}
  FROM market_chain c WHERE c.line IS NULL AND NOT c.is_void AND (c.was_line IS NOT NULL OR c.follows_void)
    AND r.dataset = $1 AND r.source_key = c.source_key AND r.effective_date = c.effective_date AND r.seq = c.seq`

/** Inserts new rows oldest first, so that their numbers rise with their dates. */
const addChanges = `INSERT INTO rate_change (dataset, source_key, provider_slug, account_name, account_type, direction, previous_rate_bp, previous_base_rate_bp,
    previous_boost_rate_bp, rate_bp, base_rate_bp, boost_rate_bp, boost_duration, effective_date, previous_effective_date, detected_at)
  SELECT $1, c.source_key, c.provider_slug, c.account_name, c.account_type, ${direction}, c.was_rate_bp, c.was_base_rate_bp, c.was_boost_rate_bp,
    ${getState('c')}, c.effective_date, ${since}, c.detected_at
  FROM market_chain c WHERE c.line IS NOT NULL ORDER BY c.effective_date, c.detected_at, c.line`

/**
 * Dates seeded products by their last change in the seeded history, so that `updated_at` isn't the time of the seed. Includes only products from the first seed
 * that haven't changed since, because a later change must not look older than it is.
 */
const dateProducts = `UPDATE product p SET updated_at = h.changed_at
  FROM (SELECT source_key, max(detected_at) AS changed_at FROM rate_change WHERE dataset = $1 GROUP BY source_key) h
  WHERE p.dataset = $1 AND p.source_key = h.source_key AND p.updated_at = p.created_at AND h.changed_at < p.updated_at
    AND p.created_at = (SELECT min(created_at) FROM product WHERE dataset = $1)`

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
  if (!steps) return { counts: noChanges, changes: [], replaced: 0, reasons: [], changedAt: null }
  await tx.query('ANALYZE market_step (source_key)')
  await tx.query(createExisting)
  await tx.query(fillExisting, [dataset])
  await tx.query('ANALYZE market_standing')
  await checkLines(tx, feed)
  await makeChain(tx, feed)
  const changes = await firstAdded(tx)
  const changedAt = await readImportTime(tx)
  beforeWriting()
  await tx.query(allowRewriting)
  const dropped = await changedRows(tx, dropVoid, dataset)
  const corrected = await changedRows(tx, putRight, dataset)
  const added = await changedRows(tx, addChanges, dataset)
  if (feed.isSeed) await tx.query(dateProducts, [dataset])
  if (added > manyRows) await tx.query('SELECT analyse_history()')
  return { counts: { ...noChanges, added }, changes, replaced: dropped + corrected, reasons: [], changedAt }
}
