/** Reads CPU times from /proc, which exists only on Linux. On other systems, they are not reported. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const tickMicros = 10_000

/** Cores available to us, counted before any process is pinned. */
export const processors = availableParallelism()

/** CPU time that each process of a process tree has used so far, in microseconds, by process id. */
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

/** Reads the CPU times of processes and their children, such as a PostgreSQL server with its backends. Empty on systems without /proc. */
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

/** Returns the microseconds of CPU time that a process tree used between two readings. Processes that ended in between are ignored. */
export function microsBetween(from: PoolTimes, to: PoolTimes): number {
  return [...to].reduce((sum, [pid, micros]) => sum + micros - (from.get(pid) ?? 0), 0)
}

/** Returns the CPU time that all cores have used so far, in microseconds, or null without /proc. */
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

/** Returns the share of the machine's CPU capacity used by `micros` of CPU time within `ms` of wall-clock time. */
export const shareOfMachine = (micros: number, ms: number): number => micros / (ms * 1000 * processors)
