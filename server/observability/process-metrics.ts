import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { clock } from '#server/clock.ts'
import { type Dataset, datasets } from '#server/market/dataset.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import { one, register, type Sample } from './metric.ts'

/** Gauges of a connection pool, as `pg` exposes them. */
export type PoolGauges = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number; readonly options: { readonly max: number } }

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
    // A missing folder has no figures; the database metrics show the failure.
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

/** Registers the metrics of this process: connection pools, market, disk, build and Node's defaults. */
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
