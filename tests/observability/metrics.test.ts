import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorCodes } from '#server/api/contract/errors.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { growth, metricsToken, readScrape, type Scrape, scrape } from './support/scrape.ts'

const fixture = new Fixture('lean')
beforeAll(() => fixture.open({ METRICS_TOKEN: metricsToken }))
afterAll(() => fixture.close())

const root = join(import.meta.dirname, '../..')

test('reports a stalled database and still returns the process metrics', async () => {
  const holder = await fixture.pool.connect()
  let stalled: Scrape
  try {
    await holder.query('BEGIN; LOCK TABLE email, pgboss.schedule IN ACCESS EXCLUSIVE MODE')
    const startedAt = performance.now()
    stalled = await scrape(fixture)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  expect(stalled.values.get('svc_database_up')).toBe(0)
  expect([...stalled.values.keys()].filter((name) => name.startsWith('svc_mails_waiting'))).toEqual([])
  expect(stalled.values.get('svc_processes')).toBe(1)
  await expect.poll(async () => (await scrape(fixture)).values.get('svc_database_up'), { timeout: 10_000 }).toBe(1)
})

test('without the token, returns the same response as for an unknown path', async () => {
  const seen = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const answer = await fixture.raw(method, path, headers)
    answer.headers.delete('date')
    return { status: answer.status, headers: [...answer.headers], text: answer.text }
  }
  const unknown = await seen('/metricz', {})
  expect(unknown.status).toBe(404)
  const { key } = await fixture.live()
  const wrong = [
    {},
    { authorization: 'Bearer' },
    { authorization: `Bearer ${metricsToken}x` },
    { authorization: `Basic ${metricsToken}` },
    { authorization: `Bearer ${key}` },
  ]
  for (const headers of wrong) expect(await seen('/metrics', headers)).toEqual(unknown)
  expect(await seen(`/metrics?token=${metricsToken}`, {})).toEqual(unknown)
  const right = { authorization: `Bearer ${metricsToken}` }
  expect(await seen('/metrics', right, 'POST')).toEqual(await seen('/metricz', right, 'POST'))
  expect((await seen('/metrics/', right)).status).toBe(404)
})

