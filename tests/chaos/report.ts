/** What a chaos run came to, as Markdown. */
import { cpus } from 'node:os'
import type { Availability } from './load-kind.ts'

export type Recovery = { readonly disaster: string; readonly ms: number | null }

export type Outcome = {
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

const shownFaults = 60

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
  const { loads, recoveries, notDone, starts, figures, faults } = outcome
  const lines = [
    '# Chaos run',
    '',
    `${outcome.startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${outcome.minutes} minutes, seed ${outcome.seed}, ${outcome.clients} clients of \`/v1\` and other clients, on`,
    `${cpus().length} cores that also run the clients and PostgreSQL (${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}). Two gateways, a portal that answers the API too, and a worker;`,
    'PostgreSQL and the logs lie on small disks in memory. No load balancer stands in between: a call to a process that is down counts as not answered.',
    '',
    faults.length === 0
      ? 'Nothing was wrong: the ledger is exact, no credit is lost, nothing was charged twice, every process answers.'
      : `**${faults.length} faults**`,
    '',
    '## Availability',
    '',
    'Answered as the contract says and in time. Outside of disasters: not while one lasted, nor until everything that it hit had answered again.',
    '',
    ...table(
      ['Load', 'Asked', 'Answered', 'Outside: asked', 'Answered'],
      loads.map((one) => [one.name, one.asked, percent(one.answered, one.asked), one.askedOutside, percent(one.answeredOutside, one.askedOutside)]),
    ),
    '## Recovery',
    '',
    'From the kill, or from the moment at which what was broken was whole again, until every process that was hit had answered `/healthz` and a paid call.',
    '',
    ...table(['Disaster', 'Times', 'Median', 'Longest', 'Never'], recoveryRows(recoveries)),
    ...notDone.map((name) => `Not done, because this machine lets nobody mount a disk: ${name}.`),
    ...(notDone.length > 0 ? [''] : []),
    '## Books',
    '',
    ...table(['Figure', 'Count'], [...Object.entries(figures), ...starts.map(({ name, starts: times }) => [`starts of ${name}`, times] as const)]),
    ...(faults.length === 0 ? [] : ['## Faults', '', ...faults.slice(0, shownFaults).map((fault) => `- ${fault}`), '']),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
