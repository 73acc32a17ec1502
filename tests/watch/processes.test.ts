import { afterAll, beforeAll, expect, test } from 'vitest'
import { Stage } from '../v1/support/stage.ts'
import { growth, metricsToken, scrape } from './support/scrape.ts'

/** A service of two gateways at one port, and a process beside them with the worker. */
const stage = new Stage('lean')
beforeAll(() => stage.open({ METRICS_TOKEN: metricsToken, GATEWAY_PROCESSES: '2' }))
afterAll(() => stage.close())

test('whichever process is scraped, it tells the sum of all of them, and what they share once', async () => {
  const { key } = await stage.live()
  const before = await scrape(stage)
  expect([before.values.get('svc_processes'), before.values.get('svc_processes_missing')]).toEqual([3, 0])
  // Each on a connection of its own, so that both gateways have some.
  for (let call = 0; call < 20; call++) expect((await stage.get('/ping', key, { connection: 'close' })).status).toBe(200)
  for (let look = 0; look < 4; look++) {
    const after = await scrape(stage)
    expect(growth(before, after, 'svc_requests_total{endpoint="service.ping",mode="live"')).toBe(20)
    expect(after.values.get('svc_database_up')).toBe(1)
    expect(after.values.get('svc_migrations_pending')).toBe(0)
    expect([...after.values.keys()].some((name) => name.startsWith('svc_job_runs_total{job="usage.add-up"'))).toBe(true)
  }
})
