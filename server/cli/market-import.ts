import type { Command } from 'commander'
import type { Pool } from 'pg'
import { datasets } from '#server/market/dataset.ts'
import { type Feed, type ImportReport, importFeed, rehearseFeeds } from '#server/market/import/import-feed.ts'
import { withDatabase } from './context.ts'
import { checkFiles, getFeeds, type ImportOptions } from './feed-files.ts'
import { describeImport } from './import-report.ts'
import { oneOf, wholeNumber } from './parse.ts'
import { progressLine } from './progress.ts'

/** Imports feeds one after another. A failure does not undo earlier feeds, so the error lists them. */
async function importAll(pool: Pool, feeds: readonly Feed[]): Promise<ImportReport[]> {
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

export function addImportCommand(market: Command): void {
  market
    .command('import')
    .description('import feeds, providers first; each feed is all or nothing')
    .argument('<files...>', 'NDJSON or CSV feeds')
    .option('--dataset <dataset>', 'live or sample', oneOf(datasets), 'live')
    .option('--dry-run', 'print what would change, row by row, without changing anything')
    .option('--partial', 'keep records that are not in the feed')
    .option('--confirm', 'apply a feed with an unusually large number of changes')
    .option('--quiet', 'create no events')
    .option('--expect <rows>', 'refuse the feed unless it has this number of rows', wholeNumber(1))
    .option('--require-count', 'refuse feeds without a row count line')
    .action((files: string[], options: ImportOptions, command: Command) => {
      if (options.expect !== undefined && files.length > 1) throw new Error('--expect applies to a single feed. Import the others separately.')
      checkFiles(files)
      return withDatabase(command, async ({ pool }) => {
        const { say, end } = progressLine()
        const feeds = getFeeds(files, options, say)
        const reports = await (options.dryRun ? rehearseFeeds(pool, feeds) : importAll(pool, feeds)).finally(end)
        const failed = options.dryRun === true && options.confirm !== true && reports.some(({ needsConfirmation }) => needsConfirmation.length > 0)
        return { result: { feeds: reports }, lines: reports.flatMap(describeImport), failed }
      })
    })
}
