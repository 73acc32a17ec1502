/**
 * Measures the delivery rate of one worker to local receivers, relative to a plain loop that signs and posts the same bodies with the
 * same HTTP client. Then measures the rate for 10,000 endpoints of which one in a hundred hangs, relative to the rate when none hangs. See bench/README.md.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '#server/db/prisma.ts'
import { createLog } from '#server/observability/log.ts'
import { DeliveryWorker } from '#server/webhooks/delivery-worker.ts'
import { openAgents, send } from '#server/webhooks/send.ts'
import { sign } from '#server/webhooks/signature.ts'
import { openBenchDatabase, settle } from './database.ts'
import { median } from './figures.ts'
import { countDelivered, emptyQueues, fillEndpoints, fillQueues } from './webhooks.store.ts'

const rounds = 3
const events = 20_000
const fewEndpoints = 100
const manyEndpoints = 10_000
const hangShare = 100
const wantedShare = 0.4
const wantedWithHanging = 0.9

const secret = 'a secret of the benchmark that is long enough'
const body = JSON.stringify({ id: 'evt_bench', type: 'rate.changed', createdAt: '2026-11-21T09:00:00.000Z', attempt: 1, data: { filler: 'x'.repeat(600) } })
const reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }
const fixed = { 'Content-Type': 'application/json', 'X-SVC-Event': 'rate.changed', 'X-SVC-Delivery': 'dlv_bench' }

/** Starts a receiver in a separate process, so that it does not share the worker's event loop. */
function startReceiver(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url)))
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ child, url: `http://127.0.0.1:${port}` }))
    child.once('exit', (code) => reject(new Error(`The webhook receiver exited with code ${code}.`)))
  })
}

/** Signs and posts one request per event, with the same concurrency as the worker. Returns posts per second. */
async function bareLoop(url: string): Promise<number> {
  const agents = openAgents()
  let left = events
  const one = async () => {
    while (left-- > 0) {
      const headers = { ...fixed, 'X-SVC-Signature': sign(body, [secret], Date.now()) }
      const { status } = await send({ url: `${url}/ok`, headers, body, attempt: 1 }, { reach, agents })
      if (status !== 200) throw new Error(`The receiver returned ${status}.`)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: fewEndpoints }, one))
  agents.close()
  return events / ((performance.now() - from) / 1_000)
}

/** Runs one worker until it has delivered the given number of queued events. Returns deliveries per second. */
async function workThrough(pool: Database, wanted: number): Promise<number> {
  const sample = () => Promise.reject(new Error('The benchmark sends no sample events.'))
  const deps = { pool, log: createLog('error'), settings: { secret, developmentFeatures: true, allowsPrivate: true }, sample }
  const stopping = new AbortController()
  const from = performance.now()
  const work = new DeliveryWorker(deps, { reach, now: () => Date.now() }).run(stopping.signal)
  while ((await countDelivered(pool)) < wanted) await sleep(200)
  const tookSeconds = (performance.now() - from) / 1_000
  stopping.abort()
  // Waits for pending requests to receivers that do not respond, as a service shutdown does.
  await work
  return wanted / tookSeconds
}

/** Returns the ratio of the worker's delivery rate to that of a plain loop. */
async function compareToBareLoop(pool: Database, url: string): Promise<number> {
  const shares: number[] = []
  await fillEndpoints(pool, { secret, count: fewEndpoints, url })
  for (let round = 0; round <= rounds; round++) {
    await fillQueues(pool, events / fewEndpoints, body)
    await settle(pool)
    const [bare, worker] = [await bareLoop(url), await workThrough(pool, events)]
    await emptyQueues(pool)
    console.log(`  bare ${bare.toFixed(0)}/s, worker ${worker.toFixed(0)}/s, ${(worker / bare).toFixed(2)}${round === 0 ? ' (warm-up)' : ''}`)
    if (round > 0) shares.push(worker / bare)
  }
  return median(shares) ?? 0
}

/** Delivers three events to each of many endpoints. One endpoint in `hangEvery` hangs; 0 means that none does. Returns deliveries per second. */
async function manyQueues(pool: Database, url: string, hangEvery: number): Promise<number> {
  await fillEndpoints(pool, { secret, count: manyEndpoints, url, hangEvery })
  await fillQueues(pool, 3, body)
  await settle(pool)
  const speed = await workThrough(pool, 3 * (manyEndpoints - (hangEvery === 0 ? 0 : manyEndpoints / hangEvery)))
  await emptyQueues(pool)
  return speed
}

/** Returns the delivery rate with one in a hundred receivers hanging, divided by the rate with none hanging. */
async function compareWithHanging(pool: Database, url: string): Promise<number> {
  const shares: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const speeds = { without: 0, hanging: 0 }
    const order = ['without', 'hanging'] as const
    for (const name of round % 2 === 1 ? order : order.toReversed()) speeds[name] = await manyQueues(pool, url, name === 'hanging' ? hangShare : 0)
    const { without, hanging } = speeds
    shares.push(hanging / without)
    console.log(`  10,000 endpoints: ${without.toFixed(0)}/s, with 1 % hanging ${hanging.toFixed(0)}/s, ${(hanging / without).toFixed(2)}`)
  }
  return median(shares) ?? 0
}

export async function benchmark(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-webhooks-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'webhooks'))
  cleanUp.defer(() => database.stop())
  const { child, url } = await startReceiver()
  cleanUp.defer(() => void child.kill())
  const delivered = await compareToBareLoop(database.pool, url)
  console.log(`  the worker delivers at ${delivered.toFixed(2)} of the rate of a plain loop (target ${wantedShare})`)
  const kept = await compareWithHanging(database.pool, url)
  console.log(`  with 1 % of the receivers hanging, the worker keeps ${kept.toFixed(2)} of its rate (target ${wantedWithHanging})`)
  if (delivered < wantedShare || kept < wantedWithHanging) throw new Error('Webhook delivery is slower than the target.')
}
