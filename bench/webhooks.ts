/**
 * npm run bench:webhooks
 * One worker that delivers webhooks to receivers on this machine, beside a bare loop that signs and posts the same bodies with the same HTTP client; and
 * 10,000 endpoints of which one in a hundred hangs, beside the same ones when none does. bench/README.md tells more.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLog } from '../server/log.ts'
import { openAgents, send } from '../server/webhooks/send.ts'
import { signatureOf } from '../server/webhooks/signature.ts'
import { DeliveryWorker } from '../server/webhooks/worker.ts'
import { openBenchDatabase, settle } from './database.ts'
import { median } from './figures.ts'
import { countDelivered, emptyQueues, fillEndpoints, fillQueues } from './webhooks.store.ts'

const rounds = Number(process.env['SVC_ROUNDS'] ?? 5)
const events = 20_000
const atOnce = 64
const manyEndpoints = 10_000
const hangShare = 100
const wantedShare = 0.4
const wantedBesideHanging = 0.9

const secret = 'a secret of the benchmark that is long enough'
const body = JSON.stringify({ id: 'evt_bench', type: 'rate.changed', createdAt: '2026-11-21T09:00:00.000Z', attempt: 1, data: { filler: 'x'.repeat(600) } })
const reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }
const settings = { secret, isProduction: false, allowsPrivate: true }

/** A receiver in a process of its own, so that its time is not ours. */
function startReceiver(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url)))
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ child, port: Number(port) }))
    child.once('exit', (code) => reject(new Error(`The receiver ended with ${code}.`)))
  })
}

/** Signs and posts as often as there are events, as many at once as the worker has places. Posts a second. */
async function bareLoop(port: number): Promise<number> {
  const agents = openAgents()
  let left = events
  const one = async () => {
    while (left-- > 0) {
      const headers = {
        'Content-Type': 'application/json',
        'X-SVC-Event': 'rate.changed',
        'X-SVC-Delivery': 'dlv_bench',
        'X-SVC-Signature': signatureOf(body, [secret], Date.now()),
      }
      const { status } = await send({ url: `http://127.0.0.1:${port}/ok`, headers, body, attempt: 1 }, { reach, agents })
      if (status !== 200) throw new Error(`The receiver answered ${status}.`)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: atOnce }, one))
  agents.close()
  return events / ((performance.now() - from) / 1_000)
}

async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-webhooks-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'webhooks'))
  cleanUp.defer(() => database.stop())
  const { pool } = database
  const receiver = await startReceiver()
  cleanUp.defer(() => void receiver.child.kill())
  const sample = () => Promise.reject(new Error('Nobody asks for samples here.'))
  const room = { pool, log: createLog('error'), settings, sample }

  /** Delivers what is queued until `wanted` are delivered. Deliveries a second. */
  const workThrough = async (wanted: number): Promise<number> => {
    const stopping = new AbortController()
    const from = performance.now()
    const work = new DeliveryWorker(room, { reach, now: () => Date.now() }).run(stopping.signal)
    while ((await countDelivered(pool)) < wanted) await new Promise((resolve) => setTimeout(resolve, 50))
    const took = (performance.now() - from) / 1_000
    stopping.abort()
    // Posts that hang are waited for, as when the service stops.
    await work
    return wanted / took
  }

  const [bare, worker, share]: number[][] = [[], [], []]
  await fillEndpoints(pool, { secret, count: 100, url: `http://127.0.0.1:${receiver.port}` })
  for (let round = 0; round <= rounds; round++) {
    await fillQueues(pool, events / 100, body)
    await settle(pool)
    const [loop, ours] = [await bareLoop(receiver.port), await workThrough(events)]
    await emptyQueues(pool)
    // The first round warms everything up.
    if (round === 0) continue
    bare?.push(loop)
    worker?.push(ours)
    share?.push(ours / loop)
    console.log(`  bare ${loop.toFixed(0)}/s, worker ${ours.toFixed(0)}/s, ${(ours / loop).toFixed(2)}`)
  }
  const between = median(share ?? []) ?? 0
  console.log(`  the worker delivers ${between.toFixed(2)} of what a bare loop posts (wanted ${wantedShare})`)

  const [beside]: number[][] = [[]]
  for (let round = 1; round <= Math.max(1, Math.ceil(rounds / 2)); round++) {
    const speeds: number[] = []
    for (const hanging of round % 2 ? [false, true] : [true, false]) {
      await fillEndpoints(pool, { secret, count: manyEndpoints, url: `http://127.0.0.1:${receiver.port}`, hangEvery: hanging ? hangShare : 0 })
      await fillQueues(pool, 3, body)
      await settle(pool)
      const healthy = hanging ? manyEndpoints - manyEndpoints / hangShare : manyEndpoints
      const speed = await workThrough(healthy * 3)
      speeds[Number(hanging)] = speed
      await emptyQueues(pool)
    }
    const [without = 1, withHanging = 0] = speeds
    beside?.push(withHanging / without)
    console.log(`  10,000 endpoints: ${without.toFixed(0)}/s, with 1 % that hang ${withHanging.toFixed(0)}/s, ${(withHanging / without).toFixed(2)}`)
  }
  const kept = median(beside ?? []) ?? 0
  console.log(`  with 1 % that hang ${kept.toFixed(2)} is left (wanted ${wantedBesideHanging})`)
  if (between < wantedShare || kept < wantedBesideHanging) throw new Error('It is slower than promised.')
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
