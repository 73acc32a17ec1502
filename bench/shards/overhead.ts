/** Measures the overhead of directory and shards relative to one database, in alternating samples. */
import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { microsBetween, readTimes } from '../cpu.ts'
import { median } from '../figures.ts'
import { type Shard, ShardedGateway } from './gateway.ts'
import type { ShardMap } from './shard-map.ts'
import type { Home } from './shards.store.ts'

export type Arrangement = { readonly name: string; readonly gateway: ShardedGateway; readonly homes: readonly Home[] }

type Sample = { readonly perSecond: number; readonly nodeMicros: number; readonly databaseMicros: number }

export type Overhead = { readonly name: string } & Sample

/** Concurrent calls: two full batches. */
const inFlight = 512

export async function openArrangement(
  name: string,
  directory: Pool,
  map: ShardMap,
  shards: readonly Shard[],
  homes: readonly Home[],
  log: Log,
): Promise<Arrangement> {
  const gateway = new ShardedGateway(directory, map, shards, log)
  await gateway.open()
  return { name, gateway, homes }
}

async function sample({ gateway, homes }: Arrangement, seconds: number, servers: readonly number[]): Promise<Sample> {
  const until = performance.now() + seconds * 1_000
  const [own, database, from] = [process.cpuUsage(), readTimes(servers), performance.now()]
  let calls = 0
  const one = async (at: number) => {
    for (let turn = at; performance.now() < until; turn += inFlight) {
      const { outcome } = await gateway.call({ keyHash: homes[turn % homes.length]?.keyHash ?? Buffer.alloc(0), units: 1 })
      if (outcome?.credits !== 1) throw new Error('A measured call was not charged.')
      calls++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, at) => one(at)))
  const { user, system } = process.cpuUsage(own)
  return {
    perSecond: (calls * 1_000) / (performance.now() - from),
    nodeMicros: (user + system) / calls,
    databaseMicros: microsBetween(database, readTimes(servers)) / calls,
  }
}

/** Returns medians over rounds; every second round is in reverse order, so that slow moments of the machine affect all set-ups. */
export async function measureOverhead(arrangements: readonly Arrangement[], rounds: number, seconds: number, servers: readonly number[]): Promise<Overhead[]> {
  const samples = new Map<string, Sample[]>()
  for (const arrangement of arrangements) await sample(arrangement, 0.5, servers)
  for (let round = 0; round < rounds; round++) {
    for (const arrangement of round % 2 === 0 ? arrangements : arrangements.toReversed()) {
      samples.set(arrangement.name, [...(samples.get(arrangement.name) ?? []), await sample(arrangement, seconds, servers)])
    }
  }
  return [...samples].map(([name, all]) => {
    const middle = (of: keyof Sample) => median(all.map((one) => one[of])) ?? 0
    return { name, perSecond: middle('perSecond'), nodeMicros: middle('nodeMicros'), databaseMicros: middle('databaseMicros') }
  })
}
