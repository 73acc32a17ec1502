import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readServiceJob } from '#server/jobs/read-service.job.ts'
import { getRecentUptime } from '#server/metering/service-state.ts'
import { ownDatabase } from '../support/own-database.ts'

const db = ownDatabase()
const running = new AbortController().signal
const answers: { status: number; body: object }[] = []
const server = createServer((_request, response) => {
  const { status, body } = answers.shift() ?? { status: 200, body: { ok: true } }
  response.writeHead(status).end(JSON.stringify(body))
})
let address = { origin: '' }

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
afterAll(() => server.close())

/** Simulates that a minute has passed since the last uptime check. */
const later = () => db.pool.query("UPDATE uptime_check SET read_at = read_at - interval '1 minute'")
const known = async () => (await getRecentUptime(db.pool)).map(({ good, bad }) => [good, bad])

test('records one uptime check per minute, and counts starting and draining as neither up nor down', async () => {
  const job = readServiceJob(address)
  await job.run(db.pool, running)
  expect(await known()).toEqual([])
  for (const answer of [
    { status: 200, body: { ok: true } },
    { status: 503, body: { ok: false, database: true, market: false } },
    { status: 503, body: { ok: false, draining: true } },
    { status: 200, body: {} },
  ]) {
    answers.push(answer)
    await job.run(db.pool, running)
    await later()
  }
  expect(await known()).toEqual([[1, 2]])
  // A second worker within the same minute records nothing.
  for (let worker = 0; worker < 2; worker++) await job.run(db.pool, running)
  expect(await known()).toEqual([[2, 2]])
})

test('counts an unresponsive service as not ready', async () => {
  const unreachable = readServiceJob({ origin: 'http://127.0.0.1:9' })
  await unreachable.run(db.pool, running)
  await later()
  await unreachable.run(db.pool, running)
  expect(await known()).toEqual([[2, 3]])
})
