import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/prisma.ts'
import { type Accounts, type Case, measuringOrder, type ServerName } from './cases.ts'
import { machineMicros, microsBetween, readTimes, shareOfMachine } from './cpu.ts'
import type { LoadRequest, LoadResult } from './load/load-types.ts'
import { runLoad } from './load/run-load.ts'
import type { Options } from './options.ts'
import type { Running } from './processes.ts'
import { chargedSoFar, proveAnswers, proveCharges } from './proof.ts'

/** Server under test, with its live keys and its database. Without a database, calls are not charged. */
export type Subject = {
  readonly running: Running
  readonly request: LoadRequest
  readonly keys: Readonly<Record<Accounts, readonly string[]>>
  readonly database: { readonly pool: Database; readonly pid: number } | null
}
export type Subjects = ReadonlyMap<ServerName, Subject>

/** Result of one round of one case. CPU times are in microseconds per request; 0 if unknown. */
export type Sample = Pick<LoadResult, 'requestsPerSecond' | 'p50Ms' | 'p99Ms' | 'longestMs' | 'loadCpuMicros'> & {
  readonly serverCpuMicros: number
  readonly databaseCpuMicros: number
  /** Share of the machine's CPU time used by unrelated programs; null if unknown. */
  readonly takenByOthers: number | null
}

export type Measured = ReadonlyMap<string, readonly Sample[]>

type Load = { readonly connections: number; readonly seconds: number; readonly warmUpSeconds: number }

const load = ({ running, request, keys }: Subject, accounts: Accounts, amount: Load, signal: AbortSignal) =>
  runLoad({ port: running.port, request, keys: keys[accounts], ...amount }, signal)

type Asked = Pick<Case, 'label' | 'accounts' | 'connections'>

export async function measureOnce(
  one: Asked,
  subject: Subject,
  { seconds, warmUpSeconds, signal }: Pick<Options, 'seconds' | 'warmUpSeconds' | 'signal'>,
): Promise<Sample> {
  const { running, database } = subject
  const before = database && (await chargedSoFar(database.pool))
  const now = () => ({ server: readTimes(running.pids), database: readTimes(database ? [database.pid] : []), machine: machineMicros(), at: performance.now() })
  const from = now()
  const result = await load(subject, one.accounts ?? 'spread', { connections: one.connections, seconds, warmUpSeconds }, signal)
  const to = now()
  proveAnswers(one.label, result)
  if (database && before) await proveCharges(one.label, database.pool, before, result)
  const { requestsPerSecond, p50Ms, p99Ms, longestMs, loadCpuMicros, answered } = result
  const server = microsBetween(from.server, to.server)
  const ofDatabase = microsBetween(from.database, to.database)
  const others = from.machine !== null && to.machine !== null ? to.machine - from.machine - server - ofDatabase - loadCpuMicros * answered : null
  return {
    requestsPerSecond,
    p50Ms,
    p99Ms,
    longestMs,
    loadCpuMicros,
    serverCpuMicros: server / answered,
    databaseCpuMicros: ofDatabase / answered,
    takenByOthers: others === null ? null : Math.max(0, shareOfMachine(others, to.at - from.at)),
  }
}

/** Maximum share of the machine's CPU time that other programs may use before a sample counts as disturbed. */
const disturbedAbove = 0.15
const calmTimeoutMs = 20_000

/** Waits up to 20 seconds for other programs to finish. The servers are idle at this point, so any CPU use comes from other programs. */
async function waitForCalm(signal: AbortSignal): Promise<void> {
  for (const end = performance.now() + calmTimeoutMs; performance.now() < end; ) {
    const from = machineMicros()
    if (from === null) return
    await sleep(500, undefined, { signal })
    if (shareOfMachine((machineMicros() ?? from) - from, 500) < disturbedAbove) return
  }
}

/** Repeats the measurement while other programs disturb it, up to a maximum number of attempts. Returns the least disturbed sample. */
async function measureCalmly(one: Case, subject: Subject, options: Options): Promise<Sample> {
  let best: Sample | null = null
  for (let attempt = 0; attempt < options.attempts; attempt++) {
    if (options.attempts > 1) await waitForCalm(options.signal)
    const sample = await measureOnce(one, subject, options)
    if (!best || (sample.takenByOthers ?? 0) < (best.takenByOthers ?? 0)) best = sample
    if ((best.takenByOthers ?? 0) <= disturbedAbove) break
  }
  if (!best) throw new Error('attempts must be at least 1.')
  return best
}

/** Warms up every server, so that its code is compiled before the measurement. */
async function warmUp(cases: readonly Case[], subjects: Subjects, { quick, signal }: Options): Promise<void> {
  for (const server of new Set(cases.map((one) => one.server))) {
    const subject = subjects.get(server)
    if (!subject) continue
    const result = await load(subject, 'spread', { connections: 32, seconds: quick ? 1 : 3, warmUpSeconds: 0 }, signal)
    proveAnswers(`warming up ${server}`, result)
  }
}

function progress(round: number, one: Case, { requestsPerSecond, p99Ms, takenByOthers }: Sample): string {
  const others =
    takenByOthers === null || takenByOthers <= disturbedAbove ? '' : `  disturbed: other programs took ${(takenByOthers * 100).toFixed(0)} % of the machine`
  return `  round ${round + 1}  ${one.id.padEnd(22)} ${requestsPerSecond.toFixed(0).padStart(7)} req/s  p99 ${p99Ms.toFixed(2)} ms${others}`
}

/** Measures the cases in rounds, every second round in reverse order, so that slow phases of the machine affect all cases equally. */
export async function measure(cases: readonly Case[], subjects: Subjects, options: Options): Promise<Measured> {
  const measured = new Map<string, Sample[]>()
  await warmUp(cases, subjects, options)
  const ordered = measuringOrder(cases)
  for (let round = 0; round < options.rounds; round++) {
    for (const one of round % 2 === 0 ? ordered : ordered.toReversed()) {
      const subject = subjects.get(one.server)
      if (!subject) continue
      const sample = await measureCalmly(one, subject, options)
      measured.set(one.id, [...(measured.get(one.id) ?? []), sample])
      console.log(progress(round, one, sample))
    }
  }
  return measured
}
