/** Measures importing a large market, relative to COPY of the same rows. See bench/README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from './database.ts'
import { importPage } from './import/import-page.ts'
import { type ImportRound, importRound } from './import/import-rounds.ts'
import { writeMarket } from './import/market-files.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

type Options = {
  readonly rounds: number
  readonly products: number
  readonly days: number
  /** Minimum number of history rows for a market of the default size; 0 for other sizes. */
  readonly minChanges: number
  /** True for a run with the default options; only its results are published. */
  readonly isWhole: boolean
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean' }, products: { type: 'string' }, days: { type: 'string' } },
  })
  const { quick = false, products, days } = values
  const minChanges = products === undefined && days === undefined ? 1_000_000 : 0
  // The default sizes give slightly more than 50 changes per product, so more than a million in total.
  return { rounds: quick ? 1 : 3, products: Number(products ?? 20_000), days: Number(days ?? 6_000), minChanges, isWhole: args.length === 0 }
}

export async function benchmark(args: readonly string[], signal: AbortSignal): Promise<void> {
  const options = readOptions(args)
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-import-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const files = await writeMarket(scratch, options.products, options.days)
  const database = await openBenchDatabase(join(scratch, 'market'))
  cleanUp.defer(() => database.stop())
  const imports: ImportRound[] = []
  for (let round = 0; round < options.rounds; round++) {
    const measured = await importRound(database, files, scratch, round, signal)
    imports.push(measured)
    const { firstMs, sameMs, changedMs, copyMs, changes, peakMegabytes } = measured
    if (changes < options.minChanges) throw new Error(`The history has ${changes} rows; the benchmark needs at least ${options.minChanges}.`)
    const seconds = [firstMs, sameMs, changedMs, copyMs].map((ms) => (ms / 1000).toFixed(1)).join(' + ')
    console.log(`  round ${round + 1}  ${changes} changes: first + same + 5 % + COPY took ${seconds} s, ${peakMegabytes} MB`)
  }
  const report = { at: new Date().toISOString(), imports }
  console.log(`\n${importPage(report)}`)
  mkdirSync(join(here, 'results'), { recursive: true })
  writeFileSync(join(here, 'results', `import-${report.at.replaceAll(/[:.]/g, '-')}.json`), `${JSON.stringify(report, null, 2)}\n`)
  if (options.isWhole) writeFileSync(join(here, 'results-import.md'), importPage(report))
}
