/**
 * npm run bench:import [-- --quick] [--rounds 3] [--products 20000] [--days 5200]
 * Imports a large market and reads from it, beside COPY of the same rows and beside a small market. bench/README.md tells more.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from './database.ts'
import { importPage } from './import/import-page.ts'
import { type ImportRound, importRound } from './import/import-rounds.ts'
import { writeMarket } from './import/market-files.ts'
import { openSide, type ReadRound, readRound } from './import/read-rounds.ts'
import { copyIn, emptyRows } from './import/tables.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

type Options = {
  readonly rounds: number
  readonly products: number
  readonly days: number
  /** How often each reading changes sides in a round, and how long it stays. */
  readonly slices: number
  readonly seconds: number
  readonly coldPages: number
  /** Whether this is the run that is told of, and not a shorter one or one of another size. */
  readonly isWhole: boolean
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      products: { type: 'string', default: '20000' },
      // Some 50 changes for each product.
      days: { type: 'string', default: '5200' },
    },
  })
  const size = values.quick ? { rounds: 1, slices: 4, seconds: 1, coldPages: 1200 } : { rounds: 3, slices: 6, seconds: 1, coldPages: 1800 }
  const isWhole = args.length === 0
  return { ...size, rounds: Number(values.rounds ?? size.rounds), products: Number(values.products), days: Number(values.days), isWhole }
}

async function main(options: Options, signal: AbortSignal): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-import-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const files = await writeMarket(scratch, options.products, options.days)
  const large = await openBenchDatabase(join(scratch, 'large'))
  cleanUp.defer(() => large.stop())
  const imports: ImportRound[] = []
  for (let round = 0; round < options.rounds; round++) {
    const measured = await importRound(large, files, scratch, round, signal)
    imports.push(measured)
    const { firstMs, sameMs, changedMs, copyMs, changes, peakMegabytes } = measured
    const seconds = [firstMs, sameMs, changedMs, copyMs].map((ms) => (ms / 1000).toFixed(1)).join(' + ')
    console.log(`  round ${round + 1}  ${changes} changes: first + same + 5 % + COPY took ${seconds} s, ${peakMegabytes} MB`)
  }
  const small = await openBenchDatabase(join(scratch, 'small'))
  cleanUp.defer(() => small.stop())
  // What was imported comes back as it was, after the last COPY has been measured.
  await emptyRows(large.pool)
  await copyIn(large.pool, scratch, 'real')
  const sides = [await openSide(small, 'small'), await openSide(large, 'large')] as const
  for (const side of sides) cleanUp.defer(() => side.running.stop())
  const reads: ReadRound[] = []
  for (let round = 0; round <= options.rounds; round++) {
    const measured = await readRound(...sides, round, { ...options, signal })
    // The first round is there to warm the processes up.
    if (round > 0) reads.push(measured)
  }
  const report = { at: new Date().toISOString(), imports, reads }
  console.log(`\n${importPage(report)}`)
  mkdirSync(join(here, 'results'), { recursive: true })
  writeFileSync(join(here, 'results', `import-${report.at.replaceAll(/[:.]/g, '-')}.json`), `${JSON.stringify(report, null, 2)}\n`)
  if (options.isWhole) writeFileSync(join(here, 'results-import.md'), importPage(report))
}

const interrupted = new AbortController()
const interrupt = () => interrupted.abort(new Error('The benchmark was interrupted.'))
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)

await main(readOptions(process.argv.slice(2)), interrupted.signal).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
