import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { clock } from '#server/clock.ts'
import { type Dataset, datasets } from '#server/market/product.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import type { DatabaseFigures, DatabaseFiguresReader } from './database-figures.ts'
import { one, register, type Sample } from './metric.ts'

const secondsSince = (at: Date | null): number => (at === null ? 0 : Math.max(0, (clock.now() - at.getTime()) / 1_000))

type Figure = readonly [name: string, help: string, read: (figures: DatabaseFigures) => Sample[]]

const queues: readonly Figure[] = [
  ['svc_webhook_deliveries_waiting', 'Pending deliveries, including those waiting for credits.', ({ webhooks }) => one(webhooks.waiting)],
  ['svc_webhook_oldest_due_seconds', 'Time since the oldest due delivery became due.', ({ webhooks }) => one(secondsSince(webhooks.oldest))],
  ['svc_webhook_events_untold', 'Market events for which no deliveries have been created yet.', ({ webhooks }) => one(webhooks.untold)],
  ['svc_mails_waiting', 'Emails waiting to be sent.', ({ mails }) => one(mails.waiting)],
  ['svc_mail_oldest_due_seconds', 'Time that the oldest sendable email has waited, including failed attempts.', ({ mails }) => one(secondsSince(mails.oldest))],
]

const checks: readonly Figure[] = [
  [
    'svc_books_agree',
    '1 if the last check found no difference, either within the ledger or between the ledger and Stripe (reconciliation).',
    ({ checks: all }) => all.flatMap(({ name, faults }) => (faults === null ? [] : [{ labels: { check: name }, value: faults === 0 ? 1 : 0 }])),
  ],
  [
    'svc_books_checked_timestamp_seconds',
    'Time of the last completed check.',
    ({ checks: all }) => all.flatMap(({ name, doneAt }) => (doneAt === null ? [] : [{ labels: { check: name }, value: doneAt.getTime() / 1_000 }])),
  ],
  [
    'svc_books_check_failing',
    '1 if the last attempt to run the check failed.',
    ({ checks: all }) => all.map(({ name, failedAt }) => ({ labels: { check: name }, value: failedAt === null ? 0 : 1 })),
  ],
]

const jobs: readonly Figure[] = [
  [
    'svc_job_last_success_timestamp_seconds',
    'Time of the last successful run of a job in any process, within half a minute.',
    (figures) => figures.jobs.flatMap(({ name, okAt }) => (okAt === null ? [] : [{ labels: { name }, value: okAt.getTime() / 1_000 }])),
  ],
  [
    'svc_job_last_duration_seconds',
    'Duration of the last successful run of a job.',
    (figures) => figures.jobs.flatMap(({ name, tookMs }) => (tookMs === null ? [] : [{ labels: { name }, value: tookMs / 1_000 }])),
  ],
  [
    'svc_job_late_seconds',
    'Time by which the next successful run of a job is overdue, within half a minute.',
    (figures) => figures.jobs.map(({ name, lateSeconds }) => ({ labels: { name }, value: lateSeconds })),
  ],
  [
    'svc_job_failing',
    '1 if the last run of a job failed.',
    (figures) => figures.jobs.map(({ name, isFailing }) => ({ labels: { name }, value: isFailing ? 1 : 0 })),
  ],
]

const whole: readonly Figure[] = [
  ['svc_migrations_pending', 'Migrations of this release that have not been applied.', (figures) => one(figures.pendingMigrations)],
  ['svc_database_size_bytes', 'Size of the database.', (figures) => one(figures.bytes)],
]

/**
 * Registers the metrics that are read from the database on each scrape. While the database is down, `svc_database_up` is 0 and the other metrics are omitted.
 */
export function registerDatabase(registry: Registry, reader: DatabaseFiguresReader): void {
  const gauge = { type: 'gauge', aggregator: 'first' } as const
  register(registry, { ...gauge, aggregator: 'max', name: 'svc_database_up', help: '1 if the database responded within a second.' }, async () =>
    one((await reader.read()) === null ? 0 : 1),
  )
  for (const [name, help, read] of [...queues, ...checks, ...jobs, ...whole]) {
    register(registry, { ...gauge, name, help }, async () => {
      const figures = await reader.read()
      return figures === null ? [] : read(figures)
    })
  }
}

