import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Database } from '#server/db/prisma.ts'
import { feedOrder } from '#server/market/import/feed-kind.ts'
import type { ImportPhase } from '#server/market/import/guard.ts'
import { type Feed, type ImportReport, importFeed, rehearseFeeds } from '#server/market/import/import-feed.ts'
import { changeKinds, type FieldChange, type RowChange } from '#server/market/import/row-change.ts'
import { type Dataset, datasets } from '#server/market/product.ts'
import { oneOf, type SvcCommand, wholeNumber } from './context.ts'
import { type Progress, progressLine } from './output.ts'

const written = (value: unknown) => (typeof value === 'string' || value === null ? (value ?? 'none') : JSON.stringify(value))

const field = ({ field: name, from, to }: FieldChange) => `${name} ${written(from)} → ${written(to)}`

const row = ({ change, key, fields }: RowChange) => `  ${change.padEnd(9)} ${key}${fields.length > 0 ? `: ${fields.map(field).join(', ')}` : ''}`

/** Lists individual changes, and the number of further changes by kind. */
function rows(report: ImportReport): string[] {
  return changeKinds.flatMap((change) => {
    const listed = report.changes.filter((one) => one.change === change)
    const more = report[change] - listed.length
    return listed.length > 0 && more > 0 ? [...listed.map(row), `  … and ${more} more ${change}`] : listed.map(row)
  })
}

function getCounts({ kind, rows: all, added, changed, restored, withdrawn, unchanged, replaced }: ImportReport): string {
  if (kind === 'rate_history') return `${all} past changes, ${added} added, ${unchanged} known, ${replaced} first observations replaced`
  return `${all} ${kind} rows, ${added} added, ${changed} changed, ${restored} restored, ${withdrawn} withdrawn, ${unchanged} unchanged`
}

/** Describes an import in human-readable lines, with the contradictions in its records. A dry run also lists the changed rows, and the reasons why the import would be stopped. */
function describeImport(report: ImportReport): string[] {
  const line = `${report.fileName}: ${getCounts(report)}${report.dryRun ? ' (dry run, nothing was changed)' : ''}`
  const warnings = report.warnings.map((warning) => `  Warning: ${warning}`)
  if (!report.dryRun) return [line, ...warnings]
  const stopped = report.needsConfirmation.map((reason) => `  Needs --confirm: ${reason}`)
  return [line, ...rows(report), ...warnings, ...stopped]
}

type ImportOptions = { dataset: Dataset; dryRun?: true; partial?: true; confirm?: true; quiet?: true; expect?: number; requireCount?: true }

/** Checks the files before anything is imported. @throws if one is missing or is a folder. */
function checkFiles(files: readonly string[]): void {
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) throw new Error(`File not found: ${file}. Paths are relative to ${process.cwd()}. Nothing was imported.`)
    if (found.isDirectory()) throw new Error(`${file} is a folder. Pass the files in it. Nothing was imported.`)
  }
}

/** Returns the size of a file in bytes; null if it is unknown before reading, such as for a pipe. */
function getSize(file: string): number | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : null
}

/** Converts files to feeds, in the order of their dependencies. Each feed reports its progress. */
export function getFeeds(files: readonly string[], options: ImportOptions, say: Progress['say']): Feed[] {
  const sorted = files.toSorted((a, b) => feedOrder(basename(a)) - feedOrder(basename(b)))
  return sorted.map((file) => {
    const fileName = basename(file)
    const bytes = getSize(file)
    let bytesRead = 0
    const getShare = (phase: ImportPhase) => (phase === 'reading' && bytes !== null && bytes > 0 ? bytesRead / bytes : null)
    const onProgress = (phase: ImportPhase, records: number) => say({ name: fileName, phase, share: getShare(phase), records })
    // Opens each file only when it is needed, so that only one is open at a time.
    async function* source() {
      const stream = createReadStream(file, 'utf8')
      for await (const piece of stream as AsyncIterable<string>) {
        bytesRead = stream.bytesRead
        yield piece
      }
    }
    const { expect: expectedRows, requireCount: requiresCount, ...rest } = options
    return { source: source(), fileName, onProgress, expectedRows, requiresCount, ...rest }
  })
}

/** Imports feeds in sequence. A failure does not undo earlier feeds, so the error lists them. */
async function importAll(pool: Database, feeds: readonly Feed[]): Promise<ImportReport[]> {
  const reports: ImportReport[] = []
  for (const feed of feeds) {
    try {
      reports.push(await importFeed(pool, feed))
    } catch (error) {
      const before = reports.map(({ fileName }) => fileName).join(', ')
      if (error instanceof Error && before !== '') error.message += `\nAlready imported: ${before}.`
      throw error
    }
  }
  return reports
}

export function addImportCommand(market: SvcCommand): void {
  market
    .sub('import', 'import feeds, providers first; each feed is all or nothing')
    .argument('<files...>', 'NDJSON or CSV feeds')
    .option('--dataset <dataset>', 'live or sample', oneOf(datasets), 'live')
    .option('--dry-run', 'print what would change, row by row, without changing anything')
    .option('--partial', 'keep records that are not in the feed')
    .option('--confirm', 'apply a feed even if it has an unusually large number of changes')
    .option('--quiet', 'create no events')
    .option('--expect <rows>', 'reject the feed unless it has exactly this many rows', wholeNumber(1))
    .option('--require-count', 'reject feeds without a row count line')
    .action((files: string[], options: ImportOptions, command: SvcCommand) => {
      if (options.expect !== undefined && files.length > 1) throw new Error('--expect applies to a single feed. Import the others separately.')
      checkFiles(files)
      return command.run(async ({ pool }) => {
        const { say, end } = progressLine()
        const feeds = getFeeds(files, options, say)
        const reports = await (options.dryRun ? rehearseFeeds(pool, feeds) : importAll(pool, feeds)).finally(end)
        const failed = options.dryRun === true && options.confirm !== true && reports.some(({ needsConfirmation }) => needsConfirmation.length > 0)
        return { result: { feeds: reports }, lines: reports.flatMap(describeImport), failed }
      })
    })
}
