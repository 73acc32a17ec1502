/** Compares filtered and sorted pages of /rates with unfiltered ones, on a market of 20,000 products. See bench/README.md. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importFeed } from '#server/market/import/import-feed.ts'
import { makeKeys } from './accounts.ts'
import { spreadOver } from './cases.ts'
import { type BenchDatabase, openBenchDatabase, settle } from './database.ts'
import { medianFigure, medianRatio, requestsPerSecond } from './figures.ts'
import { writeMarket } from './import/market-files.ts'
import { type Measured, measureOnce, type Sample, type Subject } from './measure.ts'
import { type Options, readOptions } from './options.ts'
import { type Running, startOurs } from './processes.ts'
import { machineName } from './report.ts'

const products = 20_000
const connections = 128

/** More queries than the page cache can hold, so that no page is served from it. */
const manyQueries = 8_000

const amounts = Array.from({ length: manyQueries }, (_, index) => (1_000 + index / 100).toFixed(2))

type FilterCase = { readonly id: string; readonly queries: readonly string[]; readonly to: string; readonly wanted: number }

const repeated = (id: string, query: string): FilterCase => ({ id, queries: [query], to: 'unfiltered', wanted: 0.5 })

/** `to` is the case to compare with, `wanted` the lowest acceptable ratio of their throughput. */
const cases: readonly FilterCase[] = [
  { id: 'unfiltered', queries: [''], to: 'unfiltered', wanted: 1 },
  repeated('rate', '&minRate=3&maxRate=4.5'),
  repeated('terms', '&maxTermMonths=24&interestPaid=annually&newCustomersOnly=false&access=withdraw'),
  repeated('name', '&q=fixd%20saver'),
  repeated('sorted', '&sort=-updatedAt&amount=5000'),
  repeated('everything', '&sort=provider&amount=5000&payable=now&minRate=1&minTermMonths=6&maxTermMonths=60&minBalance=5000&newCustomersOnly=false&q=fixed'),
  { id: 'amount, never repeated', queries: amounts.map((amount) => `&amount=${amount}`), to: 'amount, never repeated', wanted: 1 },
  {
    id: 'filters, never repeated',
    queries: amounts.map((amount) => `&amount=${amount}&minRate=2&maxTermMonths=60&newCustomersOnly=false`),
    to: 'amount, never repeated',
    wanted: 0.5,
  },
]

async function importMarket({ pool }: BenchDatabase, scratch: string): Promise<void> {
  const files = await writeMarket(scratch, products, 1)
  for (const [fileName, path] of [
    ['providers.ndjson', files.providers],
    ['products.ndjson', files.products],
  ] as const)
    await importFeed(pool, { source: createReadStream(path, 'utf8') as AsyncIterable<string>, fileName, dataset: 'live', confirm: true })
}

function toSubject(running: Running, { queries }: FilterCase, keys: readonly string[], database: BenchDatabase): Subject {
  const paths = queries.map((query) => `/v1/rates?limit=10${query}`)
  return { running, request: { path: paths[0] ?? '', paths, headers: ['Accept: application/json'], body: null }, keys: { spread: keys, hot: keys }, database }
}

async function measureAll(scratch: string, options: Options): Promise<Measured> {
  await using cleanUp = new AsyncDisposableStack()
  const database = await openBenchDatabase(join(scratch, 'main'))
  cleanUp.defer(() => database.stop())
  await importMarket(database, scratch)
  const keys = await makeKeys(database.pool, 'spread', spreadOver)
  await settle(database.pool)
  const running = await startOurs(database, 'gateway')
  cleanUp.defer(() => running.stop())
  const measured = new Map<string, Sample[]>()
  for (let round = 0; round < options.rounds; round++) {
    for (const one of round % 2 === 0 ? cases : cases.toReversed()) {
      const asked = { label: one.id, accounts: 'spread', connections } as const
      const sample = await measureOnce(asked, toSubject(running, one, keys, database), options)
      measured.set(one.id, [...(measured.get(one.id) ?? []), sample])
      console.log(`  round ${round + 1}  ${one.id.padEnd(24)} ${sample.requestsPerSecond.toFixed(0).padStart(7)} req/s  p99 ${sample.p99Ms.toFixed(2)} ms`)
    }
  }
  return measured
}

function toPage(measured: Measured, options: Options): string {
  const rows = cases.map(({ id, to, wanted }) => {
    const [perSecond, ratio] = [medianFigure(measured, id, requestsPerSecond), medianRatio(measured, id, to, requestsPerSecond)]
    const target = id === to ? '' : `${(ratio ?? 0) >= wanted ? 'met' : 'missed'} (${wanted})`
    return `| ${id} | ${Math.round(perSecond ?? 0).toLocaleString('en-GB')} | ${id === to ? '' : `${ratio?.toFixed(2)} × ${to}`} | ${target} |`
  })
  return [
    '# Filters and sorting',
    '',
    `${products.toLocaleString('en-GB')} products, ${connections} connections, ${options.rounds} rounds. ${machineName()}`,
    '',
    '| Query | Requests per second | Compared | Target |',
    '| --- | ---: | ---: | --- |',
    ...rows,
    '',
  ].join('\n')
}

export async function benchmark(args: readonly string[], signal: AbortSignal): Promise<void> {
  const options = readOptions(args, signal)
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-filters-'))
  try {
    const page = toPage(await measureAll(scratch, options), options)
    console.log(`\n${page}`)
    if (!options.quick) writeFileSync(fileURLToPath(new URL('results-filters.md', import.meta.url)), page)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
