import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { marketDay, marketFeeds } from '#server/market/generate/generate-market.ts'
import { addImportCommand } from './market-import.ts'
import { addMarketSourceCommands } from './market-source-commands.ts'
import { writeResult } from './output.ts'
import { isoDay, wholeNumber } from './parse.ts'

type Generate = { products: number; days: number; until: string; seed: number; out: string }

export function addMarketCommands(program: Command): void {
  const market = program.command('market').description('manage market data')
  addImportCommand(market)
  market
    .command('generate')
    .description('generate feeds of a demonstration market with fictional providers')
    .option('--products <n>', 'number of products', wholeNumber(1), 1_500)
    .option('--days <n>', 'days of history', wholeNumber(0, 6_900), 730)
    .option('--until <date>', 'last date of the history', isoDay, marketDay)
    .option('--seed <n>', 'random seed; the same seed gives the same market', wholeNumber(0), 2026)
    .requiredOption('--out <folder>', 'output folder')
    .action(async (options: Generate, command: Command) => {
      const files = marketFeeds(options)
      await mkdir(options.out, { recursive: true })
      const written: string[] = []
      for (const file of files) {
        const path = join(options.out, file.fileName)
        await pipeline(Readable.from(file.pieces), createWriteStream(path))
        written.push(path)
      }
      writeResult({ files: written }, written, command.optsWithGlobals()['json'] === true)
    })
  addMarketSourceCommands(market)
}
