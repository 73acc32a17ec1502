import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Fixture } from '../v1/support/fixture.ts'
import { growth, metricsToken, scrape } from './support/scrape.ts'

/** Service with two gateways on one port, and a separate worker process. */
const fixture = new Fixture('lean')
beforeAll(() => fixture.open({ METRICS_TOKEN: metricsToken, GATEWAY_PROCESSES: '2' }))
afterAll(() => fixture.close())

test('every process returns the summed metrics of all processes, and each shared metric only once', async () => {
  const { key } = await fixture.live()
  // Waits for the worker process, because the service counts as ready without it.
  const before = await vi.waitFor(
    async () => {
      const first = await scrape(fixture)
      expect([first.values.get('svc_processes'), first.values.get('svc_processes_missing')]).toEqual([3, 0])
      return first
    },
    { timeout: 10_000, interval: 100 },
  )
  // Each call uses a new connection, so that both gateways receive some of the calls.
  for (let call = 0; call < 20; call++) expect((await fixture.get('/ping', key, { connection: 'close' })).status).toBe(200)
  for (let look = 0; look < 4; look++) {
    const after = await scrape(fixture)
    expect(growth(before, after, 'svc_requests_total{endpoint="service.ping",mode="live"')).toBe(20)
    expect(after.values.get('svc_database_up')).toBe(1)
    expect(after.values.get('svc_migrations_pending')).toBe(0)
    expect([...after.values.keys()].some((name) => name.startsWith('svc_job_runs_total{name="usage.add-up"'))).toBe(true)
  }
})
