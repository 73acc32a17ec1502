import type { Pool } from 'pg'
import type { Accounts, Case, ServerName } from './cases.ts'
import { cpuMicrosOf, cpuMicrosOfChildren, machineTimes } from './cpu.ts'
import type { LoadResult } from './load/load-types.ts'
import { runLoad } from './load/run-load.ts'
import type { Options } from './options.ts'
import type { Running } from './processes.ts'
import { chargedSoFar, proveAnswers, proveCharges } from './proof.ts'

/** A server with live keys for it and the database that it charges in; no database: it charges nothing. */
export type Subject = {
  readonly running: Running
  readonly keys: Readonly<Record<Accounts, readonly string[]>>
  readonly database: { readonly pool: Pool; readonly pid: number } | null
}
export type Subjects = ReadonlyMap<ServerName, Subject>

/** One round of one case. Processor times are microseconds a request; 0 where the system does not tell. */
export type Sample = Pick<LoadResult, 'requestsPerSecond' | 'p50Ms' | 'p99Ms' | 'longestMs' | 'loadCpuMicros'> & {
  readonly serverCpuMicros: number
  readonly databaseCpuMicros: number
  /** Share of the machine that was idle, whoever used the rest. */
  readonly idle: number | null
}

export type Measured = ReadonlyMap<string, readonly Sample[]>

const path = '/v1/rates?limit=10'

type Load = { readonly connections: number; readonly seconds: number; readonly warmUpSeconds: number }

const load = ({ running, keys }: Subject, accounts: Accounts, amount: Load) => runLoad({ ports: running.ports, path, keys: keys[accounts], ...amount })

async function measureOnce(one: Case, subject: Subject, { seconds, warmUpSeconds }: Options): Promise<Sample> {
  const { running, database } = subject
  const before = database && (await chargedSoFar(database.pool))
  const cpu = () => ({ server: cpuMicrosOf(running.pids), database: database ? cpuMicrosOfChildren(database.pid) : 0, machine: machineTimes() })
  const from = cpu()
  const result = await load(subject, one.accounts ?? 'spread', { connections: one.connections, seconds, warmUpSeconds })
  const to = cpu()
  proveAnswers(one.label, result)
  if (database && before) await proveCharges(one.label, database.pool, before, result)
  const { requestsPerSecond, p50Ms, p99Ms, longestMs, loadCpuMicros } = result
  const isIdleKnown = from.machine !== null && to.machine !== null
  return {
    requestsPerSecond,
    p50Ms,
    p99Ms,
    longestMs,
    loadCpuMicros,
    serverCpuMicros: (to.server - from.server) / result.answered,
    databaseCpuMicros: (to.database - from.database) / result.answered,
    idle: isIdleKnown ? 1 - (to.machine.busy - from.machine.busy) / (to.machine.total - from.machine.total) : null,
  }
}

/** Lets every server compile its code before anything is measured. */
async function warmUp(cases: readonly Case[], subjects: Subjects, seconds: number): Promise<void> {
  for (const server of new Set(cases.map((one) => one.server))) {
    const subject = subjects.get(server)
    if (!subject) continue
    const result = await load(subject, 'spread', { connections: 32, seconds, warmUpSeconds: 0 })
    proveAnswers(`warming up ${server}`, result)
  }
}

/** Measures the cases in alternating rounds, so that a slow minute of the machine slows all of them. Every second round goes backwards. */
export async function measure(cases: readonly Case[], subjects: Subjects, options: Options): Promise<Measured> {
  const measured = new Map<string, Sample[]>()
  await warmUp(cases, subjects, options.quick ? 1 : 3)
  for (let round = 0; round < options.rounds; round++) {
    for (const one of round % 2 === 0 ? cases : cases.toReversed()) {
      const subject = subjects.get(one.server)
      if (!subject) continue
      const sample = await measureOnce(one, subject, options)
      measured.set(one.id, [...(measured.get(one.id) ?? []), sample])
      console.log(`  round ${round + 1}  ${one.id.padEnd(22)} ${sample.requestsPerSecond.toFixed(0).padStart(7)} req/s  p99 ${sample.p99Ms.toFixed(2)} ms`)
    }
  }
  return measured
}
