import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  type ClusterState,
  copyLog,
  distributeCharges,
  estimateRows,
  guardAdmission,
  makeLogCopies,
  readClusterState,
  refuseBatches,
  undoPreparation,
  vacuumTables,
} from '#server/db/database-probes.sql.ts'

/** The log is copied repeatedly while the service adds rows, until a pass takes less than this time. */
const lastCopyMs = 1_000
const maxCopies = 10
const transactionTimeoutMs = 10_000
const pollMs = 50
const lockTimeoutMs = 5_000
/** Copy rate to assume if too few log rows were copied to measure it. */
const assumedRowsPerSecond = 30_000
const measurableRows = 100_000
/** Tables that are copied while calls wait. */
const tables = ['wallet', 'key_meter', 'ledger_entry', 'idempotency', 'dropped_charge']

type Distribution = {
  readonly shards: number
  readonly workers: number
  readonly alreadyDistributed: boolean
  /** Rows of the request log that were copied while calls continued. */
  readonly copiedRows: number
  /** Time during which calls waited. */
  readonly pauseMs: number
}

/** Returns the reason why the tables can't be distributed, or null. */
function findObstacle({ isCitus, isCoordinator, workers }: ClusterState): string | null {
  if (!isCitus) return 'The Citus extension is not installed. Run CREATE EXTENSION citus on every node, and add the workers with citus_add_node.'
  if (!isCoordinator) return "The database is a worker of the cluster. Set DATABASE_URL to the cluster's coordinator."
  return workers === 0 ? 'The cluster has no workers. Add them with citus_add_node.' : null
}

/** Copies the request log while the service is running. Returns the number of rows, and how many were copied per second. */
async function copyLogInAdvance(client: Client, shards: number): Promise<{ rows: number; perSecond: number }> {
  const partitions = await makeLogCopies(client, shards)
  const from = performance.now()
  let rows = 0
  for (const partition of partitions) rows += await copyLog(client, partition)
  const perSecond = rows < measurableRows ? assumedRowsPerSecond : (rows * 1_000) / (performance.now() - from)
  await vacuumTables(
    client,
    partitions.map((partition) => `${partition}_copy`),
  )
  for (let copies = 0; copies < maxCopies; copies++) {
    const began = performance.now()
    for (const partition of partitions) rows += await copyLog(client, partition)
    if (performance.now() - began < lastCopyMs) break
  }
  return { rows, perSecond }
}

/** Waits until every batch checks whether the tables are being distributed. @throws if a transaction stays open */
async function guardBatches(client: Client): Promise<void> {
  const findOlder = await guardAdmission(client)
  const end = performance.now() + transactionTimeoutMs
  for (let name = await findOlder(); name !== null; name = await findOlder()) {
    if (performance.now() > end)
      throw new Error(`A transaction of "${name}" has been open for more than ${transactionTimeoutMs / 1_000} seconds. End it, then run the command again.`)
    await sleep(pollMs)
  }
}

async function distributeOnline(client: Client, shards: number, maxPauseMs: number) {
  const { rows, perSecond } = await copyLogInAdvance(client, shards)
  const seconds = Math.ceil((await estimateRows(client)) / perSecond)
  if (seconds * 1_000 > maxPauseMs)
    throw new Error(`Calls would wait for about ${seconds} seconds while balances are copied. To accept this, pass --max-pause ${seconds * 2}.`)
  await guardBatches(client)
  const from = performance.now()
  await refuseBatches(client, lockTimeoutMs)
  const made = await distributeCharges(client, shards, maxPauseMs)
  return { shards: made, copiedRows: rows, pauseMs: Math.round(performance.now() - from) }
}

/**
 * Distributes the charging tables across the workers while the service is running. Copies the request log first. Calls then wait while the other tables are
 * copied, and fail uncharged if that takes more than two seconds. If it fails or takes longer than `maxPauseMs`, nothing changes.
 * @throws an error whose message gives the reason
 */
export async function distribute(client: Client, shards: number, maxPauseMs: number): Promise<Distribution> {
  const state = await readClusterState(client)
  const { workers, isDistributed } = state
  const obstacle = findObstacle(state)
  if (obstacle !== null) throw new Error(obstacle)
  const before = { workers, alreadyDistributed: isDistributed }
  if (isDistributed) return { ...before, shards: await distributeCharges(client, shards, 0), copiedRows: 0, pauseMs: 0 }
  try {
    const done = await distributeOnline(client, shards, maxPauseMs)
    await vacuumTables(client, tables)
    return { ...before, ...done }
  } catch (error) {
    // If this also fails, the original error is more useful. The next run starts by undoing the preparation.
    await undoPreparation(client).catch(() => undefined)
    throw error
  }
}
