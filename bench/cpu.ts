/** CPU times from /proc, on Linux only; elsewhere they are unknown and not reported. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const tickMicros = 10_000

/** Cores available to us, counted before any process is pinned. */
export const processors = availableParallelism()

/** Returns the CPU time so far, in microseconds, of each process in a process tree. */
export type PoolTimes = ReadonlyMap<number, number>

function readProcess(pid: number): { parent: number; micros: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), micros: (Number(fields[11]) + Number(fields[12])) * tickMicros }
  } catch {
    return null // Not Linux, or the process has just ended.
  }
}

/** Returns processes and their children: a service, a PostgreSQL with its backends, an nginx with its workers. */
export function readTimes(pids: readonly number[]): PoolTimes {
  const times = new Map<number, number>()
  if (!pids.some((pid) => readProcess(pid))) return times
  for (const name of readdirSync('/proc')) {
    const pid = /^\d+$/.test(name) ? Number(name) : 0
    const found = pid > 0 ? readProcess(pid) : null
    if (found && (pids.includes(pid) || pids.includes(found.parent))) times.set(pid, found.micros)
  }
  return times
}

/** CPU time of a process tree between two moments. Processes that ended in between are ignored. */
export function microsBetween(from: PoolTimes, to: PoolTimes): number {
  return [...to].reduce((sum, [pid, micros]) => sum + micros - (from.get(pid) ?? 0), 0)
}

/** CPU time of all cores so far, in microseconds; null without /proc. */
export function machineMicros(): number | null {
  try {
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number)
    return (user + nice + system + irq + softirq) * tickMicros
  } catch {
    return null
  }
}

/** Share of the machine that `micros` of CPU time represent within `ms` of time. */
export const shareOfMachine = (micros: number, ms: number): number => micros / (ms * 1000 * processors)
