/**
 * npm run bench:import [-- --quick] [--rounds 3] [--products 20000] [--days 6000]
 * Measures importing a large market, relative to COPY of the same rows, and reading from it, relative to a small market. See bench/README.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from './database.ts'
import { type DeepPages, measureDeepPages } from './import/deep-pages.ts'
import { importPage } from './import/import-page.ts'
import { type ImportRound, importIntoEmptyMarket, importRound } from './import/import-rounds.ts'
import { writeMarket } from './import/market-files.ts'
import { openSide, type ReadRound, readRound } from './import/read-rounds.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

type Options = {
  readonly rounds: number
  readonly products: number
  readonly days: number
  /** Number of slices per round and kind of read, and the duration of each. */
  readonly slices: number
  readonly seconds: number
  readonly coldPages: number
  /** Number of pages before the deep page. */
  readonly deepPages: number
  /** Minimum number of history rows; 0 for a market of another size. */
  readonly minChanges: number
  /** True for the full-size run whose results are published; false for shorter runs and other sizes. */
  readonly isWhole: boolean
}

// Results in slightly more than 50 changes per product, and so in a million.
const usual = { products: 20_000, days: 6_000 }

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      products: { type: 'string' },
      days: { type: 'string' },
    },
  })
  const size = values.quick
    ? { rounds: 1, slices: 4, seconds: 1, coldPages: 1200, deepPages: 1_000 }
    : { rounds: 3, slices: 6, seconds: 1, coldPages: 1800, deepPages: 10_000 }
  const isWhole = args.length === 0
  const minChanges = values.products === undefined && values.days === undefined ? 1_000_000 : 0
  const market = { products: Number(values.products ?? usual.products), days: Number(values.days ?? usual.days) }
  return { ...size, ...market, rounds: Number(values.rounds ?? size.rounds), minChanges, isWhole }
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
    if (changes < options.minChanges) throw new Error(`The history has ${changes} rows; the benchmark needs at least ${options.minChanges}.`)
    const seconds = [firstMs, sameMs, changedMs, copyMs].map((ms) => (ms / 1000).toFixed(1)).join(' + ')
    console.log(`  round ${round + 1}  ${changes} changes: first + same + 5 % + COPY took ${seconds} s, ${peakMegabytes} MB`)
  }
  const small = await openBenchDatabase(join(scratch, 'small'))
  cleanUp.defer(() => small.stop())
  // COPY changes the physical order of rows, so restore the order of an import on both sides before reading.
  await importIntoEmptyMarket(large, files, signal)
  const sides = [await openSide(small, 'small'), await openSide(large, 'large')] as const
  for (const side of sides) cleanUp.defer(() => side.running.stop())
  const reads: ReadRound[] = []
  for (let round = 0; round <= options.rounds; round++) {
    const measured = await readRound(...sides, round, { ...options, signal })
    // The first round is a warm-up.
    if (round > 0) reads.push(measured)
  }
  const deep: DeepPages = await measureDeepPages(sides[1], options.deepPages, signal)
  const report = { at: new Date().toISOString(), imports, reads, deep }
  console.log(`\n${importPage(report)}`)
  mkdirSync(join(here, 'results'), { recursive: true })
  writeFileSync(join(here, 'results', `import-${report.at.replaceAll(/[:.]/g, '-')}.json`), `${JSON.stringify(report, null, 2)}\n`)
  if (options.isWhole) writeFileSync(join(here, 'results-import.md'), importPage(report))
}

const interrupted = new AbortController()
const interrupt = () => interrupted.abort(new Error('Benchmark interrupted.'))
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)

await main(readOptions(process.argv.slice(2)), interrupted.signal).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
