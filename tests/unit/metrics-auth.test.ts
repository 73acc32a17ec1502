import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { EnvError, readEnv } from '#server/env.ts'
import { isForOperator } from '#server/observability/observability.ts'

type Asker = { peer?: string; httpVersion?: string; headers?: Record<string, string>; method?: string; url?: string }

const asks = (
  token: string | null,
  developmentFeatures: boolean,
  { peer = '127.0.0.1', httpVersion = '1.1', headers = { host: 'localhost:3000' }, method = 'GET', url = '/metrics' }: Asker,
) =>
  isForOperator(
    url,
    {
      method,
      headers,
      httpVersion,
      rawHeaders: Object.entries(headers).flat(),
      socket: { remoteAddress: peer, localPort: 3000 },
    } as unknown as IncomingMessage,
    { token, developmentFeatures },
  )

describe('without a token', () => {
  test.each([
    ['127.0.0.1', 'localhost:3000'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', '127.0.0.1:3000'],
  ])('allows a request from %s with Host %s', (peer, host) => expect(asks(null, true, { peer, headers: { host } })).toBe(true))

  test.each<[string, Asker]>([
    ['another machine', { peer: '192.0.2.7' }],
    ['a page after DNS rebinding', { headers: { host: 'rebound.example' } }],
    ['a request without a Host', { headers: {} }],
    ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].map((name): [string, Asker] => [
      `a client behind a proxy that sends ${name}`,
      { headers: { host: 'localhost:3000', [name]: '192.0.2.7' } },
    ]),
    ['a proxy that speaks HTTP/1.0', { httpVersion: '1.0' }],
    ['a proxy that forwards the Host of the client', { headers: { host: 'localhost:8080' } }],
    ['a proxy that forwards a Host without a port', { headers: { host: 'localhost' } }],
    ['a POST', { method: 'POST' }],
    ['a request for another path', { url: '/metrics/x' }],
  ])('rejects %s', (_who, asker) => expect(asks(null, true, asker)).toBe(false))

  test('rejects every request if development features are off', () => expect(asks(null, false, {})).toBe(false))
})

test('allows only requests with the token, from any address', () => {
  const token = 'abcdefghijklmnopqrstuvwx'
  const from = (authorization: string) => asks(token, false, { peer: '192.0.2.7', headers: { host: 'api.example.test', authorization } })
  expect([from(`Bearer ${token}`), from(`bearer ${token}`), from(`Bearer ${token}y`), from(token), from('')]).toEqual([true, true, false, false, false])
  expect(asks(token, true, {})).toBe(false)
})

test('validates the settings of metrics and traces, and omits their secrets from errors', () => {
  const read = (variables: Record<string, string>) => readEnv(variables as unknown as NodeJS.ProcessEnv).watch
  expect(read({})).toEqual({ metricsToken: null, traces: null })
  expect(() => read({ METRICS_TOKEN: 'short' })).toThrow(new EnvError('METRICS_TOKEN must have 24 characters or more.'))
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,other=c' }
  expect(read(traced).traces).toMatchObject({ url: 'http://localhost:4318/v1/traces', headers: { 'x-key': 'a b', other: 'c' }, share: 1, timeoutMs: 10_000 })
  expect(read({ ...traced, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/t' }).traces?.url).toBe('https://c.example/t')
  const resource = (more: Record<string, string>) => read({ ...traced, ...more }).traces?.resource
  expect(resource({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=b' })).toEqual({
    'service.name': 'a',
    'deployment.environment.name': 'b',
  })
  expect(resource({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=a', OTEL_SERVICE_NAME: 'c' })).toEqual({ 'service.name': 'c' })
  expect(resource({})).toEqual({ 'service.name': 'savings-rates-data-api' })
  for (const off of [{ OTEL_SDK_DISABLED: 'True' }, { OTEL_TRACES_EXPORTER: 'none' }]) expect(read({ ...traced, ...off }).traces).toBeNull()
  const fault = (variables: Record<string, string>) => {
    try {
      read(variables)
    } catch (error) {
      return String(error)
    }
    return null
  }
  expect(fault({ OTEL_EXPORTER_OTLP_HEADERS: 'hush%ZZ' })).toMatch(/^EnvError: OTEL_EXPORTER_OTLP_HEADERS must be a list(?!.*hush)/)
  expect(fault({ OTEL_TRACES_SAMPLER: 'sometimes' })).toContain('OTEL_TRACES_SAMPLER')
  expect(fault({ OTEL_TRACES_SAMPLER_ARG: '1.5' })).toContain('OTEL_TRACES_SAMPLER_ARG')
  expect(fault({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toContain('http/protobuf')
  expect(fault({ OTEL_EXPORTER_OTLP_TIMEOUT: '10s' })).toContain('milliseconds')
})
