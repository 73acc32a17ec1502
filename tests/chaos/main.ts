/**
 * npm run chaos -- [--minutes N] [--clients N]
 * Plays rounds of clients, operator and disasters against 4 processes on a PostgreSQL of its own, and audits the books after each. Ends with a report,
 * and with exit code 1 when anything was wrong.
 */
import { parseArgs } from 'node:util'
import { Fleet } from './fleet.ts'
import { startOwnServer } from './own-server.ts'
import { type Disaster, playRound, type RoundReport } from './round.ts'

const processes = 4
const disasters: readonly Disaster[] = [
  'kill -9 of a process',
  'immediate stop of PostgreSQL',
  'PostgreSQL stands still for 4 s',
  'kill -9 of PostgreSQL',
  'PostgreSQL stands still for 7 s',
]
const shownFaults = 40

function readOptions(): { minutes: number; clients: number } {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' }, clients: { type: 'string', default: '40' } } })
  const [minutes, clients] = [Number(values.minutes), Number(values.clients)]
  if (!(minutes > 0 && Number.isInteger(clients) && clients > 0)) throw new Error('Use: npm run chaos -- [--minutes N] [--clients N]')
  return { minutes, clients }
}

function add(into: Map<string, number>, from: ReadonlyMap<string, number>): Map<string, number> {
  for (const [name, count] of from) into.set(name, (into.get(name) ?? 0) + count)
  return into
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function quantiles(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)} ms`
  return `median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`
}

function printRound(number: number, { tally, latenciesMs, recoveries, charged, faults }: RoundReport): void {
  const lost = tally.broken + tally.refused + tally.silent
  console.log(
    `\nround ${number}: ${tally.calls} calls, ${tally.answered - tally.failed} answered, ${tally.failed} failed with 500, ${lost} without an answer, ${charged} credits charged`,
  )
  console.log(`  latency: ${quantiles([...latenciesMs])}`)
  for (const { disaster, firstMs, lastMs } of recoveries)
    console.log(`  ${disaster}: first success after ${seconds(firstMs)}, last failure after ${seconds(lastMs)}`)
  for (const fault of faults.slice(0, shownFaults)) console.log(`  FAULT ${fault}`)
  if (faults.length > shownFaults) console.log(`  … and ${faults.length - shownFaults} more`)
}

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  console.log(`\n${title}`)
  for (const [message, count] of [...counts].toSorted((a, b) => b[1] - a[1])) console.log(`  ${String(count).padStart(6)}  ${message}`)
}

function printSum(reports: readonly RoundReport[], deadlocks: number): void {
  const total = (of: (report: RoundReport) => number) => reports.reduce((sum, report) => sum + of(report), 0)
  const calls = total(({ tally }) => tally.calls)
  const good = total(({ tally }) => tally.answered - tally.failed)
  console.log(`\n${reports.length} rounds, ${calls} calls, availability ${percent(good, calls)}, ${total(({ charged }) => charged)} credits charged`)
  console.log(`latency over all: ${quantiles(reports.flatMap(({ latenciesMs }) => [...latenciesMs]))}`)
  for (const disaster of disasters) {
    const times = reports.flatMap(({ recoveries }) => recoveries.filter((one) => one.disaster === disaster))
    const longest = (of: (one: (typeof times)[number]) => number) => seconds(Math.max(0, ...times.map(of)))
    console.log(
      `${disaster}: ${times.length} times, first success after at most ${longest((one) => one.firstMs)}, last failure after at most ${longest((one) => one.lastMs)}`,
    )
  }
  console.log(`calls that failed outside the disasters: ${total(({ strayFailures }) => strayFailures)}`)
  console.log(`deadlocks: ${deadlocks}   faults: ${total(({ faults }) => faults.length)}`)
}

async function main(): Promise<boolean> {
  const { minutes, clients } = readOptions()
  await using server = await startOwnServer()
  await using fleet = await Fleet.start(server.url, processes)
  console.log(`${clients} clients on ${processes} processes, ${minutes} minutes`)
  const end = performance.now() + minutes * 60_000
  const reports: RoundReport[] = []
  while (performance.now() < end) {
    const report = await playRound({ server, fleet, clients, pauseMs: 16, calmMs: 2_500, disasters })
    reports.push(report)
    printRound(reports.length, report)
  }
  const deadlocks = await server.deadlocks()
  printCounts('The processes complained:', fleet.complaints)
  printCounts(
    'The operator was refused:',
    reports.reduce((sum, { operatorComplaints }) => add(sum, operatorComplaints), new Map<string, number>()),
  )
  printSum(reports, deadlocks)
  return deadlocks === 0 && reports.every(({ faults }) => faults.length === 0)
}

process.exitCode = (await main()) ? 0 : 1
