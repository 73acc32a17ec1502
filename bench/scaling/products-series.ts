/** Measures a growing market relative to the demonstration market: gateway startup time, memory, read rate. */
import { execFile } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { marketFeeds } from '#server/market/generate/generate-market.ts'
import { makeKeys } from '../accounts.ts'
import { spreadOver } from '../cases.ts'
import { type BenchDatabase, openBenchDatabase, settle } from '../database.ts'
import { readOnce } from '../import/pages.ts'
import { httpCall } from '../load/requests.ts'
import type { Subject } from '../measure.ts'
import { startOurs } from '../processes.ts'
import { compare, count, type Line, memoryMegabytes, type Size, type Table, timed } from './gauge.ts'

const importer = fileURLToPath(new URL('../import-process.ts', import.meta.url))
const builtPages = 400
const seed = 2026

/** Imports a market with the given number of products in a separate process, like the `svc` command. */
async function importMarket({ url }: BenchDatabase, folder: string, products: number, signal: AbortSignal): Promise<void> {
  mkdirSync(folder)
  const files: string[] = []
  for (const { fileName, pieces } of marketFeeds({ products, days: 1, seed })) {
    const file = join(folder, fileName)
    await pipeline(Readable.from(pieces), createWriteStream(file))
    files.push(file)
  }
  const wanted = ['providers.ndjson', 'products.ndjson'].map((name) => files.find((file) => file.endsWith(name)) ?? name)
  await promisify(execFile)(process.execPath, [importer, url, ...wanted], { signal })
}

/** Returns the rate of uncached pages a second, over one connection. */
async function builtPerSecond({ running, keys }: Subject, from: number): Promise<number> {
  const targets = Array.from({ length: builtPages }, (_, at) => `/v1/rates?limit=50&amount=${1_000 + from * builtPages + at}`)
  return builtPages / (await readOnce(running.ports[0] ?? 0, targets, keys.spread[0] ?? '', 1))
}

export async function productsSeries(scratch: string, size: Size): Promise<Table> {
  await using cleanUp = new AsyncDisposableStack()
  const open = async (name: string) => {
    const database = await openBenchDatabase(join(scratch, name))
    cleanUp.defer(() => database.stop())
    return { database, keys: await makeKeys(database.pool, name, spreadOver) }
  }
  const start = async ({ database, keys }: Awaited<ReturnType<typeof open>>) => {
    const { ms, result: running } = await timed(() => startOurs({ databaseUrl: database.url, dataDir: database.dataDir, roles: 'gateway' }))
    const subject: Subject = { running, request: httpCall, keys: { spread: keys, hot: keys.slice(0, 1) }, database }
    return { ms, subject }
  }
  const { subject: control } = await start(await open('products-control'))
  cleanUp.defer(() => control.running.stop())
  const grown = await open('products')
  const lines: Line[] = []
  for (const [step, products] of size.products.entries()) {
    const imported = await timed(() => importMarket(grown.database, join(scratch, `feeds-${products}`), products, size.signal))
    await settle(grown.database.pool)
    const { ms, subject } = await start(grown)
    try {
      const idle = memoryMegabytes(subject.running.pids)
      await compare([control, subject], { ...size, rounds: 1 })
      const [, compared] = await compare([control, subject], size)
      const built = await builtPerSecond(subject, step)
      const more = [(imported.ms / 1_000).toFixed(1), count(ms), String(idle ?? '–'), String(memoryMegabytes(subject.running.pids) ?? '–'), count(built)]
      if (compared) lines.push({ size: count(products), ...compared, more })
    } finally {
      await subject.running.stop()
    }
  }
  const columns = ['imported in s', 'started in ms', 'MB at rest', 'MB after load', 'built pages/s, one caller']
  return { title: 'Products', against: 'the demonstration market', columns, lines }
}
