import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { clock } from '#server/clock.ts'
import { type Dataset, datasets } from '#server/market/product.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import type { DatabaseFigures, ReadFigures } from './database-figures.ts'
import { metricsOf, type Sample } from './metric.ts'

const secondsSince = (at: Date | null): number => (at === null ? 0 : Math.max(0, (clock.now() - at.getTime()) / 1_000))

type Figure = readonly [name: string, help: string, read: (figures: DatabaseFigures) => Sample[] | number]

/** Returns one sample per item that has a value. */
const perName = <Item extends { readonly name: string }>(items: readonly Item[], label: 'check' | 'name', value: (item: Item) => number | null): Sample[] =>
  items.flatMap((item) => {
    const found = value(item)
    return found === null ? [] : [{ labels: { [label]: item.name }, value: found }]
  })

const toSeconds = (at: Date | null): number | null => at && at.getTime() / 1_000

const databaseFigures: readonly Figure[] = [
  ['svc_webhook_deliveries_waiting', 'Pending deliveries, including those waiting for credits.', ({ webhooks }) => webhooks.waiting],
  ['svc_webhook_oldest_due_seconds', 'Time since the oldest due delivery became due.', ({ webhooks }) => secondsSince(webhooks.oldest)],
  ['svc_webhook_events_untold', 'Market events for which no deliveries have been created yet.', ({ webhooks }) => webhooks.untold],
  ['svc_mails_waiting', 'Emails waiting to be sent.', ({ mails }) => mails.waiting],
  ['svc_mail_oldest_due_seconds', 'Time that the oldest sendable email has waited, including failed attempts.', ({ mails }) => secondsSince(mails.oldest)],
  [
    'svc_books_agree',
    '1 if the last check found no difference, either within the ledger or between the ledger and Stripe (reconciliation).',
    ({ checks }) => perName(checks, 'check', ({ faults }) => (faults === null ? null : Number(faults === 0))),
  ],
  ['svc_books_checked_timestamp_seconds', 'Time of the last completed check.', ({ checks }) => perName(checks, 'check', ({ doneAt }) => toSeconds(doneAt))],
  [
    'svc_books_check_failing',
    '1 if the last attempt to run the check failed.',
    ({ checks }) => perName(checks, 'check', ({ failedAt }) => Number(failedAt !== null)),
  ],
  [
    'svc_job_last_success_timestamp_seconds',
    'Time of the last successful run of a job in any process, within half a minute.',
    ({ jobs }) => perName(jobs, 'name', ({ okAt }) => toSeconds(okAt)),
  ],
  [
    'svc_job_last_duration_seconds',
    'Duration of the last successful run of a job.',
    ({ jobs }) => perName(jobs, 'name', ({ tookMs }) => (tookMs === null ? null : tookMs / 1_000)),
  ],
  [
    'svc_job_late_seconds',
    'Time by which the next successful run of a job is overdue, within half a minute.',
    ({ jobs }) => perName(jobs, 'name', ({ lateSeconds }) => lateSeconds),
  ],
  ['svc_job_failing', '1 if the last run of a job failed.', ({ jobs }) => perName(jobs, 'name', ({ isFailing }) => Number(isFailing))],
  ['svc_migrations_pending', 'Migrations of this release that have not been applied.', ({ pendingMigrations }) => pendingMigrations],
  ['svc_database_size_bytes', 'Size of the database.', ({ bytes }) => bytes],
]

/**
 * Registers the metrics that are read from the database on each scrape. While the database is down, `svc_database_up` is 0 and the other metrics are omitted.
 */
export function registerDatabase(registry: Registry, readFigures: ReadFigures): void {
  const { gauge } = metricsOf(registry)
  gauge('max', 'svc_database_up', '1 if the database responded within a second.', async () => (await readFigures()) !== null)
  for (const [name, help, read] of databaseFigures) {
    gauge('first', name, help, async () => {
      const figures = await readFigures()
      return figures && read(figures)
    })
  }
}

