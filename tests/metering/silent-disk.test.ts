/**
 * Simulates a disk that never confirms a commit by requiring a synchronous standby that doesn't exist. Only the admission path waits for the standby.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { Admission } from '#server/metering/admission.ts'
import type { Outcome } from '#server/metering/batch.ts'
import { createLog } from '#server/observability/log.ts'
import { type OwnServer, startOwnServer } from '../chaos/own-server.ts'
import { admit, buildRequest, makePayer, type Payer, readCounters, serviceVersion } from './statement.ts'

let server: OwnServer
let admission: Admission
let version = 0

beforeAll(async () => {
  server = await startOwnServer({ settings: { synchronous_standby_names: 'nobody', synchronous_commit: 'local' } })
  const waiting = new URL(server.url)
  waiting.searchParams.set('options', '-c synchronous_commit=on')
  admission = new Admission(waiting.href, createLog('silent'))
  await admission.open()
  version = await serviceVersion(server.pool)
})
afterAll(async () => {
  const cancelling = setInterval(() => void cancelWaits(), 50)
  await admission?.close()
  clearInterval(cancelling)
  await server?.[Symbol.asyncDispose]()
})

/** Cancels all current waits for the standby, as if the disk had confirmed the commits. */
const cancelWaits = () => server.pool.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")

const pollOptions = { timeout: 15_000, interval: 20 }
const untilBalance = (payer: Payer, balance: number) =>
  vi.waitFor(async () => expect(await readCounters(server.pool, payer)).toMatchObject({ balance }), pollOptions)
const ask = (payer: Payer): Promise<Outcome | null> => admission.admit({ ...buildRequest(payer), serviceVersion: version })

async function isAnswered(asked: Promise<unknown>): Promise<boolean> {
  return Promise.race([asked.then(() => true), sleep(50).then(() => false)])
}

test.each([
  ['granted as a whole', true],
  ['decided one by one', false],
])(
  'for a batch %s, reports no charge before it is on disk, but processes the next request in the meantime',
  async (_, isWhole) => {
    const payer = await makePayer(server.pool, { credits: 101, perMinute: 100_000 })
    await admit(server.pool, [buildRequest(payer)])
    const asking = (changes = {}) => admission.admit({ ...buildRequest(payer, changes), serviceVersion: version })
    const changes = isWhole ? {} : { idempotency: { key: 'k', request: 'aa' } }
    const first = asking(changes)
    await untilBalance(payer, 99)
    const second = asking()
    await untilBalance(payer, 98)
    expect(await isAnswered(Promise.race([first, second]))).toBe(false)
    await cancelWaits()
    expect(await Promise.all([first, second])).toMatchObject([
      { credits: 1, balance: 99 },
      { credits: 1, balance: 98 },
    ])
    expect((await verifyLedger(server.pool)).differences).toEqual([])
  },
  30_000,
)

test('charges a bounded number of requests while the disk does not confirm commits, and reverses all of them', async () => {
  const payer = await makePayer(server.pool, { credits: 100_000, perMinute: 100_000 })
  const asked: Promise<Outcome | null>[] = []
  for (let round = 0; round < 40; round++) {
    asked.push(...Array.from({ length: 100 }, () => ask(payer)))
    await sleep(20)
  }
  const charged = 100_000 - (await readCounters(server.pool, payer)).balance
  expect(charged).toBeGreaterThan(0)
  expect(charged).toBeLessThanOrEqual(3 * 256)
  const outcomes = await Promise.all(asked)
  expect(outcomes).toEqual(outcomes.map(() => null))
  await vi.waitFor(async () => {
    await cancelWaits()
    expect(await readCounters(server.pool, payer)).toMatchObject({ balance: 100_000 })
  }, pollOptions)
  expect((await verifyLedger(server.pool)).differences).toEqual([])
}, 60_000)

test('after an error that follows the first commit, looks up the charge and returns it to the caller', async () => {
  const payer = await makePayer(server.pool, { credits: 10 })
  const places = Array.from({ length: 17 }, (_, at) => `$${at + 1}`).join(', ')
  await server.pool.query('ALTER PROCEDURE admit_durably RENAME TO admit_kept')
  await server.pool.query(`DO $do$ BEGIN EXECUTE format('CREATE PROCEDURE admit_durably(%s) LANGUAGE plpgsql AS %L',
    pg_get_function_identity_arguments('admit_kept'::regproc),
    'BEGIN answer := admit(${places}); COMMIT; RAISE EXCEPTION USING ERRCODE = ''query_canceled''; END'); END $do$`)
  const cancelling = setInterval(() => void cancelWaits(), 20)
  expect(await ask(payer)).toMatchObject({ credits: 1, balance: 9 })
  clearInterval(cancelling)
  await server.pool.query('DROP PROCEDURE admit_durably')
  await server.pool.query('ALTER PROCEDURE admit_kept RENAME TO admit_durably')
  expect(await readCounters(server.pool, payer)).toMatchObject({ balance: 9 })
})
