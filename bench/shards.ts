/**
 * npm run bench:shards -- [--quick]
 * Proof of concept of a distributed PostgreSQL: accounts are spread over several databases, and each call uses the database of its account. It is not part of
 * the service. See docs/scaling.md for its purpose, bench/README.md for its method.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startOwnServer } from '../tests/chaos/own-server.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { addDatabase, databaseShard, serverShard } from './shards/databases.ts'
import { measureOverhead, type Overhead, openArrangement } from './shards/overhead.ts'
import { ShardMap } from './shards/shard-map.ts'
import { runTrial, settleAccounts, type TrialReport } from './shards/trial.ts'

const isQuick = process.argv.includes('--quick')
const size = isQuick ? { rounds: 3, seconds: 0.7, outageMs: 1_500, betweenMs: 1_500 } : { rounds: 9, seconds: 1.5, outageMs: 5_000, betweenMs: 5_000 }
const plenty = 1_000_000_000
// Failures are intended; the results are read from the ledgers.
const log = pino({ level: 'silent' })

/** Compares one database, two databases, and one behind the directory. All are on one server and share this machine's cores. */
async function overhead(main: BenchDatabase): Promise<Overhead[]> {
  const arrangements = []
  for (const count of [1, 2, 4]) {
    const directory = await addDatabase(main.url, main.pool, `directory_of_${count}`)
    const shards = []
    for (let at = 0; at < count; at++) shards.push(await databaseShard(main.url, main.pool, `part_${count}_${at}`))
    const map = new ShardMap(count)
    const homes = await settleAccounts({ directory: directory.pool, shards, accounts: 400, creditsEach: plenty }, map)
    arrangements.push(await openArrangement(`${count} database${count === 1 ? '' : 's'}`, directory.pool, map, shards, homes.flat(), log))
  }
  const measured = await measureOverhead(arrangements, size.rounds, size.seconds, [main.pid])
  await Promise.all(arrangements.map(({ gateway }) => gateway.close()))
  return measured
}

/** Two databases of one server and one separate server; the server is killed, then one of the databases is disconnected. */
async function outages(main: BenchDatabase): Promise<TrialReport> {
  await using server = await startOwnServer()
  const directory = await addDatabase(main.url, main.pool, 'directory')
  const shards = [
    await databaseShard(main.url, main.pool, 'shard_0'),
    await databaseShard(main.url, main.pool, 'shard_1'),
    serverShard(server, 'shard_2 (on a separate server)'),
  ]
  const parts = { gateways: 3, accounts: 300, callers: 24, creditsEach: 20_000 }
  const taken = [2, 1, 2].map((shard) => ({ shard, ms: size.outageMs }))
  // Awaited here, because the server must still be running.
  return await runTrial({ directory: directory.pool, shards, outages: taken, betweenMs: size.betweenMs, log, ...parts })
}

function tell(measured: readonly Overhead[], { shards, faults, seconds }: TrialReport): void {
  console.log('\n| one gateway, 512 calls at a time | calls/s | node µs | PostgreSQL µs |\n| --- | ---: | ---: | ---: |')
  for (const { name, perSecond, nodeMicros, databaseMicros } of measured) {
    console.log(`| ${name} | ${perSecond.toFixed(0)} | ${nodeMicros.toFixed(1)} | ${databaseMicros.toFixed(1)} |`)
  }
  console.log(`\nThree gateways, three shards, ${seconds.toFixed(0)} s; shard_2 killed twice, shard_1 disconnected once:\n`)
  console.log(
    '| shard | accounts | charged | refused | failed, uncharged | credits | charged while another was away |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  )
  for (const one of shards) {
    console.log(`| ${one.name} | ${one.accounts} | ${one.charged} | ${one.refused} | ${one.failed} | ${one.credits} | ${one.duringOthersOutage} |`)
  }
  console.log(faults.length === 0 ? '\nEvery ledger is exact, and no data is on two shards.' : `\n${faults.slice(0, 20).join('\n')}`)
  if (faults.length > 0) process.exitCode = 1
}

const scratch = mkdtempSync(join(tmpdir(), 'svc-shards-'))
try {
  const main = await openBenchDatabase(join(scratch, 'main'))
  try {
    tell(await overhead(main), await outages(main))
  } finally {
    await main.stop()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exit()
