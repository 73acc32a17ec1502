/**
 * Writes history and events during an import. Uses raw SQL, because Prisma has no temporary tables, lateral joins or inserts from a query. $1 is the dataset,
 * $2 the time of the import. The alias `m` is a row of `market_move`: a product whose state differs from its history. `was` is true if it was served before,
 * `now` if it is served now. Served means listed, with an active provider.
 */
import type { Transaction } from '#server/db/prisma.ts'

/** Columns with the state of a product, which have the same names in history and products. */
const state = ['provider_slug', 'account_type', 'account_name', 'rate_bp', 'base_rate_bp', 'boost_rate_bp', 'boost_duration'] as const
const types: Readonly<Record<string, string>> = { rate_bp: 'int', base_rate_bp: 'int', boost_rate_bp: 'int' }
const terms = ['base_rate_bp', 'boost_rate_bp', 'boost_duration'] as const

const columns = (prefix: string) => state.map((name) => `${prefix}_${name} ${types[name] ?? 'text'}`).join(', ')

const createMoves = `CREATE TEMP TABLE market_move (source_key text PRIMARY KEY, was boolean NOT NULL, was_since date, now boolean NOT NULL,
  ${columns('was')}, ${columns('now')}) ON COMMIT DROP`

/** Products that a feed may affect: the changed products, or all products of the changed providers. */
const touched = {
  product: `SELECT key FROM market_diff WHERE change <> 'checked'`,
  provider: `SELECT p.source_key FROM product p JOIN market_diff d ON d.key = p.provider_slug WHERE p.dataset = $1`,
} as const

type ServingKind = keyof typeof touched

const listColumns = (alias: string, prefix: string) => state.map((name) => `${alias}.${name} AS ${prefix}_${name}`).join(', ')

/** Compares the affected products with the last row of their history, after the feed was applied. $2 is unused. */
function fillMoves(kind: ServingKind): string {
  return `INSERT INTO market_move SELECT * FROM (
    SELECT k.key, h.rate_bp IS NOT NULL AS was, h.effective_date AS was_since, v.slug IS NOT NULL AS now, ${listColumns('h', 'was')}, ${listColumns('p', 'now')}
    FROM (${touched[kind]}) k(key)
    JOIN product p ON p.dataset = $1 AND p.source_key = k.key
    LEFT JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug AND v.active AND p.withdrawn_at IS NULL
    LEFT JOIN LATERAL (SELECT * FROM rate_change c WHERE c.dataset = $1 AND c.source_key = k.key ORDER BY c.effective_date DESC, c.seq DESC LIMIT 1) h ON true
  ) m WHERE $2::timestamptz IS NOT NULL AND (was <> now OR (was AND now AND (${hasMoved} OR ${differs})))`
}

/** SQL condition that is true if a product moved to another provider or type. History records the move as a withdrawal and a launch. */
const hasMoved = '(m.was_provider_slug <> m.now_provider_slug OR m.was_account_type <> m.now_account_type)'
const differs = `(${terms.map((name) => `m.was_${name}`).join(', ')}) IS DISTINCT FROM (${terms.map((name) => `m.now_${name}`).join(', ')})`

/** Counts the previously served products that are now withdrawn, and those that are still served but changed. */
const countMoves = `SELECT count(*) FILTER (WHERE was AND NOT now)::int AS withdrawn, count(*) FILTER (WHERE was AND now)::int AS changed FROM market_move`

const subject = (prefix: string) => `m.${prefix}_provider_slug, m.${prefix}_account_name, m.${prefix}_account_type`
const rates = (prefix: string) => `m.${prefix}_rate_bp, m.${prefix}_base_rate_bp, m.${prefix}_boost_rate_bp`
const none = 'NULL::int, NULL::int, NULL::int'
const direction = `CASE sign(m.now_rate_bp - m.was_rate_bp) WHEN 1 THEN 'up' WHEN -1 THEN 'down' ELSE 'unchanged' END`

// A row must not be dated before the last row of its product, even if the last row is dated in the future.
const today = `greatest(($2::timestamptz AT TIME ZONE 'Europe/London')::date, m.was_since)`

