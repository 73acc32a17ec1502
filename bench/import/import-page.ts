import { median } from '../figures.ts'
import { formatNumber, machineName } from '../report.ts'
import { heapMegabytes, type ImportRound } from './import-rounds.ts'

export type ImportReport = { readonly at: string; readonly imports: readonly ImportRound[] }

const countRows = ({ products, changes }: ImportRound) => products + changes

function importLines(imports: readonly ImportRound[]): string[] {
  const middle = (of: (round: ImportRound) => number) => median(imports.map(of))
  const line = (what: string, rows: (round: ImportRound) => number, ms: (round: ImportRound) => number) =>
    `| ${what} | ${formatNumber(middle(rows))} | ${formatNumber(middle(ms) === null ? null : (middle(ms) ?? 0) / 1000, 1)} | ${formatNumber(middle((round) => (rows(round) * 1000) / ms(round)))} | ${formatNumber(
      middle((round) => round.copyMs / ms(round) / (countRows(round) / rows(round))),
      2,
    )} |`
  return [
    line('first import', countRows, ({ firstMs }) => firstMs),
    line('second import, unchanged', countRows, ({ sameMs }) => sameMs),
    line(
      'products, 5 % changed',
      ({ products }) => products,
      ({ changedMs }) => changedMs,
    ),
    line('COPY of the same rows into the same tables, with indexes, checks and keys', countRows, ({ copyMs }) => copyMs),
    line('COPY into tables without indexes, checks and keys', countRows, ({ bareCopyMs }) => bareCopyMs),
  ]
}

type Promised = { readonly text: string; readonly wanted: number; readonly ratio: number | null }

function promises(imports: readonly ImportRound[]): Promised[] {
  const ratio = (of: (round: ImportRound) => number) => median(imports.map(of))
  return [
    { text: 'first import vs. COPY into the same tables, with indexes, checks and keys', wanted: 0.2, ratio: ratio(({ copyMs, firstMs }) => copyMs / firstMs) },
    { text: 'second import, unchanged, vs. the first import', wanted: 2, ratio: ratio(({ firstMs, sameMs }) => firstMs / sameMs) },
  ]
}

function promiseLine({ text, wanted, ratio }: Promised): string {
  const verdict = ratio === null ? 'not measured' : ratio >= wanted ? 'reached' : 'NOT reached'
  return `| ${text} | at least ${wanted}× | ${formatNumber(ratio, 2)}× | ${verdict} |`
}

/** Formats the report as Markdown that is also readable in a terminal. */
export function importPage(report: ImportReport): string {
  const peaks = report.imports.flatMap(({ peakMegabytes }) => peakMegabytes ?? [])
  return [
    '# Import benchmark',
    '',
    `${report.at}, ${machineName()}. Median of ${report.imports.length} rounds.`,
    peaks.length > 0
      ? `Each import process had a heap limit of ${heapMegabytes} MB and used at most ${formatNumber(Math.max(...peaks))} MB in total.`
      : 'Process memory is unknown on this system.',
    '',
    '| import | rows | s | rows/s | vs. COPY |',
    '|---|---:|---:|---:|---:|',
    ...(report.imports.length > 0 ? importLines(report.imports) : []),
    '',
    '| promise | target | measured | |',
    '|---|---|---:|---|',
    ...promises(report.imports).map(promiseLine),
    '',
  ].join('\n')
}
