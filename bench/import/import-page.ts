import { median } from '../figures.ts'
import { machineName } from '../report.ts'
import type { DeepPages } from './deep-pages.ts'
import { heapMegabytes, type ImportRound } from './import-rounds.ts'
import { type Reading, type ReadRound, readings, type Speed } from './read-rounds.ts'

export type ImportReport = { readonly at: string; readonly imports: readonly ImportRound[]; readonly reads: readonly ReadRound[]; readonly deep: DeepPages }

const number = (value: number | null, digits = 0) =>
  value === null ? '–' : value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })

const countRows = ({ products, changes }: ImportRound) => products + changes

function importLines(imports: readonly ImportRound[]): string[] {
  const middle = (of: (round: ImportRound) => number) => median(imports.map(of))
  const line = (what: string, rows: (round: ImportRound) => number, ms: (round: ImportRound) => number) =>
    `| ${what} | ${number(middle(rows))} | ${number(middle(ms) === null ? null : (middle(ms) ?? 0) / 1000, 1)} | ${number(middle((round) => (rows(round) * 1000) / ms(round)))} | ${number(
      middle((round) => round.copyMs / ms(round) / (countRows(round) / rows(round))),
      2,
    )} |`
  return [
    line('first import', countRows, ({ firstMs }) => firstMs),
    line('unchanged again', countRows, ({ sameMs }) => sameMs),
    line(
      'products, 5 % changed',
      ({ products }) => products,
      ({ changedMs }) => changedMs,
    ),
    line('COPY of the same rows into the same tables, with indexes, checks and keys', countRows, ({ copyMs }) => copyMs),
    line('COPY into tables without indexes, checks and keys', countRows, ({ bareCopyMs }) => bareCopyMs),
  ]
}

function readLine(reads: readonly ReadRound[], reading: Reading): string {
  const of = (side: 'small' | 'large', what: keyof Speed) => number(median(reads.map((round) => round[reading][side][what])))
  const ratio = median(reads.map((round) => round[reading].large.perSecond / round[reading].small.perSecond))
  return `| /${reading} | ${of('small', 'perSecond')} | ${of('large', 'perSecond')} | ${number(ratio, 2)} | ${of('small', 'cpuMicros')} | ${of('large', 'cpuMicros')} |`
}

type Promised = { readonly text: string; readonly wanted: number; readonly ratio: number | null }

function promises({ imports, reads }: ImportReport): Promised[] {
  const ofImports = (ratio: (round: ImportRound) => number) => median(imports.map(ratio))
  const ofReads = (reading: Reading) => median(reads.map((round) => round[reading].large.perSecond / round[reading].small.perSecond))
  const ofCpu = (reading: Reading) => median(reads.map((round) => round[reading].small.cpuMicros / round[reading].large.cpuMicros))
  return [
    {
      text: 'first import vs. COPY into the same tables, with indexes, checks and keys',
      wanted: 0.2,
      ratio: ofImports(({ copyMs, firstMs }) => copyMs / firstMs),
    },
    { text: 'unchanged again vs. the first import', wanted: 2, ratio: ofImports(({ firstMs, sameMs }) => firstMs / sameMs) },
    ...readings.flatMap((reading) => [
      { text: `/${reading}, responses a second on the large market vs. the small one`, wanted: 0.8, ratio: ofReads(reading) },
      { text: `/${reading}, responses for the same CPU time`, wanted: 0.8, ratio: ofCpu(reading) },
    ]),
  ]
}

function promiseLine({ text, wanted, ratio }: Promised): string {
  const verdict = ratio === null ? 'not measured' : ratio >= wanted ? 'reached' : 'NOT reached'
  return `| ${text} | at least ${wanted}× | ${number(ratio, 2)}× | ${verdict} |`
}

/** Compares a page at the deepest cursor with a first page. */
function deepLine({ rowsBefore, firstMs, deepMs }: DeepPages): string {
  return `Both markets were read in the physical order of an import. A page of 50 rows of /history took ${number(firstMs, 2)} ms at the start of the large market, and ${number(deepMs, 2)} ms at a cursor after ${number(rowsBefore)} rows (medians of uncached pages, requested sequentially).`
}

/** Formats the report for terminals and as Markdown. */
export function importPage(report: ImportReport): string {
  const peaks = report.imports.flatMap(({ peakMegabytes }) => peakMegabytes ?? [])
  return [
    '# Import benchmark',
    '',
    `${report.at}, ${machineName()}. Median of ${report.imports.length} import rounds and ${report.reads.length} read rounds.`,
    peaks.length > 0
      ? `An importing process had a heap of ${heapMegabytes} MB and used at most ${number(Math.max(...peaks))} MB in total.`
      : 'Process memory is unknown on this system.',
    '',
    '| import | rows | s | rows/s | of COPY |',
    '|---|---:|---:|---:|---:|',
    ...(report.imports.length > 0 ? importLines(report.imports) : []),
    '',
    '| responses a second | small market | large market | large / small | µs each, small | µs each, large |',
    '|---|---:|---:|---:|---:|---:|',
    ...(report.reads.length > 0 ? readings.map((reading) => readLine(report.reads, reading)) : []),
    '',
    deepLine(report.deep),
    '',
    '| promise | target | measured | |',
    '|---|---|---:|---|',
    ...promises(report).map(promiseLine),
    '',
  ].join('\n')
}