const changes = `SELECT 0 AS step, m.source_key, ${subject('was')}, 'withdrawn', ${rates('was')}, ${none}, NULL::text, ${today}, m.was_since
    FROM market_move m WHERE m.was AND (NOT m.now OR ${hasMoved})
  UNION ALL
  SELECT 1, m.source_key, ${subject('now')}, 'launched', ${none}, ${rates('now')}, m.now_boost_duration, ${today}, CASE WHEN m.was THEN ${today} ELSE m.was_since END
    FROM market_move m WHERE m.now AND (NOT m.was OR ${hasMoved})
  UNION ALL
  SELECT 0, m.source_key, ${subject('now')}, ${direction}, ${rates('was')}, ${rates('now')}, m.now_boost_duration, ${today}, m.was_since
    FROM market_move m WHERE m.was AND m.now AND NOT ${hasMoved}`

const historyColumns = `source_key, provider_slug, account_name, account_type, direction, previous_rate_bp, previous_base_rate_bp, previous_boost_rate_bp,
  rate_bp, base_rate_bp, boost_rate_bp, boost_duration, effective_date, previous_effective_date`

const insertHistory = `INSERT INTO rate_change (dataset, ${historyColumns}, detected_at)
  SELECT $1, ${historyColumns}, $2::timestamptz FROM (${changes}) c(step, ${historyColumns}) ORDER BY source_key, step`

/** Inserts an event for each history row. For a launch or withdrawal, the event data is the product as served; for any other change, it is the history row. */
const insertEvents = `INSERT INTO market_event (dataset, type, subject_key, provider_slug, account_type, rate_change_bp, rate_change_seq, data, created_at)
  SELECT w.dataset, CASE w.direction WHEN 'launched' THEN 'product.added' WHEN 'withdrawn' THEN 'product.withdrawn' ELSE 'rate.changed' END,
    w.source_key, w.provider_slug, w.account_type, CASE WHEN w.direction NOT IN ('launched', 'withdrawn') THEN w.rate_bp - w.previous_rate_bp END, w.seq,
    CASE w.direction WHEN 'launched' THEN to_jsonb(p)
      WHEN 'withdrawn' THEN to_jsonb(p) || jsonb_build_object('provider_slug', w.provider_slug, 'account_name', w.account_name, 'account_type', w.account_type,
        'rate_bp', w.previous_rate_bp, 'base_rate_bp', w.previous_base_rate_bp, 'boost_rate_bp', w.previous_boost_rate_bp)
      ELSE to_jsonb(w) END, $2::timestamptz
  FROM written w LEFT JOIN product p ON p.dataset = w.dataset AND p.source_key = w.source_key ORDER BY w.seq`

/** Inserts the history rows and, unless quiet, an event for each. */
const writeMoves = (isQuiet: boolean) => (isQuiet ? insertHistory : `WITH written AS (${insertHistory} RETURNING *) ${insertEvents}`)

/** Inserts an event for every offer that a feed changed, with its current state. */
const insertOfferEvents = `INSERT INTO market_event (dataset, type, subject_key, provider_slug, data, created_at)
  SELECT o.dataset, 'switch_offer.changed', o.offer_key, o.provider_slug, to_jsonb(o), $2::timestamptz
  FROM market_diff d JOIN switch_offer o ON o.dataset = $1 AND o.offer_key = d.key ORDER BY o.offer_key`

const nothingMoved = { withdrawn: 0, changed: 0 }

/**
 * Updates history to match what is now served, and writes the events. `values` are the dataset and the time of the import. Returns the number of previously
 * served products that are now withdrawn, and the number that are served with changes.
 */
export async function writeHistory(tx: Transaction, kind: string, isQuiet: boolean, values: unknown[]): Promise<typeof nothingMoved> {
  if (kind === 'switch_offer' && !isQuiet) await tx.query(insertOfferEvents, values)
  if (kind !== 'product' && kind !== 'provider') return nothingMoved
  await tx.query(createMoves)
  const { rowCount } = await tx.query(fillMoves(kind), values)
  if (!rowCount) return nothingMoved
  const { rows } = await tx.query<typeof nothingMoved>(countMoves)
  await tx.query(writeMoves(isQuiet), values)
  return rows[0] ?? nothingMoved
}