/** Gauges of a connection pool, as `pg` exposes them. */
type PoolGauges = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number; readonly options: { readonly max: number } }

export type ProcessParts = {
  readonly pools: ReadonlyMap<string, PoolGauges>
  readonly market: () => MarketSnapshot
  readonly roles: ReadonlySet<string>
  readonly release: string
  /** Folder of the embedded database; null if the database is external. */
  readonly dataDir: string | null
  /** True if this process reads history from the replica; null if there is none. */
  readonly isReplicaUsed: () => boolean | null
  /** Null if the database does not respond: `svc_database_up` shows that. */
  readonly isWritable: () => Promise<boolean | null>
  readonly clockSkew: () => number | null
}

function poolSamples(pools: ProcessParts['pools']): Sample[] {
  return [...pools].flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
    { labels: { pool, state: 'busy' }, value: totalCount - idleCount },
    { labels: { pool, state: 'idle' }, value: idleCount },
    { labels: { pool, state: 'waiting' }, value: waitingCount },
  ])
}

async function diskSamples(folder: string | null): Promise<Sample[]> {
  if (folder === null) return []
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return [
      { labels: { state: 'free' }, value: bavail * bsize },
      { labels: { state: 'size' }, value: blocks * bsize },
    ]
  } catch {
    // If the folder is missing, the sample is omitted; the database metrics show the failure.
    return []
  }
}

function registerMarket(registry: Registry, market: ProcessParts['market']): void {
  const { gauge } = metricsOf(registry)
  const perDataset = (value: (name: Dataset) => number | null): Sample[] =>
    datasets.flatMap((dataset) => {
      const found = value(dataset)
      return found === null ? [] : [{ labels: { dataset }, value: found }]
    })
  gauge('max', 'svc_market_version', 'Version of the market data that this process serves.', () => market().version)
  gauge('max', 'svc_market_products', 'Listed products in the market data that this process serves.', () =>
    perDataset((name) => market().dataset(name).productCount),
  )
  gauge('max', 'svc_market_changed_timestamp_seconds', 'Time of the last rate change in the market.', () =>
    perDataset((name) => {
      const { asOf } = market().dataset(name).figures
      return asOf === null ? null : Date.parse(asOf) / 1_000
    }),
  )
}

/** Registers the metrics of this process: its view of the database, connection pools, market, disk, build and Node's default metrics. */
export function registerProcess(registry: Registry, parts: ProcessParts): void {
  const { pools, market, roles, release, dataDir, isReplicaUsed, isWritable, clockSkew } = parts
  const { gauge } = metricsOf(registry)
  gauge('min', 'svc_history_replica_used', '1 if history is read from the replica. Absent without DATABASE_REPLICA_URL.', isReplicaUsed)
  gauge('min', 'svc_database_writable', '1 if the database accepts writes; 0 if its disk is full or it is read-only.', isWritable)
  gauge('first', 'svc_clock_skew_seconds', "Seconds by which this process's clock is ahead of the database's, measured once a minute.", clockSkew)
  collectDefaultMetrics({ register: registry })
  gauge('sum', 'svc_pool_connections', 'Busy and idle connections of a pool, and requests waiting for one.', () => poolSamples(pools))
  gauge('sum', 'svc_pool_connections_max', 'Maximum connections of a pool.', () =>
    [...pools].map(([pool, { options }]) => ({ labels: { pool }, value: options.max })),
  )
  gauge('first', 'svc_data_disk_bytes', 'Free space and size of the disk of the embedded database.', () => diskSamples(dataDir))
  registerMarket(registry, market)
  gauge('first', 'svc_build_info', 'Release, Node.js version and roles of this process.', () => [
    { labels: { release, node: process.version, roles: [...roles].join('+') }, value: 1 },
  ])
  const startedAt = (clock.now() - process.uptime() * 1_000) / 1_000
  gauge('max', 'svc_process_started_timestamp_seconds', 'Start time of the newest process.', () => startedAt)
  gauge('sum', 'svc_processes', 'Processes included in this scrape.', () => 1)
}
