import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getParent } from '#server/observability/tracing.ts'
import manifest from '../../package.json' with { type: 'json' }
import { Fixture } from '../v1/support/fixture.ts'
import { type Collector, openCollector } from './support/collector.ts'
import type { ReceivedSpan } from './support/otlp.ts'

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`
const collectorKey = 'what-the-collector-wants'
/** Caller-supplied values that must not reach the collector. */
const secrets = {
  search: 'harrow-of-a-query',
  mail: 'somebody@example.test',
  agent: 'an-agent-of-the-test',
  state: 'vendor=of-the-tracestate',
  cursor: 'a-cursor-of-the-test',
}

describe('a traced service', () => {
  const fixture = new Fixture('lean')
  let collector: Collector
  const keys: string[] = []
  const ids: Record<string, string> = {}
  let isClosed = false

  beforeAll(async () => {
    collector = await openCollector()
    await fixture.open({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey}`,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    const { key } = await fixture.live()
    const { key: testKey } = await fixture.test()
    keys.push(key, testKey)
    const sent = async (name: string, path: string, headers: Record<string, string> = {}, by: string | null = key) => {
      const answer = await fixture.get(path, by, { 'user-agent': secrets.agent, ...headers })
      ids[name] = answer.headers.get('x-svc-request-id') ?? ''
    }
    await sent('whole', '/rates?limit=2&type=all', { traceparent, tracestate: secrets.state })
    await sent('refused', `/rates?provider=${secrets.search}&cursor=${secrets.cursor}`)
    await sent('mail', `/rates/${secrets.mail}`)
    await sent('keyInPath', `/rates/${key}`)
    await sent('nowhere', `/nowhere/${secrets.search}`)
    await sent('item', `/rates/${await fixture.productKey()}?api_key=${key}`, {}, testKey)
    await sent('unsampled', '/ping', { traceparent: traceparent.replace(/01$/, '00') })
    // Remaining spans are sent when the process exits.
    await fixture.close()
    isClosed = true
  })
  afterAll(async () => {
    if (!isClosed) await fixture.close()
    await collector.close()
  })

  const getSpan = (name: string): ReceivedSpan | undefined => collector.spans.find(({ attributes }) => attributes['svc.request_id'] === ids[name])
  const getChildren = ({ spanId }: Pick<ReceivedSpan, 'spanId'>) => collector.spans.filter(({ parentId }) => parentId === spanId)

  test("records a call as a span of the caller's trace, with one child span per step", () => {
    const span = getSpan('whole')
    expect(span).toMatchObject({ name: 'GET /v1/rates', kind: 2, traceId: parent.traceId, parentId: parent.spanId, status: 0 })
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/rates',
      'http.response.status_code': 200,
      'url.path': '/v1/rates',
      'svc.request_id': ids['whole'],
      'svc.endpoint': 'rates.list',
      'svc.mode': 'live',
      'svc.credits': 2,
    })
    const children = getChildren(span ?? { spanId: '' }).toSorted((one, other) => Number(one.started - other.started || one.ended - other.ended))
    expect(children.map(({ name }) => name)).toEqual(['parse', 'authenticate', 'check', 'build', 'admit', 'seal', 'send'])
    for (const [at, child] of children.entries()) {
      expect(child.traceId).toBe(parent.traceId)
      expect(child.started).toBe(children[at - 1]?.ended ?? span?.started)
    }
    expect(Number((span?.ended ?? 0n) - (span?.started ?? 0n))).toBeLessThan(10_000_000_000)
    expect(Math.abs(Number((span?.started ?? 0n) / 1_000_000n) - Date.now())).toBeLessThan(120_000)
  })

  test("links the spans of a call and its batch, and records the batch's statement and flush", () => {
    const span = getSpan('whole')
    const admit = getChildren(span ?? { spanId: '' }).find(({ name }) => name === 'admit')
    const batch = collector.spans.find(({ name, spanId }) => name === 'admission.batch' && admit?.links.some((link) => link.spanId === spanId))
    expect(batch?.links).toEqual([{ traceId: span?.traceId, spanId: span?.spanId }])
    expect(batch).toMatchObject({ parentId: '', attributes: { 'svc.batch.size': 1 } })
    const parts = getChildren(batch ?? { spanId: '' })
    expect(parts.map(({ name, kind, attributes }) => [name, kind, attributes])).toEqual([
      ['admission.statement', 3, { 'db.system.name': 'postgresql' }],
      ['admission.flush', 3, { 'db.system.name': 'postgresql' }],
    ])
  })

  test("records errors without recording unknown paths, and honours the caller's sampling decision", () => {
    expect(getSpan('refused')).toMatchObject({ parentId: '', status: 0, attributes: { 'http.response.status_code': 400, 'error.type': 'invalid_request' } })
    for (const name of ['mail', 'keyInPath']) {
      expect(getSpan(name)?.attributes).toMatchObject({ 'http.route': '/v1/rates/{sourceKey}', 'error.type': 'not_found' })
      expect(getSpan(name)?.attributes).not.toHaveProperty('url.path')
    }
    expect(getSpan('nowhere')).toMatchObject({ name: 'HTTP', attributes: { 'http.response.status_code': 404 } })
    expect(getSpan('nowhere')?.attributes).not.toHaveProperty('url.path')
    expect(getSpan('item')?.attributes).toMatchObject({ 'url.path': expect.stringMatching(/^\/v1\/rates\/[a-z0-9-]+$/), 'svc.mode': 'test', 'svc.credits': 0 })
    expect(ids['unsampled']).toMatch(/^req_/)
    expect(getSpan('unsampled')).toBeUndefined()
  })

  test('traces jobs and identifies the service', () => {
    expect(collector.spans.filter(({ name }) => name.startsWith('job ')).map(({ attributes }) => attributes['svc.job'])).toContain('log.keep')
    expect(collector.resource).toMatchObject({
      'service.name': 'savings-rates-data-api',
      'service.version': manifest.version,
      'deployment.environment.name': 'test',
    })
    expect(new Set(collector.headers)).toEqual(new Set([collectorKey]))
  })

  test('sends no client input and no secrets', () => {
    const all = collector.bodies.join()
    expect(all).toContain('admission.batch')
    for (const secret of [...keys, ...Object.values(secrets), collectorKey, '127.0.0.1', '@example', 'postgresql://', 'svc_live_', 'svc_test_']) {
      expect(all.includes(secret), secret).toBe(false)
    }
  })
})

test('an unresponsive collector delays neither calls nor shutdown', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const fixture = new Fixture('lean')
  await fixture.open({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1/traces` })
  const { key } = await fixture.live()
  const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.get('/ping', key)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const startedAt = performance.now()
  await fixture.close()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  silent.close()
})

test.each([
  [traceparent, { ...parent, traceFlags: 1 }],
  [traceparent.replace(/01$/, '00'), { ...parent, traceFlags: 0 }],
  [traceparent.replace(/^00/, 'cc').concat('-later'), { ...parent, traceFlags: 1 }],
  [traceparent.concat('-more'), null],
  [traceparent.replace(/^00/, 'ff'), null],
  [traceparent.toUpperCase(), null],
  [`00-${'0'.repeat(32)}-${parent.spanId}-01`, null],
  [`00-${parent.traceId}-${'0'.repeat(16)}-01`, null],
  ['', null],
])('parses traceparent %s', (header, expected) => expect(getParent(header)).toEqual(expected === null ? null : { ...expected, isRemote: true }))
