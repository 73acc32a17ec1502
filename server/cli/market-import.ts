import type { Command } from 'commander'
import type { Pool } from 'pg'
import { datasets } from '#server/market/dataset.ts'
import { type Feed, type ImportReport, importFeed, rehearseFeeds } from '#server/market/import/import-feed.ts'
import { withDatabase } from './context.ts'
import { checkFiles, feedsOf, type ImportOptions } from './feed-files.ts'
import { describeImport } from './import-report.ts'
import { oneOf, wholeNumber } from './parse.ts'
import { progressLine } from './progress.ts'

/** Imports one feed after the other. What stops one does not take back those before it, so the fault says which they are. */
async function importAll(pool: Pool, feeds: readonly Feed[]): Promise<ImportReport[]> {
  const reports: ImportReport[] = []
  for (const feed of feeds) {
    try {
      reports.push(await importFeed(pool, feed))
    } catch (error) {
      const before = reports.map(({ fileName }) => fileName).join(', ')
      if (error instanceof Error && before !== '') error.message += `\nImported before it: ${before}.`
      throw error
    }
  }
  return reports
}

export function addImportCommand(market: Command): void {
  market
    .command('import')
    .description('take in feeds, providers first; each feed whole or not at all')
    .argument('<files...>', 'NDJSON or CSV feeds')
    .option('--dataset <dataset>', 'live or sample', oneOf(datasets), 'live')
    .option('--dry-run', 'report what would change, row by row, and change nothing')
    .option('--partial', 'leave alone what a feed does not name')
    .option('--confirm', 'apply a feed that changes more than a feed usually does')
    .option('--quiet', 'tell nobody: write no events')
    .option('--expect <rows>', 'refuse the feed unless it has this number of rows', wholeNumber(1))
    .option('--require-count', 'refuse feeds without a line that counts their rows')
    .action((files: string[], options: ImportOptions, command: Command) => {
      if (options.expect !== undefined && files.length > 1) throw new Error('--expect is about one feed. Import the others by themselves.')
      checkFiles(files)
      return withDatabase(command, async ({ pool }) => {
        const { say, end } = progressLine()
        const feeds = feedsOf(files, options, say)
        const reports = await (options.dryRun ? rehearseFeeds(pool, feeds) : importAll(pool, feeds)).finally(end)
        const failed = options.dryRun === true && options.confirm !== true && reports.some(({ needsConfirmation }) => needsConfirmation.length > 0)
        return { result: { feeds: reports }, lines: reports.flatMap(describeImport), failed }
      })
    })
}
