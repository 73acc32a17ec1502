import { availableParallelism, cpus, totalmem } from 'node:os'
import { type Case, caseId, type ServerName } from './cases.ts'
import { median, medianFigure, medianRatio, p99Ms, requestsPerSecond } from './figures.ts'
import type { Measured, Sample } from './measure.ts'
import type { Target } from './targets.ts'

export type Report = {
  readonly at: string
  readonly machine: string
  readonly rounds: number
  readonly secondsARound: number
  readonly bodyBytes: number
  readonly rows: readonly Row[]
  readonly targets: readonly Target[]
  readonly samples: Readonly<Record<string, readonly Sample[]>>
}

export type Row = {
  readonly label: string
  readonly connections: number
  /** Reason for a missing result, or null. */
  readonly missing: string | null
  readonly requestsPerSecond: number | null
  readonly ofBare: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** CPU time per request in microseconds: server, PostgreSQL and load generator. */
  readonly cpuMicros: readonly [number | null, number | null, number | null]
}

export function machineName(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${gigabytes} GiB, Node ${process.version}, ${process.platform}`
}

export function toRows(cases: readonly Case[], measured: Measured, missing: ReadonlyMap<ServerName, string>): Row[] {
  return cases.flatMap(({ id, label, server, connections }) => {
    const why = missing.get(server) ?? null
    if (why === null && !measured.has(id)) return []
    const figure = (of: (sample: Sample) => number) => medianFigure(measured, id, of)
    const cpu = [figure((s) => s.serverCpuMicros), figure((s) => s.databaseCpuMicros), figure((s) => s.loadCpuMicros)] as const
    return [
      {
        label,
        connections,
        missing: why,
        requestsPerSecond: figure(requestsPerSecond),
        ofBare: medianRatio(measured, id, caseId('bare', null, connections), requestsPerSecond),
        p50Ms: figure((s) => s.p50Ms),
        p99Ms: figure(p99Ms),
        cpuMicros: cpu,
      },
    ]
  })
}

export const formatNumber = (number: number | null, digits = 0): string =>
  number === null ? '–' : number.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })

function line(row: Row): string {
  if (row.missing !== null) return `| ${row.label} | ${row.connections} | ${row.missing} | | | | |`
  const cpu = row.cpuMicros.map((micros) => formatNumber(micros, 0)).join(' + ')
  const { connections: c } = row
  return `| ${row.label} | ${c} | ${formatNumber(row.requestsPerSecond, 0)} | ${formatNumber(row.ofBare, 3)} | ${formatNumber(row.p50Ms, 2)} | ${formatNumber(row.p99Ms, 2)} | ${cpu} |`
}

function targetLine({ text: what, wanted, isCeiling, unit, ratio, reached }: Target): string {
  const verdict = reached === null ? 'not measured' : reached ? 'reached' : 'NOT reached'
  return `| ${what} | ${isCeiling ? 'at most' : 'at least'} ${formatNumber(wanted, wanted < 1 ? 2 : 0)}${unit} | ${ratio === null ? '–' : `${formatNumber(ratio, 2)}${unit}`} | ${verdict} |`
}

/** Describes how much CPU time other programs used. If it was high, the absolute numbers are unreliable. */
function disturbance(samples: readonly Sample[]): string {
  const shares = samples.flatMap(({ takenByOthers }) => (takenByOthers === null ? [] : [takenByOthers * 100]))
  const middle = median(shares)
  if (middle === null) return 'CPU use of other programs is unknown on this system.'
  const calm = 'low enough to trust these numbers.'
  return `Other programs took ${formatNumber(middle, 0)} % of the CPU time (median; ${formatNumber(Math.max(...shares), 0)} % at worst): ${middle > 15 ? 'TOO HIGH to trust these numbers.' : calm}`
}

/** Formats the report as Markdown that is also readable in a terminal. */
export function formatReport(report: Report): string {
  return [
    '# Benchmark',
    '',
    `${report.at}, ${report.machine}. Median of ${report.rounds} alternating round${report.rounds === 1 ? '' : 's'} of ${report.secondsARound} s;`,
    `body of ${report.bodyBytes.toLocaleString('en-GB')} bytes; every metered response was a 200 and was charged, and the ledger was exact after each run.`,
    disturbance(Object.values(report.samples).flat()),
    '',
    '| server | connections | req/s | vs. bare node:http | p50 ms | p99 ms | CPU µs per request: server + PostgreSQL + load |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...report.rows.map(line),
    '',
    '| promise | target | measured | |',
    '|---|---|---:|---|',
    ...report.targets.map(targetLine),
    '',
  ].join('\n')
}
