import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import type { Dataset } from '../market/dataset.ts'
import { datasets } from '../market/dataset.ts'
import { generateMarket } from '../market/generate/generate-market.ts'
import { feedOrder } from '../market/import/feed-kind.ts'
import { type ImportReport, importFeed } from '../market/import/import-feed.ts'
import { withDatabase } from './context.ts'
import { writeResult } from './output.ts'
import { oneOf, wholeNumber } from './parse.ts'

type Import = { dataset: Dataset; dryRun?: true; partial?: true }
type Generate = { products: number; days: number; seed: number; out: string }

const describe = (r: ImportReport) =>
  `${r.fileName}: ${r.rows} ${r.kind} rows, ${r.added} added, ${r.changed} changed, ${r.restored} back, ${r.withdrawn} withdrawn, ${r.unchanged} unchanged${r.dryRun ? ' (dry run: nothing was changed)' : ''}`

export function addMarketCommands(program: Command): void {
  const market = program.command('market').description('market data')
  market
    .command('import')
    .description('take in feeds, providers first; each feed whole or not at all')
    .argument('<files...>', 'NDJSON or CSV feeds')
    .option('--dataset <dataset>', 'live or sample', oneOf(datasets), 'live')
    .option('--dry-run', 'report what would change and change nothing')
    .option('--partial', 'leave alone what a feed does not name')
    .action((files: string[], options: Import, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const reports: ImportReport[] = []
        for (const file of files.toSorted((a, b) => feedOrder(basename(a)) - feedOrder(basename(b)))) {
          const source = createReadStream(file, 'utf8')
          reports.push(await importFeed(pool, { source, fileName: basename(file), ...options }))
        }
        return { result: { feeds: reports }, lines: reports.map(describe) }
      }),
    )
  market
    .command('generate')
    .description('write the feeds of a demonstration market of fictional providers')
    .option('--products <n>', 'number of products', wholeNumber(1), 1_500)
    .option('--days <n>', 'days of history', wholeNumber(0), 730)
    .option('--seed <n>', 'the same seed gives the same market', wholeNumber(0), 2026)
    .requiredOption('--out <folder>', 'folder to write to')
    .action(async (options: Generate, command: Command) => {
      const files = generateMarket(options)
      await mkdir(options.out, { recursive: true })
      const written: string[] = []
      for (const file of files) {
        const path = join(options.out, file.fileName)
        await writeFile(path, file.text)
        written.push(path)
      }
      writeResult({ files: written }, written, command.optsWithGlobals()['json'] === true)
    })
}
