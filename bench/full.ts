import { join } from 'node:path'
import { makeKeys } from './accounts.ts'
import { fullCases, spreadOver } from './cases.ts'
import { openBenchDatabase, settle } from './database.ts'
import { fillDatabase } from './fill.store.ts'
import { httpCall } from './load/requests.ts'
import { type Measured, measure, type Subjects } from './measure.ts'
import type { Options } from './options.ts'
import { startOurs } from './processes.ts'

const both = (spread: readonly string[]) => ({ spread, hot: spread.slice(0, 1) })

/** Compares an empty and a full database, each with a separate process, measured alternately. */
export async function measureFull(scratch: string, options: Options): Promise<{ measured: Measured; fillSeconds: number }> {
  await using cleanUp = new AsyncDisposableStack()
  const empty = await openBenchDatabase(join(scratch, 'empty'))
  cleanUp.defer(() => empty.stop())
  const full = await openBenchDatabase(join(scratch, 'full'))
  cleanUp.defer(() => full.stop())
  const emptyKeys = await makeKeys(empty.pool, 'empty', spreadOver)
  const from = performance.now()
  const fullKeys = await fillDatabase(full.pool, spreadOver)
  await settle(full.pool)
  await settle(empty.pool)
  const fillSeconds = (performance.now() - from) / 1000
  console.log(`  filled in ${fillSeconds.toFixed(0)} s`)
  const onEmpty = await startOurs({ databaseUrl: empty.url, dataDir: empty.dataDir, roles: 'gateway' })
  cleanUp.defer(() => onEmpty.stop())
  const onFull = await startOurs({ databaseUrl: full.url, dataDir: full.dataDir, roles: 'gateway' })
  cleanUp.defer(() => onFull.stop())
  const subjects: Subjects = new Map([
    ['leanEmpty', { running: onEmpty, request: httpCall, keys: both(emptyKeys), database: empty }],
    ['leanFull', { running: onFull, request: httpCall, keys: both(fullKeys), database: full }],
  ])
  // These differences are small, so measuring them needs more rounds than measuring the large ones between rivals.
  const measured = await measure(fullCases, subjects, { ...options, rounds: options.rounds * 2 })
  return { measured, fillSeconds }
}
