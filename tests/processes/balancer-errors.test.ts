/** Tests the errors that HAProxy and nginx return with the shipped configurations when the gateways behind them fail. */
import { createServer, request, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../support/service-process.ts'
import { type Balancer, startBalancer } from './balancers.ts'

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

/** Starts a fake gateway that reports that it is ready, closes the connection for paths that end in "closes", and never responds to other paths. */
async function startGateway(): Promise<{ port: number; stop: () => Promise<unknown> }> {
  const port = await freePort()
  const server: Server = createServer(({ url = '', socket }, response) => {
    if (url === '/readyz') response.end('{"ok":true}')
    else if (url.endsWith('closes')) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  cleanups.push(stop)
  return { port, stop }
}

async function start(name: 'haproxy' | 'nginx'): Promise<{ balancer: Balancer; stopGateways: () => Promise<unknown> }> {
  const gateways = [await startGateway(), await startGateway()] as const
  const shortWait = (text: string) => text.replace(/(timeout server|proxy_read_timeout) 75s/, '$1 1s')
  const balancer = await startBalancer(name, [gateways[0].port, gateways[1].port], shortWait)
  cleanups.push(balancer.stop)
  return { balancer, stopGateways: () => Promise.all(gateways.map(({ stop }) => stop())) }
}

type Answer = { status: number; headers: Record<string, unknown>; text: string }

/** Sends a request on a new connection. HAProxy closes a reused connection without a response, so that the client retries. */
function get(origin: string, path: string, host = new URL(origin).host): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { agent: false, headers: { host } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.once('error', reject)
    sent.end()
  })
}

function expectApiError({ status, headers, text }: Answer, wanted: number, docs: string): void {
  expect(status).toBe(wanted)
  expect(headers['content-type']).toBe('application/json')
  expect(headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
  const body = JSON.parse(text) as Record<string, string>
  expect(body).toEqual({ error: 'internal_error', message: expect.any(String), requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/), docs })
  expect(headers['x-svc-request-id']).toBe(body['requestId'])
}

test.each([
  ['haproxy', 503],
  ['nginx', 502],
] as const)('%s returns a JSON API error for calls and HTML for pages while no gateway is up', async (name, status) => {
  const { balancer, stopGateways } = await start(name)
  await stopGateways()
  for (const path of ['/v1/rates', '/api/v1/rates', '/mcp']) {
    expectApiError(await get(balancer.origin, path), status, `${balancer.origin}/docs/errors/internal_error`)
  }
  const page = await get(balancer.origin, '/docs')
  expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html' } })
  expect(page.text).toContain('<h1>Unavailable</h1>')
})

test.each(['haproxy', 'nginx'] as const)('%s returns a JSON error if a gateway closes the connection or does not respond in time', async (name) => {
  const { balancer } = await start(name)
  const docs = `${balancer.origin}/docs/errors/internal_error`
  expectApiError(await get(balancer.origin, '/v1/waits'), 504, docs)
  expectApiError(await get(balancer.origin, '/v1/closes'), 502, docs)
})

test.each(['haproxy', 'nginx'] as const)('%s returns valid JSON for a host name that contains a quote', async (name) => {
  const { balancer } = await start(name)
  const { status, text } = await get(balancer.origin, '/v1/closes', 'a"b')
  expect([400, 502]).toContain(status)
  if (status === 502) expect(JSON.parse(text)).toMatchObject({ error: 'internal_error' })
})
