import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'

export type StatisticRow = { series: string; date: string; value: string | null; source: string; licence: string; fetched_at: string }
/** Rates of one day from one fetch: `AED 4.861736,AUD 1.886112`, ordered by code. Transferring one row per rate would cost ten times as much. */
export type FxDayRow = { date: string; rates: string; source: string; licence: string; fetched_at: string }
export type ReleaseRow = { source: string; released_on: string; next_release_on: string | null }
export type StatisticsRows = { statistics: StatisticRow[]; fxDays: FxDayRow[]; releases: ReleaseRow[] }

/** Maximum age of exchange rates in days, in memory and when a long file is read: three years. */
export const fxHistoryDays = 1_100

const day = (column: string) => `to_char(${column}, 'YYYY-MM-DD') AS ${column}`
const fetchedAt = `to_char(fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS fetched_at`

const statisticsSql = `SELECT series, ${day('date')}, trim_scale(value)::text AS value, source, licence, ${fetchedAt} FROM statistic ORDER BY series COLLATE "C", statistic.date`

const fxDaysSql = `SELECT ${day('date')}, string_agg(currency || ' ' || trim_scale(rate), ',' ORDER BY currency COLLATE "C") AS rates, source, licence, ${fetchedAt}
  FROM fx_rate WHERE fx_rate.date > (SELECT max(date) FROM fx_rate) - $1::int
  GROUP BY fx_rate.date, source, licence, fx_rate.fetched_at ORDER BY fx_rate.date DESC, fx_rate.fetched_at`

const releasesSql = `SELECT DISTINCT ON (source) source, ${day('released_on')}, ${day('next_release_on')}
  FROM source_fetch WHERE rows IS NOT NULL AND released_on IS NOT NULL ORDER BY source, source_fetch.released_on DESC, fetched_at DESC`

/** Reads the data of the read model in one consistent snapshot: statistics by series and date, exchange rates newest first. */
export async function readStatistics(pool: Database): Promise<StatisticsRows> {
  return await inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const statistics = await client.query<StatisticRow>(statisticsSql)
    const fxDays = await client.query<FxDayRow>(fxDaysSql, [fxHistoryDays])
    const releases = await client.query<ReleaseRow>(releasesSql)
    return { statistics: statistics.rows, fxDays: fxDays.rows, releases: releases.rows }
  })
}

/** Blocks other writers of these tables until the end of the transaction, because upserts of the same days in a different order would deadlock. */
export async function lockStatistics(client: Transaction): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(20261, 3)')
}

/**
 * Runs `work` under a lock; returns undefined without running it if another process holds the lock. The lock belongs to a dedicated idle
 * transaction with a long idle timeout, so that it also works behind a pooler and is released when the process dies.
 */
export async function withRefreshLock<Result>(pool: Database, work: () => Promise<Result>): Promise<Result | undefined> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener, an error on this idle connection would crash the process.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '1h'")
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock(20261, 4) AS mine')
    return rows[0]?.mine === true ? await work() : undefined
  } finally {
    await client.query('COMMIT').catch((error: unknown) => {
      // Close a connection that may still hold the lock instead of returning it to the pool.
      broken = error instanceof Error ? error : new Error(String(error))
    })
    client.removeListener('error', onError)
    client.release(broken)
  }
}

/** Notifies every process that API responses changed. Call it last in a transaction, because every batch of requests reads this row. */
export async function bumpMarketVersion(client: Transaction): Promise<void> {
  await client.query('UPDATE service_state SET version = version + 1, market_version = market_version + 1 WHERE id = 1')
}
