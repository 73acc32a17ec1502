/**
 * npm run bench:scaling -- [--quick] [--full] [--only processes,log,keys,products]
 * Increases one dimension at a time and compares it with a constant baseline in the same run. docs/scaling.md has the tables.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machineName } from './report.ts'
import type { Size, Table } from './scaling/gauge.ts'
import { processesSeries } from './scaling/processes-series.ts'
import { productsSeries } from './scaling/products-series.ts'
import { keysSeries, logSeries } from './scaling/rows-series.ts'
import { scalingPage } from './scaling/scaling-page.ts'

const series: Readonly<Record<string, (scratch: string, size: Size) => Promise<Table | Table[]>>> = {
  processes: processesSeries,
  log: logSeries,
  keys: keysSeries,
  products: productsSeries,
}

const processes = [1, 2, 4]
const steps = {
  quick: { rounds: 2, seconds: 1.5, logRows: [10_000, 100_000], keys: [1_000, 10_000], products: [1_000, 5_000] },
  usual: { rounds: 5, seconds: 1.5, logRows: [10_000, 100_000, 1_000_000], keys: [1_000, 10_000, 100_000], products: [1_000, 10_000] },
  full: {
    rounds: 7,
    seconds: 1.5,
    logRows: [10_000, 100_000, 1_000_000, 10_000_000],
    keys: [1_000, 10_000, 100_000, 1_000_000],
    products: [1_000, 10_000, 100_000],
  },
} as const

async function main(signal: AbortSignal): Promise<void> {
  const text = { type: 'string', default: '' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ args: process.argv.slice(2), options: { quick: flag, full: flag, only: text } })
  const { quick, full, only } = values
  const size: Size = { ...steps[full ? 'full' : quick ? 'quick' : 'usual'], warmUpSeconds: 0.5, processes, signal }
  const wanted = only === '' ? Object.keys(series) : only.split(',')
  const unknown = wanted.find((name) => !(name in series))
  if (unknown !== undefined) throw new Error(`Unknown series "${unknown}". Use: ${Object.keys(series).join(', ')}.`)
  const scratch = mkdtempSync(join(tmpdir(), 'svc-scaling-'))
  const tables: Table[] = []
  try {
    for (const name of wanted) {
      console.log(`  ${name} …`)
      tables.push(...[(await series[name]?.(scratch, size)) ?? []].flat())
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const at = new Date().toISOString()
  const page = scalingPage(tables, { at, machine: machineName(), rounds: size.rounds, seconds: size.seconds })
  console.log(`\n${page}`)
  const folder = fileURLToPath(new URL('results', import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `scaling-${at.replaceAll(/[:.]/g, '-')}.md`), page)
}

const interrupted = new AbortController()
const interrupt = () => interrupted.abort(new Error('Benchmark interrupted.'))
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)

await main(interrupted.signal).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