/** Registers the metric that shows whether this process reads history from the replica. */
export function registerReplica(registry: Registry, isUsed: () => boolean | null): void {
  const help = '1 if history is read from the replica. Absent without DATABASE_REPLICA_URL.'
  register(registry, { type: 'gauge', aggregator: 'min', name: 'svc_history_replica_used', help }, () => {
    const used = isUsed()
    return used === null ? [] : one(used ? 1 : 0)
  })
}

/** Registers the metric that shows whether the database accepts writes. It is omitted if the database does not respond: `svc_database_up` shows that. */
export function registerWritable(registry: Registry, isWritable: () => Promise<boolean | null>): void {
  const help = '1 if the database accepts writes; 0 if its disk is full or it is read-only.'
  register(registry, { type: 'gauge', aggregator: 'min', name: 'svc_database_writable', help }, async () => {
    const writable = await isWritable()
    return writable === null ? [] : one(writable ? 1 : 0)
  })
}

/** Registers the metric for the seconds by which this process's clock is ahead of the database's. */
export function registerClock(registry: Registry, skewSeconds: () => number | null): void {
  const help = "Seconds by which this process's clock is ahead of the database's, measured once a minute."
  register(registry, { type: 'gauge', aggregator: 'first', name: 'svc_clock_skew_seconds', help }, () => {
    const skew = skewSeconds()
    return skew === null ? [] : one(skew)
  })
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
  const gauge = { type: 'gauge', aggregator: 'max' } as const
  const perDataset = (value: (name: Dataset) => number | null): Sample[] =>
    datasets.flatMap((dataset) => {
      const found = value(dataset)
      return found === null ? [] : [{ labels: { dataset }, value: found }]
    })
  register(registry, { ...gauge, name: 'svc_market_version', help: 'Version of the market data that this process serves.' }, () => one(market().version))
  register(registry, { ...gauge, name: 'svc_market_products', help: 'Listed products in the market data that this process serves.' }, () =>
    perDataset((name) => market().dataset(name).productCount),
  )
  register(registry, { ...gauge, name: 'svc_market_changed_timestamp_seconds', help: 'Time of the last rate change in the market.' }, () =>
    perDataset((name) => {
      const { asOf } = market().dataset(name).figures
      return asOf === null ? null : Date.parse(asOf) / 1_000
    }),
  )
}

/** Registers the metrics of this process: connection pools, market, disk, build and Node's default metrics. */
export function registerProcess(registry: Registry, { pools, market, roles, release, dataDir }: ProcessParts): void {
  collectDefaultMetrics({ register: registry })
  const gauge = { type: 'gauge', aggregator: 'sum' } as const
  register(registry, { ...gauge, name: 'svc_pool_connections', help: 'Busy and idle connections of a pool, and requests waiting for one.' }, () =>
    poolSamples(pools),
  )
  register(registry, { ...gauge, name: 'svc_pool_connections_max', help: 'Maximum connections of a pool.' }, () =>
    [...pools].map(([pool, { options }]) => ({ labels: { pool }, value: options.max })),
  )
  register(registry, { ...gauge, aggregator: 'first', name: 'svc_data_disk_bytes', help: 'Free space and size of the disk of the embedded database.' }, () =>
    diskSamples(dataDir),
  )
  registerMarket(registry, market)
  register(registry, { ...gauge, aggregator: 'first', name: 'svc_build_info', help: 'Release, Node.js version and roles of this process.' }, () => [
    { labels: { release, node: process.version, roles: [...roles].join('+') }, value: 1 },
  ])
  const startedAt = (clock.now() - process.uptime() * 1_000) / 1_000
  register(registry, { ...gauge, aggregator: 'max', name: 'svc_process_started_timestamp_seconds', help: 'Start time of the newest process.' }, () =>
    one(startedAt),
  )
  register(registry, { ...gauge, name: 'svc_processes', help: 'Processes included in this scrape.' }, () => one(1))
}
