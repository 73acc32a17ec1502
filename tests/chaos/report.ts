/** Report of a chaos run in Markdown. */
import { cpus } from 'node:os'
import type { Availability } from './load-kind.ts'

export type Recovery = { readonly disaster: string; readonly ms: number | null }

export type Outcome = {
  readonly isCluster: boolean
  readonly minutes: number
  readonly seed: number
  readonly clients: number
  readonly startedAt: Date
  readonly loads: readonly (Availability & { readonly name: string })[]
  readonly recoveries: readonly Recovery[]
  readonly notDone: readonly string[]
  readonly starts: readonly { readonly name: string; readonly starts: number }[]
  readonly figures: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

const shownFaults = 200

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`)
const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${(ms / 1_000).toFixed(1)} s`)

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '--:'))), ...rows.map(line), '']
}

function recoveryRows(recoveries: readonly Recovery[]) {
  return [...Map.groupBy(recoveries, ({ disaster }) => disaster)].map(([disaster, ofIt]) => {
    const times = ofIt.flatMap(({ ms }) => (ms === null ? [] : [ms])).toSorted((a, b) => a - b)
    return [disaster, ofIt.length, seconds(times[Math.floor((times.length - 1) / 2)]), seconds(times.at(-1)), ofIt.length - times.length]
  })
}

export function getReport(outcome: Outcome): string {
  const { isCluster, loads, recoveries, notDone, starts, figures, faults } = outcome
  const lines = [
    isCluster ? '# Chaos run on a Citus cluster' : '# Chaos run',
    '',
    `${outcome.startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${outcome.minutes} minutes, seed ${outcome.seed}, ${outcome.clients} \`/v1\` clients and the other load, on`,
    `${cpus().length} cores shared with the clients and PostgreSQL (${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}). Two gateways, a portal that also serves the API, and a worker.`,
    `${isCluster ? 'The database is a coordinator and two workers of Citus, on the same machine' : 'PostgreSQL and the logs are on small in-memory disks'}. There is no load balancer, so a call to a process that is down counts as unanswered.`,
    '',
    faults.length === 0
      ? 'No errors: the ledger is exact, no credit was lost, nothing was charged twice, no balance is negative, and every process responds.'
      : `**${faults.length} errors**`,
    '',
    '## Availability',
    '',
    'Answered: a valid response in time. A call counts as outside failures if none was active and every process had recovered from the previous one.',
    '',
    ...table(
      ['Load', 'Calls', 'Answered', 'Calls outside failures', 'Answered'],
      loads.map((one) => [one.name, one.asked, percent(one.answered, one.asked), one.askedOutside, percent(one.answeredOutside, one.askedOutside)]),
    ),
    '## Recovery',
    '',
    'Time from the kill, or from the end of any other failure, until every affected process had answered `/healthz` and a paid call.',
    '',
    ...table(['Failure', 'Count', 'Median', 'Longest', 'Not recovered'], recoveryRows(recoveries)),
    ...notDone.map((name) => `Skipped, because this machine cannot mount a disk: ${name}.`),
    ...(notDone.length > 0 ? [''] : []),
    '## Ledger',
    '',
    ...table(['Figure', 'Count'], [...Object.entries(figures), ...starts.map(({ name, starts: times }) => [`starts of ${name}`, times] as const)]),
    ...(faults.length === 0 ? [] : ['## Errors', '', ...faults.slice(0, shownFaults).map((fault) => `- ${fault}`), '']),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
