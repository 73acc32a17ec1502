import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Database } from '#server/db/prisma.ts'
import type { BenchDatabase } from '../database.ts'
import type { MarketFiles } from './market-files.ts'
import { copyIn, copyOut, countRows, emptyMarket, emptyRows, proveHistory } from './tables.ts'

const importer = fileURLToPath(new URL('../import-process.ts', import.meta.url))
const run = promisify(execFile)

/** Heap limit of an importing process, whatever the size of the market. If it is exceeded, the process crashes and the benchmark fails. */
export const heapMegabytes = 64

type Done = { file: string; ms: number; rows: number; added: number; changed: number; unchanged: number; peakMegabytes: number | null }

/** Results of one round. Durations are in milliseconds. */
export type ImportRound = {
  readonly firstMs: number
  readonly sameMs: number
  readonly changedMs: number
  readonly copyMs: number
  readonly bareCopyMs: number
  /** Peak memory of an importing process. */
  readonly peakMegabytes: number | null
  readonly products: number
  readonly changes: number
  readonly productsChanged: number
}

async function importing(url: string, files: readonly string[], signal: AbortSignal): Promise<Done[]> {
  const { stdout } = await run(process.execPath, [`--max-old-space-size=${heapMegabytes}`, importer, url, ...files], { signal })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Done)
}

const sum = (done: readonly Done[]) => done.reduce((ms, one) => ms + one.ms, 0)

async function copyBoth(pool: Database, folder: string): Promise<{ copyMs: number; bareCopyMs: number }> {
  await emptyRows(pool)
  const copyMs = await copyIn(pool, folder, 'real')
  await emptyRows(pool)
  return { copyMs, bareCopyMs: await copyIn(pool, folder, 'bare') }
}

/** Imports the feeds into an empty market. */
export async function importIntoEmptyMarket({ pool, url }: BenchDatabase, files: MarketFiles, signal: AbortSignal): Promise<Done[]> {
  await emptyMarket(pool)
  await importing(url, [files.providers], signal)
  const done = await importing(url, [files.products, files.history], signal)
  await proveHistory(pool)
  return done
}

/**
 * Imports a market into an empty dataset, then again unchanged, then with one product in twenty changed. Also loads the same rows with COPY, before the imports
 * in one round and after them in the next.
 */
export async function importRound(database: BenchDatabase, files: MarketFiles, folder: string, round: number, signal: AbortSignal): Promise<ImportRound> {
  const { pool, url } = database
  const isFirst = round === 0
  const before = round % 2 === 1 ? await copyBoth(pool, folder) : null
  const first = await importIntoEmptyMarket(database, files, signal)
  const { products, changes } = await countRows(pool)
  const same = await importing(url, [files.products, files.history], signal)
  if (same.some(({ unchanged, rows }) => unchanged !== rows)) throw new Error('Importing the same feed again changed rows.')
  if (isFirst) await copyOut(url, folder)
  const changed = await importing(url, [files.changed], signal)
  await proveHistory(pool)
  const copied = before ?? (await copyBoth(pool, folder))
  const peaks = [...first, ...same, ...changed].flatMap(({ peakMegabytes }) => peakMegabytes ?? [])
  return {
    firstMs: sum(first),
    sameMs: sum(same),
    changedMs: sum(changed),
    ...copied,
    peakMegabytes: peaks.length > 0 ? Math.max(...peaks) : null,
    products,
    changes,
    productsChanged: changed[0]?.changed ?? 0,
  }
}
