/**
 * node bench/citus/main.ts [--quick]
 * Compares a single PostgreSQL instance with one- and two-worker Citus clusters on this machine, by CPU time per call for each process. Needs Citus
 * (setup.sh build).
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addUpUsage } from '#server/metering/usage.ts'
import { machineMicros, microsBetween, readTimes, shareOfMachine } from '../cpu.ts'
import { settle } from '../database.ts'
import { httpCall } from '../load/requests.ts'
import { runLoad } from '../load/run-load.ts'
import { chargedSoFar, proveAnswers, proveCharges } from '../proof.ts'
import { type Subject, startSubject } from './database.ts'
import { formatReport, type Sample } from './report.ts'

const workerCounts = [0, 1, 2]
const connectionCounts = [8, 32, 128]
const load = { seconds: 1.5, warmUpSeconds: 0.5 }
const signal = new AbortController().signal

/** Returns the mean number of calls per batch. All calls of a batch have the same time, from the database's clock. */
async function callsPerBatch({ pool }: Subject, from: Date): Promise<number> {
  const { rows } = await pool.query<{ calls: number }>(
    'SELECT count(*)::float8 / greatest(count(DISTINCT (date_trunc($2, at), at)), 1) AS calls FROM request_log WHERE at >= $1',
    [from, 'hour'],
  )
  return rows[0]?.calls ?? 0
}

async function measure(subject: Subject, connections: number): Promise<Sample> {
  const { pool, gateway, servers, keys, workers } = subject
  const label = `${workers} workers, ${connections} connections`
  const before = await chargedSoFar(pool)
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  const read = () => ({
    gateway: readTimes(gateway.pids),
    servers: servers.map((pid) => readTimes([pid])),
    machine: machineMicros() ?? 0,
    at: performance.now(),
  })
  const from = read()
  const result = await runLoad({ port: gateway.port, request: httpCall, keys, connections, ...load }, signal)
  const to = read()
  proveAnswers(label, result)
  await proveCharges(label, pool, before, result)
  const micros = {
    gateway: microsBetween(from.gateway, to.gateway),
    servers: servers.map((_, at) => microsBetween(from.servers[at] ?? new Map(), to.servers[at] ?? new Map())),
  }
  const own = micros.gateway + micros.servers.reduce((sum, one) => sum + one, 0) + result.loadCpuMicros * result.answered
  const calls = result.answered
  const [first = 0, ...others] = micros.servers
  const atWorkers = others.reduce((sum, one) => sum + one, 0)
  // Usage is added up on the coordinator or the single server, for all calls of the sample.
  const addFrom = servers.map((pid) => readTimes([pid]))
  await addUpUsage(pool)
  await addUpUsage(pool)
  const rollUp = servers.map((pid, at) => microsBetween(addFrom[at] ?? new Map(), readTimes([pid])) / calls)
  return {
    ...{
      workers,
      connections,
      callsPerSecond: result.requestsPerSecond,
      p99Ms: result.p99Ms,
      callsPerBatch: await callsPerBatch(subject, rows[0]?.now ?? new Date()),
    },
    ...{
      gatewayMicros: micros.gateway / calls,
      chargeMicros: (workers === 0 ? first : atWorkers) / calls,
      coordinatorMicros: workers === 0 ? 0 : first / calls,
    },
    ...{ rollUpMicros: rollUp[0] ?? 0, takenByOthers: Math.max(0, shareOfMachine(to.machine - from.machine - own, to.at - from.at)) },
  }
}

async function measureAll(folder: string, rounds: number): Promise<Sample[]> {
  await using cleanUp = new AsyncDisposableStack()
  const subjects: Subject[] = []
  for (const workers of workerCounts) subjects.push(await startSubject(workers, folder, cleanUp))
  for (const { pool } of subjects) await settle(pool)
  for (const subject of subjects) await measure(subject, 32)
  const samples: Sample[] = []
  const inOrder = connectionCounts.flatMap((connections) => subjects.map((subject) => ({ connections, subject })))
  for (let round = 0; round < rounds; round++) {
    for (const { connections, subject } of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const sample = await measure(subject, connections)
      samples.push(sample)
      console.log(JSON.stringify(sample))
    }
  }
  return samples
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 1 : 7
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-citus-'))
// PostgreSQL runs as another user if this program runs as root.
chmodSync(folder, 0o755)
try {
  const text = formatReport(await measureAll(folder, rounds), rounds)
  console.log(text)
  if (!values.quick) writeFileSync(new URL('../results-citus.md', import.meta.url), text)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
