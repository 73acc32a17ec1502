/**
 * npm run bench once for the build, then: node bench/attacks.ts [--quick]
 * Measures how much an attack by one client increases the latency of /v1 under a constant load. The client has eight connections, and no key or only a test key
 * over its limit.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeAccount, makeKey } from '../tests/support/accounts.ts'
import { makeKeys } from './accounts.ts'
import { openBenchDatabase, settle } from './database.ts'
import { median } from './figures.ts'
import type { LoadResult } from './load/load-types.ts'
import { httpCall } from './load/requests.ts'
import { runLoad } from './load/run-load.ts'
import { startOurs } from './processes.ts'

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values
const seconds = quick ? 4 : 20
const rounds = quick ? 1 : 3
const loadConnections = 2
const attackConnections = 8
const wanted = { p50: 2, p99: 3, rows: 200 } as const

type Attack = { readonly name: string; readonly method: string; readonly path: string; readonly headers: Record<string, string>; readonly body: string }

const nested = (bytes: number) => `{"json":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`
const toTrpc = (name: string, body: string): Attack => ({
  name,
  method: 'POST',
  path: '/api/trpc/keys.create',
  headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', 'content-length': String(body.length) },
  body,
})

const attacksWith = (key: string): Attack[] => [
  toTrpc('nested arrays of 1 MB to /api/trpc', nested(1_000_000)),
  toTrpc('nested arrays of 60 kB to /api/trpc', nested(60_000)),
  { name: 'GET /', method: 'GET', path: '/', headers: {}, body: '' },
  { name: 'calls of a key over its limit', method: 'GET', path: '/v1/rates', headers: { authorization: `Bearer ${key}` }, body: '' },
]

/** Sends requests over eight connections. Returns a function that stops them and counts the responses by status; 0 is a closed connection. */
function startAttack(port: number, { method, path, headers, body }: Attack): () => Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: attackConnections })
  const statuses = new Map<number, number>()
  let isOver = false
  const once = () =>
    new Promise<number>((resolve) => {
      const sent = request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
        response.resume()
        response.once('close', () => resolve(response.statusCode ?? 0))
      })
      sent.once('error', () => resolve(0))
      sent.end(body)
    })
  const connection = async () => {
    while (!isOver) {
      const status = await once()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const running = Promise.all(Array.from({ length: attackConnections }, connection))
  return async () => {
    isOver = true
    await running
    agent.destroy()
    return statuses
  }
}

/** Results of one round: `calm` with the load alone, `busy` with the load and an attack. */
type Sample = {
  readonly calm: LoadResult
  readonly busy: LoadResult
  readonly rows: number
  readonly p50: number
  readonly p99: number
  readonly statuses: Map<number, number>
}

async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-attacks-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'attacks'))
  cleanUp.defer(() => database.stop())
  const keys = await makeKeys(database.pool, 'load', 20)
  const attacker = await makeAccount(database.pool)
  const { key } = await makeKey(database.pool, attacker, { mode: 'test' })
  const service = await startOurs({ databaseUrl: database.url, dataDir: scratch, roles: 'gateway,portal,worker' })
  cleanUp.defer(() => service.stop())
  const [port = 0] = service.ports
  const load = () =>
    runLoad({ ports: service.ports, request: httpCall, keys, connections: loadConnections, seconds, warmUpSeconds: 1 }, new AbortController().signal)
  const rowsOfAttacker = async () =>
    Number((await database.pool.query<{ n: string }>('SELECT count(*) AS n FROM request_log WHERE account_id = $1', [attacker.id])).rows[0]?.n)
  await load()
  console.log(`| Attack | /v1 p50, ms | p99, ms | p50 under attack | p99 | ratios | log rows | responses to it |\n${'| --- '.repeat(8)}|`)
  let isKept = true
  for (const attack of attacksWith(key)) {
    const samples: Sample[] = []
    await settle(database.pool)
    for (let round = 0; round < rounds; round++) {
      const calm = await load()
      const before = await rowsOfAttacker()
      const stop = startAttack(port, attack)
      const busy = await load()
      const statuses = await stop()
      if (calm.notOk + busy.notOk > 0) throw new Error(`Calls failed: ${calm.firstFault ?? busy.firstFault}`)
      samples.push({ calm, busy, rows: (await rowsOfAttacker()) - before, p50: busy.p50Ms / calm.p50Ms, p99: busy.p99Ms / calm.p99Ms, statuses })
    }
    const of = (figure: (sample: Sample) => number) => median(samples.map(figure)) ?? 0
    const [p50, p99, rows] = [of((one) => one.p50), of((one) => one.p99), Math.max(...samples.map((one) => one.rows))]
    isKept &&= p50 <= wanted.p50 && p99 <= wanted.p99 && rows < wanted.rows
    const latencies = [of(({ calm }) => calm.p50Ms), of(({ calm }) => calm.p99Ms), of(({ busy }) => busy.p50Ms), of(({ busy }) => busy.p99Ms)]
    const answers = [...(samples.at(-1)?.statuses ?? [])].map(([status, count]) => `${count} × ${status}`).join(', ')
    console.log(`| ${attack.name} | ${latencies.map((ms) => ms.toFixed(2)).join(' | ')} | ${p50.toFixed(2)}, ${p99.toFixed(2)} | ${rows} | ${answers} |`)
  }
  if (!isKept)
    throw new Error(`An attack multiplies the latency of /v1 by more than ${wanted.p50} (p50) or ${wanted.p99} (p99), or adds ${wanted.rows} log rows or more.`)
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
