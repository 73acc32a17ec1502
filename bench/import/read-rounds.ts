import { accountTypeValues } from '../../server/contract/account-types.ts'
import { makeKeys } from '../accounts.ts'
import { type BenchDatabase, settle } from '../database.ts'
import { runLoad } from '../load/run-load.ts'
import { type Running, startOurs } from '../processes.ts'
import { readOnce } from './pages.ts'

/** Answers a second. `hot`: one page, which is shared; `cold`: pages that are each built. */
export const readings = ['rates hot', 'rates cold', 'history hot', 'history cold'] as const

export type Reading = (typeof readings)[number]

export type ReadRound = Readonly<Record<Reading, { readonly small: number; readonly large: number }>>

const connections = 32
const types = accountTypeValues.filter((type) => type !== 'all')
const dayMs = 86_400_000

/** The last days of history: every market of the benchmark has them. */
const lastDay = (daysAgo: number) => new Date(Date.parse('2026-11-15') - daysAgo * dayMs).toISOString().slice(0, 10)

/** Targets that no round has asked for before: the number of the round is in each of them. */
function coldTargets(of: 'rates' | 'history', round: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const type = types[index % types.length]
    const place = Math.floor(index / types.length)
    // A limit of its own is a page of its own, and pages of 44 to 50 rows cost about the same.
    const limit = 50 - (round % 7)
    return of === 'rates' ? `/v1/rates?type=${type}&limit=${limit}&amount=${1000 + place}` : `/v1/history?type=${type}&limit=${limit}&to=${lastDay(place)}`
  })
}

export type Side = { readonly database: BenchDatabase; readonly running: Running; readonly keys: readonly string[] }

/** A service on a database, with keys that nothing stops. */
export async function openSide(database: BenchDatabase, name: string): Promise<Side> {
  const keys = await makeKeys(database.pool, name, 20)
  await settle(database.pool)
  return { database, running: await startOurs({ databaseUrl: database.url, dataDir: database.dataDir, roles: 'gateway' }), keys }
}

type Amount = { readonly seconds: number; readonly coldPages: number; readonly signal: AbortSignal }

async function readSide({ running, keys }: Side, reading: Reading, round: number, { seconds, coldPages, signal }: Amount): Promise<number> {
  const [of, heat] = reading.split(' ') as ['rates' | 'history', 'hot' | 'cold']
  const [port = 0] = running.ports
  if (heat === 'cold') return await readOnce(port, coldTargets(of, round, coldPages), keys[0] ?? '', connections)
  const target = { path: `/v1/${of}?limit=10`, headers: [], body: null }
  const result = await runLoad({ ports: running.ports, request: target, keys, connections, seconds, warmUpSeconds: 0.5 }, signal)
  if (result.notOk > 0) throw new Error(`${target.path}: ${result.firstFault}`)
  return result.requestsPerSecond
}

/** Both sides one after the other, in turns; every second round backwards. */
export async function readRound(small: Side, large: Side, round: number, amount: Amount): Promise<ReadRound> {
  const entries: [Reading, { small: number; large: number }][] = []
  for (const reading of readings) {
    const measured = { small: 0, large: 0 }
    const sides = [['small', small] as const, ['large', large] as const]
    for (const [name, side] of round % 2 === 0 ? sides : sides.toReversed()) measured[name] = await readSide(side, reading, round, amount)
    entries.push([reading, measured])
  }
  return Object.fromEntries(entries) as ReadRound
}
