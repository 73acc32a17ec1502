import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { makeAccount, makeKey } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { freePort, type ServiceProcess, startProcess } from '../support/service-process.ts'

/** Loopback addresses from which the tests connect: 127.0.0.2 and 127.0.0.3 are trusted proxies; 127.0.0.1 is a client that pretends to be one. */
const client = '127.0.0.1'
const proxy = '127.0.0.2'
const outerProxy = '127.0.0.3'
const allowed = '203.0.113.7'
const database = ownDatabase({ max: 2 })

type Options = { readonly body?: string; readonly agent?: Agent }
type Sent = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

function send(service: ServiceProcess, localAddress: string, path: string, headers: Record<string, string>, { body, agent }: Options = {}): Promise<Sent> {
  const { hostname, port } = new URL(service.origin)
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request({ hostname, port, path, method, localAddress, headers, agent: agent ?? false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function limitedKey(): Promise<string> {
  return (await makeKey(database.pool, await makeAccount(database.pool), { addresses: [`${allowed}/32`] })).key
}

describe.each([
  { name: 'the plain listener', mount: 'lean', env: { ROLES: 'gateway,portal' } },
  { name: 'the route handlers of Next', mount: 'next', env: {} },
  { name: 'gateways that forward pages to another process', mount: 'lean', env: { ROLES: 'gateway,portal,worker', GATEWAY_PROCESSES: '2' } },
] as const)('on $name', ({ mount, env }) => {
  let dataDir = ''
  let service: ServiceProcess

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-proxies-'))
    const settings = { ...env, TRUST_PROXY: `${proxy},${outerProxy}`, PORT: String(await freePort()), MAX_CONNECTIONS_PER_ADDRESS: '4' }
    service = await startProcess({ databaseUrl: database.url, mount, dataDir, env: settings })
  })
  afterAll(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const call = async (from: string, forwardedFor: string, key: string) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': forwardedFor }
    return (await send(service, from, '/v1/ping', headers)).status
  }

  verifies('authentication/client-address-from-trusted-proxies', 'a client cannot bypass an IP allow-list with X-Forwarded-For', async () => {
    const key = await limitedKey()
    expect(await call(client, allowed, key)).toBe(403)
    expect(await call(client, `${allowed}, ${proxy}`, key)).toBe(403)
  })

  verifies('authentication/client-address-from-trusted-proxies', 'a trusted proxy can set the client address, even behind another trusted proxy', async () => {
    const key = await limitedKey()
    expect(await call(proxy, allowed, key)).toBe(200)
    expect(await call(proxy, `198.51.100.1, ${allowed}, ${outerProxy}`, key)).toBe(200)
    expect(await call(proxy, `${allowed}, 198.51.100.1`, key)).toBe(403)
    expect(await call(proxy, `${allowed}, ${client}`, key)).toBe(403)
  })

  test('a client cannot evade the limit on unauthenticated requests with X-Forwarded-For', async () => {
    // Each gateway counts separately, and a connection stays with one gateway.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const left = async (from: string, forwardedFor: string) =>
      Number((await send(service, from, '/v1/ping', { 'X-Forwarded-For': forwardedFor }, { agent })).headers['x-ratelimit-remaining'])
    const first = await left(client, '198.51.100.1')
    expect([first - 1, 999]).toContain(await left(client, '198.51.100.2'))
    expect([first - 2, 998, 999]).toContain(await left(client, '198.51.100.3'))
    expect(await left(proxy, '198.51.100.4')).toBe(999)
    agent.destroy()
  })

  test('a client cannot evade the console limit with X-Forwarded-For', async () => {
    const left = async (from: string, forwardedFor: string) => {
      const { text } = await send(service, from, '/console/call', { 'X-Forwarded-For': forwardedFor }, { body: '{"target":"/ping"}' })
      const { headers } = JSON.parse(text) as { headers: [string, string][] }
      return Number(new Headers(headers).get('x-ratelimit-remaining'))
    }
    const first = await left(client, '198.51.100.1')
    expect([first - 1, 29]).toContain(await left(client, '198.51.100.2'))
    expect(await left(proxy, '198.51.100.3')).toBe(29)
  })

  test('a client cannot change the host or scheme of links in pages', async () => {
    const headers = { 'X-Forwarded-Host': 'forwarded.test', 'X-Forwarded-Proto': 'https', Forwarded: 'host=forwarded.test' }
    const page = '/docs/errors/rate_limited'
    const fromClient = await send(service, client, page, headers)
    expect(fromClient.status).toBe(200)
    expect(fromClient.text).not.toContain('forwarded.test')
    expect((await send(service, proxy, page, headers)).text).toContain('https://forwarded.test')
  })

  test('does not apply the connection limit per client to a trusted proxy', async () => {
    const { port } = new URL(service.origin)
    const open = async (localAddress: string, count: number) => {
      const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port: Number(port), localAddress }))
      const answers = await Promise.all(
        sockets.map(
          (socket) =>
            new Promise<boolean>((resolve) => {
              socket.once('data', () => resolve(true))
              socket.once('close', () => resolve(false))
              socket.on('error', () => resolve(false))
              socket.write('GET /healthz HTTP/1.1\r\nHost: a.test\r\n\r\n')
            }),
        ),
      )
      for (const socket of sockets) socket.destroy()
      return answers.filter(Boolean).length
    }
    expect(await open(proxy, 20)).toBe(20)
    expect(await open('127.0.0.9', 20)).toBeLessThan(20)
  })
})
