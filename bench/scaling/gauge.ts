import { readFileSync } from 'node:fs'
import { median } from '../figures.ts'
import { measureOnce, type Sample, type Subject } from '../measure.ts'

/** Number of rounds and maximum sizes of a measurement. */
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

/** Row of a table: a size, its medians, and the ratio of its calls a second to the baseline's. */
export type Line = { readonly size: string; readonly sample: Sample; readonly ratio: number; readonly more: readonly string[] }

/** A table: the dimension that grows, its baseline, and its additional columns. */
export type Table = { readonly title: string; readonly against: string; readonly columns: readonly string[]; readonly lines: readonly Line[] }

export const connections = 128

/** Returns the median of each figure of the samples. */
function medianSample(samples: readonly Sample[]): Sample {
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

/** Measures subjects in alternating rounds. The ratio is the median of each round's ratio to the first subject, so that slow phases affect both. */
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
    sample: medianSample(own),
    ratio: median(own.map(({ requestsPerSecond }, round) => requestsPerSecond / (samples[0]?.[round]?.requestsPerSecond ?? 1))) ?? 0,
  }))
}

/** Total memory of processes in megabytes; null if unknown. */
export function memoryMegabytes(pids: readonly number[]): number | null {
  try {
    const kilobytes = pids.map((pid) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
    return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024)
  } catch {
    return null // Not Linux.
  }
}

/** Returns the duration in milliseconds and the result. */
export async function timed<Result>(work: () => Promise<Result>): Promise<{ readonly ms: number; readonly result: Result }> {
  const from = performance.now()
  const result = await work()
  return { ms: performance.now() - from, result }
}

export const count = (value: number): string => value.toLocaleString('en-GB', { maximumFractionDigits: 0 })
