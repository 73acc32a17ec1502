import { readFileSync } from 'node:fs'
import { median } from '../figures.ts'
import { measureOnce, type Sample, type Subject } from '../measure.ts'

/** How much is measured: rounds of samples, and how far each thing grows. */
export type Size = {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly signal: AbortSignal
  readonly processes: readonly number[]
  readonly logRows: readonly number[]
  readonly keys: readonly number[]
  readonly products: readonly number[]
}

/** One line of a table: a size, its medians, and how many calls a second it gave for one of what it is compared with, round by round. */
export type Line = { readonly size: string; readonly sample: Sample; readonly ratio: number; readonly more: readonly string[] }

/** What grew, what the lines are compared with, and the columns that only this table has. */
export type Table = { readonly title: string; readonly against: string; readonly columns: readonly string[]; readonly lines: readonly Line[] }

export const connections = 128

/** Each figure of the samples by itself: its median. */
function middleOf(samples: readonly Sample[]): Sample {
  const of = (figure: (sample: Sample) => number) => median(samples.map(figure)) ?? 0
  const others = samples.map(({ takenByOthers }) => takenByOthers)
  return {
    requestsPerSecond: of((one) => one.requestsPerSecond),
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
    longestMs: of((one) => one.longestMs),
    loadCpuMicros: of((one) => one.loadCpuMicros),
    serverCpuMicros: of((one) => one.serverCpuMicros),
    databaseCpuMicros: of((one) => one.databaseCpuMicros),
    takenByOthers: others.includes(null) ? null : median(others.map((share) => share ?? 0)),
  }
}

export type Compared = { readonly sample: Sample; readonly ratio: number }

/** Measures subjects in alternating rounds. The ratio of each is the median of its ratios to the first within a round, so that a slow minute slows both. */
export async function compare(subjects: readonly Subject[], size: Size, prepare?: (at: number) => void): Promise<Compared[]> {
  const samples: Sample[][] = subjects.map(() => [])
  for (let round = 0; round < size.rounds; round++) {
    const order = subjects.map((_, at) => at)
    for (const at of round % 2 === 0 ? order : order.toReversed()) {
      const subject = subjects[at]
      if (!subject) continue
      prepare?.(at)
      samples[at]?.push(await measureOnce({ label: `subject ${at + 1}`, accounts: 'spread', connections }, subject, size))
    }
  }
  return samples.map((own) => ({
    sample: middleOf(own),
    ratio: median(own.map(({ requestsPerSecond }, round) => requestsPerSecond / (samples[0]?.[round]?.requestsPerSecond ?? 1))) ?? 0,
  }))
}

/** Megabytes that processes hold in all; null where the system does not tell. */
export function memoryMegabytes(pids: readonly number[]): number | null {
  try {
    const kilobytes = pids.map((pid) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
    return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024)
  } catch {
    return null // No Linux.
  }
}

/** How long something took, in milliseconds, and what it gave. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ readonly ms: number; readonly result: Result }> {
  const from = performance.now()
  const result = await work()
  return { ms: performance.now() - from, result }
}

export const count = (value: number): string => value.toLocaleString('en-GB', { maximumFractionDigits: 0 })
