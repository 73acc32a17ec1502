import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, onEachMount } from '../v1/support/fixture.ts'
import { inOneMinute } from '../v1/support/operator.ts'
import { modernRequest, post, request, toolCall } from './support/ask.ts'

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-policy']

/** Returns the limit, the remaining requests and the window from the headers, each of which must occur once. */
function getLimits({ headers }: ApiAnswer): [limit: number, left: number, window: string | undefined] {
  const [limit, left, reset] = names.map((name) => Number(headers.get(name) ?? Number.NaN))
  expect(reset).toBeGreaterThanOrEqual(1)
  expect(reset).toBeLessThanOrEqual(60)
  expect(headers.get('ratelimit-policy')).toMatch(/^"\w+";q=\d+;w=60(, "day";q=\d+;w=86400)?$/)
  return [limit ?? Number.NaN, left ?? Number.NaN, /^"(\w+)"/.exec(headers.get('ratelimit') ?? '')?.[1]]
}

onEachMount((fixture) => {
  verifies('limits/headers-on-every-response', 'sends the metadata limit of the key if no tool was called', async () => {
    const { key } = await fixture.test()
    const list = modernRequest('tools/list')
    const answers = [
      await post(fixture, request('tools/list'), key),
      await post(fixture, list.body, key, list.headers),
      await post(fixture, { jsonrpc: '2.0', method: 'notifications/initialized' }, key),
      await post(fixture, [request('ping')], key),
      await post(fixture, request('no/such/method'), key),
      await post(fixture, toolCall('none'), key),
      await post(fixture, '{', key),
      await post(fixture, 'x'.repeat(70_000), key),
      await post(fixture, { ...toolCall('ping'), params: { name: 'ping', arguments: [] } }, key),
      await post(fixture, toolCall('ping'), key, { 'mcp-protocol-version': '1999-01-01' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 200, 200, 200, 400, 413, 200, 400])
    for (const answer of answers) expect(getLimits(answer)).toEqual([600, expect.any(Number), 'questions'])
  })

  verifies(
    'limits/headers-on-every-response',
    'sends the minute limit after the last tool call of a batch',
    inOneMinute(async () => {
      const { key } = await fixture.live({ perMinute: 100 })
      expect(getLimits(await post(fixture, toolCall('ping'), key))).toEqual([100, 99, 'minute'])
      expect(getLimits(await post(fixture, [toolCall('ping', {}, 1), toolCall('ping', {}, 2), toolCall('ping', {}, 3)], key))).toEqual([100, 96, 'minute'])
    }),
  )

  verifies('limits/headers-on-every-response', 'sends the address limit if the key was not checked', async () => {
    const { key } = await fixture.test()
    const authorization = `Bearer ${key}`
    const answers = [
      await fixture.raw('GET', '/mcp', { authorization }),
      await fixture.raw('POST', '/mcp', { authorization, host: 'evil.example.com' }, '{}'),
      await post(fixture, request('ping'), key, { origin: 'https://evil.example.com' }),
      await post(fixture, request('ping'), key, { 'content-type': 'text/plain' }),
      await post(fixture, request('ping'), null),
    ]
    expect(answers.map(({ status }) => status)).toEqual([405, 403, 403, 415, 401])
    for (const answer of answers) expect(getLimits(answer)).toEqual([1_000, expect.any(Number), 'address'])
  })
})
