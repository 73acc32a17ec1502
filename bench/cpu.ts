import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds in a clock tick of /proc on Linux; elsewhere there is no /proc and nothing is told. */
const tickMicros = 10_000

function processOf(pid: number | string): { parent: number; micros: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), micros: (Number(fields[11]) + Number(fields[12])) * tickMicros }
  } catch {
    return null // No Linux, or the process has just ended.
  }
}

/** Processor time of processes so far, in microseconds. */
export function cpuMicrosOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processOf(pid)?.micros ?? 0), 0)
}

/** Processor time of the children of a process so far: the backends of a PostgreSQL, the workers of an nginx. */
export function cpuMicrosOfChildren(parent: number): number {
  if (processOf(parent) === null) return 0
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.reduce((sum, pid) => {
    const found = processOf(pid)
    return found?.parent === parent ? sum + found.micros : sum
  }, 0)
}

export type MachineTimes = { readonly busy: number; readonly total: number }

/** What all processors of the machine have done so far, to tell how busy it was; null where there is no /proc. */
export function machineTimes(): MachineTimes | null {
  try {
    const numbers = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/).slice(1).map(Number)
    const total = numbers.reduce((sum, number) => sum + number, 0)
    return { total, busy: total - (numbers[3] ?? 0) - (numbers[4] ?? 0) }
  } catch {
    return null
  }
}
