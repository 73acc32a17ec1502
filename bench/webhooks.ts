/**
 * npm run bench:webhooks
 * One worker that delivers webhooks to receivers on this machine, beside a bare loop that signs and posts the same bodies with the same HTTP client; and
 * 10,000 endpoints of which one in a hundred hangs, beside the same ones when none does. bench/README.md tells more.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { createLog } from '#server/observability/log.ts'
import { openAgents, send } from '#server/webhooks/send.ts'
import { signatureOf } from '#server/webhooks/signature.ts'
import { DeliveryWorker } from '#server/webhooks/worker.ts'
import { openBenchDatabase, settle } from './database.ts'
import { median } from './figures.ts'
import { countDelivered, emptyQueues, fillEndpoints, fillQueues } from './webhooks.store.ts'

const rounds = 3
const events = 20_000
const fewEndpoints = 100
const manyEndpoints = 10_000
const hangShare = 100
const wantedShare = 0.4
const wantedBesideHanging = 0.9

const secret = 'a secret of the benchmark that is long enough'
const body = JSON.stringify({ id: 'evt_bench', type: 'rate.changed', createdAt: '2026-11-21T09:00:00.000Z', attempt: 1, data: { filler: 'x'.repeat(600) } })
const reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }
const fixed = { 'Content-Type': 'application/json', 'X-SVC-Event': 'rate.changed', 'X-SVC-Delivery': 'dlv_bench' }

/** A receiver in a process of its own, so that its time is not ours. */
function startReceiver(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url)))
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ child, url: `http://127.0.0.1:${port}` }))
    child.once('exit', (code) => reject(new Error(`The receiver ended with ${code}.`)))
  })
}

/** Signs and posts as often as there are events, as many at once as the worker may. Posts a second. */
async function bareLoop(url: string): Promise<number> {
  const agents = openAgents()
  let left = events
  const one = async () => {
    while (left-- > 0) {
      const headers = { ...fixed, 'X-SVC-Signature': signatureOf(body, [secret], Date.now()) }
      const { status } = await send({ url: `${url}/ok`, headers, body, attempt: 1 }, { reach, agents })
      if (status !== 200) throw new Error(`The receiver answered ${status}.`)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: fewEndpoints }, one))
  agents.close()
  return events / ((performance.now() - from) / 1_000)
}

/** Delivers what is queued, with one worker, until so many are delivered. Deliveries a second. */
async function workThrough(pool: Pool, wanted: number): Promise<number> {
  const sample = () => Promise.reject(new Error('Nobody asks for samples here.'))
  const room = { pool, log: createLog('error'), settings: { secret, developmentFeatures: true, allowsPrivate: true }, sample }
  const stopping = new AbortController()
  const from = performance.now()
  const work = new DeliveryWorker(room, { reach, now: () => Date.now() }).run(stopping.signal)
  while ((await countDelivered(pool)) < wanted) await sleep(200)
  const tookSeconds = (performance.now() - from) / 1_000
  stopping.abort()
  // Posts that hang are waited for, as when the service stops.
  await work
  return wanted / tookSeconds
}

/** How much of a bare loop the worker delivers. */
async function besideBareLoop(pool: Pool, url: string): Promise<number> {
  const shares: number[] = []
  await fillEndpoints(pool, { secret, count: fewEndpoints, url })
  for (let round = 0; round <= rounds; round++) {
    await fillQueues(pool, events / fewEndpoints, body)
    await settle(pool)
    const [bare, worker] = [await bareLoop(url), await workThrough(pool, events)]
    await emptyQueues(pool)
    console.log(`  bare ${bare.toFixed(0)}/s, worker ${worker.toFixed(0)}/s, ${(worker / bare).toFixed(2)}${round === 0 ? ', to warm up' : ''}`)
    if (round > 0) shares.push(worker / bare)
  }
  return median(shares) ?? 0
}

/** Three events each for many endpoints, of which one in so many hangs; 0: none does. Deliveries a second. */
async function manyQueues(pool: Pool, url: string, hangEvery: number): Promise<number> {
  await fillEndpoints(pool, { secret, count: manyEndpoints, url, hangEvery })
  await fillQueues(pool, 3, body)
  await settle(pool)
  const speed = await workThrough(pool, 3 * (manyEndpoints - (hangEvery === 0 ? 0 : manyEndpoints / hangEvery)))
  await emptyQueues(pool)
  return speed
}

/** How much of its speed the worker keeps when one in a hundred of its receivers hangs. */
async function besideHanging(pool: Pool, url: string): Promise<number> {
  const shares: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const speeds = { without: 0, hanging: 0 }
    const order = ['without', 'hanging'] as const
    for (const name of round % 2 === 1 ? order : order.toReversed()) speeds[name] = await manyQueues(pool, url, name === 'hanging' ? hangShare : 0)
    const { without, hanging } = speeds
    shares.push(hanging / without)
    console.log(`  10,000 endpoints: ${without.toFixed(0)}/s, with 1 % that hang ${hanging.toFixed(0)}/s, ${(hanging / without).toFixed(2)}`)
  }
  return median(shares) ?? 0
}

async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-webhooks-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'webhooks'))
  cleanUp.defer(() => database.stop())
  const { child, url } = await startReceiver()
  cleanUp.defer(() => void child.kill())
  const delivered = await besideBareLoop(database.pool, url)
  console.log(`  the worker delivers ${delivered.toFixed(2)} of what a bare loop posts (wanted ${wantedShare})`)
  const kept = await besideHanging(database.pool, url)
  console.log(`  with 1 % that hang ${kept.toFixed(2)} is left (wanted ${wantedBesideHanging})`)
  if (delivered < wantedShare || kept < wantedBesideHanging) throw new Error('It is slower than promised.')
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