test('counts calls by endpoint, mode, status and error', async () => {
  const { key } = await fixture.live()
  const { key: testKey } = await fixture.test()
  const sourceKey = await fixture.productKey()
  const before = await scrape(fixture)
  const first = await fixture.get(`/rates/${sourceKey}`, key)
  expect((await fixture.get(`/rates/${sourceKey}`, key)).status).toBe(200)
  expect((await fixture.get(`/rates/${sourceKey}`, key, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304)
  expect((await fixture.get('/rates/none', key)).status).toBe(404)
  expect((await fixture.get('/rates?lim=3', key)).status).toBe(400)
  expect((await fixture.get('/rates?limit=3', key)).status).toBe(200)
  expect((await fixture.get('/ping', testKey)).status).toBe(200)
  expect((await fixture.get('/nowhere', key)).status).toBe(404)
  expect((await fixture.get('/rates', null)).status).toBe(401)
  const after = await scrape(fixture)
  const grown = (beginning: string) => growth(before, after, beginning)
  const requests = (endpoint: string, mode: string, status: number, error = '') =>
    grown(`svc_requests_total{endpoint="${endpoint}",mode="${mode}",status="${status}",error="${error}"}`)
  expect(requests('rates.get', 'live', 200)).toBe(2)
  expect(requests('rates.get', 'live', 304)).toBe(1)
  expect(requests('rates.get', 'live', 404, 'not_found')).toBe(1)
  expect(requests('rates.list', 'live', 400, 'invalid_request')).toBe(1)
  expect(requests('rates.list', 'live', 200)).toBe(1)
  expect(requests('rates.list', 'none', 401, 'missing_api_key')).toBe(1)
  expect(requests('service.ping', 'test', 200)).toBe(1)
  expect(requests('none', 'live', 404, 'not_found')).toBe(1)
  expect(grown('svc_requests_total')).toBe(9)
  expect(grown('svc_credits_charged_total{endpoint="rates.get"}')).toBe(2)
  expect(grown('svc_credits_charged_total{endpoint="rates.list"}')).toBe(3)
  expect(grown('svc_request_duration_seconds_count')).toBe(9)
  expect(grown('svc_pages_built_total{endpoint="rates.get"}') + grown('svc_pages_shared_total{endpoint="rates.get"}')).toBe(2)
  // All calls except the one without a key are in a batch.
  expect(grown('svc_admission_batch_size_sum')).toBe(8)
  expect(after.values.get('svc_requests_in_progress')).toBe(0)
})

test('measures every step of a sampled call', async () => {
  const { key } = await fixture.live()
  const before = await scrape(fixture)
  for (let call = 0; call < 32; call++) await fixture.get('/ping', key)
  const after = await scrape(fixture)
  const counts = ['parse', 'authenticate', 'check', 'build', 'admit', 'seal', 'send'].map((step) =>
    growth(before, after, `svc_request_step_duration_seconds_count{step="${step}"}`),
  )
  expect(counts).toEqual(counts.map(() => 2))
  expect(growth(before, after, 'svc_request_step_duration_seconds_sum')).toBeLessThan(growth(before, after, 'svc_request_duration_seconds_sum'))
})

test('follows the Prometheus conventions for names, units, buckets and labels', async () => {
  const { values, types, text } = await scrape(fixture)
  const own = [...types].filter(([name]) => name.startsWith('svc_'))
  expect(own.length).toBeGreaterThan(40)
  for (const [name, type] of own) expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  for (const [name] of own) expect(name).not.toMatch(/_(ms|millis|milliseconds|kb|mb|percent)(_|$)/)
  for (const [name, type] of types) {
    if (type !== 'histogram') continue
    const buckets = [...values].filter(([line]) => line.startsWith(`${name}_bucket`))
    for (const [line, value] of buckets.filter(([bucket]) => bucket.includes('le="+Inf"'))) {
      const rest = line
        .slice(`${name}_bucket{`.length, -1)
        .replace(/,?le="\+Inf"/, '')
        .replace(/^,/, '')
      expect(values.get(`${name}_count${rest === '' ? '' : `{${rest}}`}`), line).toBe(value)
    }
  }
  const endpoints = new Set([...text.matchAll(/endpoint="([^"]*)"/g)].map(([, name]) => name))
  for (const name of endpoints) expect(['none', ...registry.map(({ id }) => id)]).toContain(name)
  for (const [, code] of text.matchAll(/error="([^"]+)"/g)) expect(errorCodes).toContain(code)
  expect(text).not.toMatch(/svc_(live|test)_[0-9A-Za-z]{8}|@example|acc_|key_|127\.0\.0\.1/)
})

test('returns metrics for jobs, ledger checks, queues, the market, connection pools and Node', async () => {
  await expect.poll(async () => (await scrape(fixture)).values.get('svc_job_late_seconds{name="usage.add-up"}'), { timeout: 10_000 }).toBeLessThan(60)
  const { values } = await scrape(fixture)
  const named = (beginning: string) => [...values.keys()].some((name) => name.startsWith(beginning))
  const wanted = [
    'svc_job_runs_total{name="usage.add-up",outcome="ok"}',
    'svc_webhook_deliveries_waiting',
    'svc_webhook_oldest_due_seconds',
    'svc_mails_waiting',
    'svc_market_version',
    'svc_market_products{dataset="live"}',
    'svc_market_changed_timestamp_seconds{dataset="live"}',
    'svc_pool_connections{pool="main",state="idle"}',
    'svc_books_check_failing{check="ledger"}',
    'svc_admission_connections{state="open"}',
    'svc_build_info{release=',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_heap_size_used_bytes',
    'svc_process_started_timestamp_seconds',
    'process_cpu_seconds_total',
  ]
  expect(wanted.filter((name) => !named(name))).toEqual([])
  expect(values.get('svc_migrations_pending')).toBe(0)
  await expect.poll(async () => (await scrape(fixture)).values.get('svc_books_agree{check="ledger"}'), { timeout: 15_000 }).toBe(1)
})

/** Returns the names of the service's and Node's metrics that occur in a Prometheus expression or dashboard. */
const metricNames = (text: string): string[] =>
  [...text.matchAll(/\b(?:svc|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))

test('every alert uses existing metrics and has a runbook, and every runbook has an alert', async () => {
  const rules = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8')
  const runbooks = readFileSync(join(root, 'docs/runbooks.md'), 'utf8')
  const { types } = await scrape(fixture)
  const asked = [...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap(([, expression = '']) => metricNames(expression))
  expect(asked.length).toBeGreaterThan(15)
  expect(asked.filter((name) => !types.has(name))).toEqual([])
  const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)
  const anchors = [...rules.matchAll(/^ +runbook_url: docs\/runbooks\.md#(\S+)$/gm)].map(([, anchor]) => anchor)
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
  expect(anchors).toEqual(alerts.map((name) => name.toLowerCase()))
  expect(sections).toEqual(alerts)
  for (const name of sections) {
    const [section = ''] = runbooks.slice(runbooks.indexOf(`\n## ${name}\n`) + 4).split('\n## ')
    for (const part of ['**Meaning.**', '**Check.**', '**Fix.**', '**Resolved**']) expect(section, `${name} ${part}`).toContain(part)
  }
  // Metrics named in a runbook must exist.
  expect(metricNames(runbooks).filter((name) => !types.has(name))).toEqual([])
})

test('throws on an invalid metrics line', () => {
  expect(() => readScrape('svc_a{b="c} 1')).toThrow()
})
