import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { makeKeys } from '../accounts.ts'
import { microsBetween, readTimes } from '../cpu.ts'
import { type BenchDatabase, settle } from '../database.ts'
import { runLoad } from '../load/run-load.ts'
import { type Running, startOurs } from '../processes.ts'
import { readOnce } from './pages.ts'

/** `hot`: the same cached page every time; `cold`: a different, uncached page every time. */
export const readings = ['rates hot', 'rates cold', 'history hot', 'history cold'] as const

export type Reading = (typeof readings)[number]

/** Responses a second, and CPU microseconds of the service and its PostgreSQL per response; 0 if unknown. */
export type Speed = { readonly perSecond: number; readonly cpuMicros: number }

export type ReadRound = Readonly<Record<Reading, { readonly small: Speed; readonly large: Speed }>>

const connections = 32
const types = accountTypeValues.filter((type) => type !== 'all')
const dayMs = 86_400_000

/** Returns a date near the end of the history, which all benchmark markets include. */
const lastDay = (daysAgo: number) => new Date(Date.parse('2026-11-15') - daysAgo * dayMs).toISOString().slice(0, 10)

/** Returns targets that no earlier round has requested: each contains the round number. */
function coldTargets(of: 'rates' | 'history', round: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const type = types[index % types.length]
    const place = Math.floor(index / types.length)
    // Each limit is a separate page, and pages of 44 to 50 rows cost about the same.
    const limit = 50 - (round % 7)
    return of === 'rates' ? `/v1/rates?type=${type}&limit=${limit}&amount=${1000 + place}` : `/v1/history?type=${type}&limit=${limit}&to=${lastDay(place)}`
  })
}

export type Side = { readonly database: BenchDatabase; readonly running: Running; readonly keys: readonly string[] }

/** Creates keys that never reach a limit, and starts a gateway on the database. */
export async function openSide(database: BenchDatabase, name: string): Promise<Side> {
  const keys = await makeKeys(database.pool, name, 20)
  await settle(database.pool)
  return { database, running: await startOurs({ databaseUrl: database.url, dataDir: database.dataDir, roles: 'gateway' }), keys }
}

type Amount = { readonly slices: number; readonly seconds: number; readonly coldPages: number; readonly signal: AbortSignal }

/** Result of one slice. `cpuMicros` is the CPU time of the `computed` responses, which include those of the warm-up. */
type Slice = { readonly answers: number; readonly seconds: number; readonly cpuMicros: number; readonly computed: number }

async function readSlice(side: Side, reading: Reading, targets: readonly string[], { seconds, signal }: Amount): Promise<Slice> {
  const { running, keys, database } = side
  const [port = 0] = running.ports
  const pids = [...running.pids, database.pid]
  const before = readTimes(pids)
  if (reading.endsWith('cold')) {
    const took = await readOnce(port, targets, keys[0] ?? '', connections)
    return { answers: targets.length, seconds: took, cpuMicros: microsBetween(before, readTimes(pids)), computed: targets.length }
  }
  const target = { path: targets[0] ?? '', headers: [], body: null }
  const result = await runLoad({ ports: running.ports, request: target, keys, connections, seconds, warmUpSeconds: 0.3 }, signal)
  if (result.notOk > 0) throw new Error(`${target.path}: ${result.firstFault}`)
  return { answers: result.requestsPerSecond * seconds, seconds, cpuMicros: microsBetween(before, readTimes(pids)), computed: result.answered }
}

function toSpeed(slices: readonly Slice[]): Speed {
  const sum = (of: (slice: Slice) => number) => slices.reduce((total, slice) => total + of(slice), 0)
  return {
    perSecond: sum(({ answers }) => answers) / sum(({ seconds }) => seconds),
    cpuMicros: sum(({ cpuMicros }) => cpuMicros) / sum(({ computed }) => computed),
  }
}

/** Measures both markets in short slices (small, large, large, small and so on), so that slow moments of the machine affect both. */
async function readInTurns(sides: readonly [Side, Side], reading: Reading, round: number, amount: Amount): Promise<{ small: Speed; large: Speed }> {
  const [of, heat] = reading.split(' ') as ['rates' | 'history', 'hot' | 'cold']
  const targets = heat === 'cold' ? coldTargets(of, round, amount.coldPages) : [`/v1/${of}?limit=10`]
  const small: Slice[] = []
  const large: Slice[] = []
  const perSlice = Math.ceil(targets.length / amount.slices)
  for (let slice = 0; slice < amount.slices; slice++) {
    const piece = heat === 'cold' ? targets.slice(slice * perSlice, (slice + 1) * perSlice) : targets
    const turns = [
      { side: sides[0], into: small },
      { side: sides[1], into: large },
    ]
    for (const { side, into } of (round + slice) % 2 === 0 ? turns : turns.toReversed()) into.push(await readSlice(side, reading, piece, amount))
  }
  return { small: toSpeed(small), large: toSpeed(large) }
}

export async function readRound(small: Side, large: Side, round: number, amount: Amount): Promise<ReadRound> {
  const entries: [Reading, { small: Speed; large: Speed }][] = []
  for (const reading of readings) entries.push([reading, await readInTurns([small, large], reading, round, amount)])
  return Object.fromEntries(entries) as ReadRound
}
