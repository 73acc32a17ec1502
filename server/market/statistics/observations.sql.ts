/** Merges observations in bulk and reads exchange rates by day. Prisma has no conditional upserts of many rows, and no string_agg. */
import type { Db, Transaction } from '#server/db/prisma.ts'

/** Value to store; null if the value for that day is not known. */
export type StoredObservation = { readonly series: string; readonly date: string; readonly value: string | null }

/** Observations of one source. */
export type Observations = {
  readonly kind: 'statistic' | 'exchange-rate'
  readonly observations: readonly StoredObservation[]
  readonly source: string
  readonly licence: string
  readonly fetchedAt: string
}

/** SQL condition for replacing a stored value: it was fetched no later than the new one, or its fetch time is in the future because of clock skew. */
const isOlder = "(old.fetched_at <= EXCLUDED.fetched_at OR old.fetched_at > now() + interval '5 minutes')"

const upsertStatistics = `INSERT INTO statistic AS old (series, date, value, source, licence, fetched_at)
  SELECT series, date, value, $4, $5, $6 FROM unnest($1::text[], $2::date[], $3::numeric[]) AS given (series, date, value)
  ON CONFLICT (series, date) DO UPDATE SET value = EXCLUDED.value, source = EXCLUDED.source, licence = EXCLUDED.licence, fetched_at = EXCLUDED.fetched_at
  WHERE old.value IS DISTINCT FROM EXCLUDED.value AND EXCLUDED.value IS NOT NULL AND ${isOlder}`

const upsertFxRates = `INSERT INTO fx_rate AS old (currency, date, rate, source, licence, fetched_at)
  SELECT currency, date, rate, $4, $5, $6 FROM unnest($1::text[], $2::date[], $3::numeric[]) AS given (currency, date, rate)
  ON CONFLICT (date, currency) DO UPDATE SET rate = EXCLUDED.rate, source = EXCLUDED.source, licence = EXCLUDED.licence, fetched_at = EXCLUDED.fetched_at
  WHERE (old.rate, old.source) IS DISTINCT FROM (EXCLUDED.rate, EXCLUDED.source) AND ${isOlder}
    AND (EXCLUDED.source = ANY($7::text[]) OR old.source <> ALL($7::text[]))`

/** Values per statement: large enough to make round trips negligible, small enough to stay within the statement timeout. */
const batchRows = 5_000

/**
 * Upserts new and changed values and returns their number. Exchange rates of `official` sources take precedence on the same day. Never deletes values, so a
 * truncated file removes nothing.
 */
export async function storeObservations(
  tx: Transaction,
  { kind, observations, source, licence, fetchedAt }: Observations,
  official: readonly string[],
): Promise<number> {
  let changed = 0
  for (let start = 0; start < observations.length; start += batchRows) {
    const batch = observations.slice(start, start + batchRows)
    const columns = [batch.map(({ series }) => series), batch.map(({ date }) => date), batch.map(({ value }) => value), source, licence, fetchedAt]
    const { rowCount } = kind === 'statistic' ? await tx.query(upsertStatistics, columns) : await tx.query(upsertFxRates, [...columns, official])
    changed += rowCount ?? 0
  }
  return changed
}

/** Rates of one day from one fetch: `AED 4.861736,AUD 1.886112`, ordered by code. Transferring one row per rate would cost ten times as much. */
export type FxDayRow = { date: string; rates: string; source: string; licence: string; fetchedAt: string }

const fxDaysSql = `SELECT date::text AS date, string_agg(currency || ' ' || trim_scale(rate), ',' ORDER BY currency COLLATE "C") AS rates, source, licence,
    to_char(fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "fetchedAt"
  FROM fx_rate WHERE fx_rate.date > (SELECT max(date) FROM fx_rate) - $1::int
  GROUP BY fx_rate.date, source, licence, fx_rate.fetched_at ORDER BY fx_rate.date DESC, fx_rate.fetched_at`

/** Reads the exchange rates of the last `days` days, counted back from the newest stored day. Newest first. */
export async function readFxDays(db: Db, days: number): Promise<FxDayRow[]> {
  return (await db.query<FxDayRow>(fxDaysSql, [days])).rows
}
