/** Tests that other machines cannot reach the development features of a service with default settings. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listening, loopbackOnly } from '../support/listening.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceProgram } from '../support/programs.ts'
import { freePort, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { emailAccess, emailLink, openCheckout, send } from './support/development-service.ts'

const database = ownDatabase({ max: 2 })
/** Separate database for production starts, because they mark the database, and development then refuses to start on it. */
const productionDatabase = ownDatabase({ max: 1 })
const root = join(import.meta.dirname, '../..')
let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-development-'))
})
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

/** Unsets the defaults of startProcess: an empty value counts as unset. */
const fresh = { NODE_ENV: '', HOST: '', PUBLIC_URL: '', ROLES: 'gateway,portal,worker' }

const start = async (more: Record<string, string>): Promise<{ service: ServiceProcess; port: number }> => {
  const port = await freePort()
  const { url } = more['NODE_ENV'] === 'production' ? productionDatabase : database
  const service = await startProcess({ databaseUrl: url, mount: 'next', dataDir, env: { ...fresh, PORT: String(port), ...more } })
  return { service, port }
}

const outcome = (host: string, port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy()
      resolve('connected')
    })
    socket.setTimeout(5_000, () => socket.destroy(new Error('timeout')))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })

/** Addresses at which other machines can reach this one. Link-local addresses include the zone that `connect` needs. */
const outside = Object.entries(networkInterfaces()).flatMap(([name, given = []]) =>
  given.filter(({ internal }) => !internal).map(({ address, scopeid }) => (scopeid ? `${address}%${name}` : address)),
)

const modes: [name: string, settings: Record<string, string>][] = [
  ['development', {}],
  ['development with several processes', { GATEWAY_PROCESSES: '2' }],
  ['production', { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.test' }],
]

test.each(modes)('without HOST, listens only on 127.0.0.1 and ::1: %s', { timeout: 90_000 }, async (_name, settings) => {
  const { service, port } = await start({ ROLES: 'gateway', ...settings })
  onTestFinished(() => service.stop())
  expect(listening(port)).toEqual(loopbackOnly)
  for (const host of ['127.0.0.1', '[::1]', 'localhost']) expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200)
  for (const address of outside) expect(await outcome(address, port), address).toBe('ECONNREFUSED')
})

test('is reachable from other machines with HOST=0.0.0.0 in production', { timeout: 60_000 }, async () => {
  const { service, port } = await start({ ROLES: 'gateway', NODE_ENV: 'production', HOST: '0.0.0.0' })
  onTestFinished(() => service.stop())
  expect(listening(port)).toEqual(['00000000'])
  for (const address of outside.filter((one) => !one.includes(':'))) expect(await outcome(address, port), address).toBe('connected')
})

test('on shutdown, stops listening on both addresses and finishes a call in progress on ::1', { timeout: 60_000 }, async () => {
  const { service, port } = await start({ ROLES: 'gateway' })
  const socket = connect({ host: '::1', port })
  socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
  const [interim] = (await once(socket, 'data')) as [Buffer]
  expect(interim.toString()).toMatch(/^HTTP\/1\.1 100 Continue/)
  const stopped = service.stop()
  await expect.poll(() => outcome('::1', port)).toBe('ECONNREFUSED')
  expect(await outcome('127.0.0.1', port)).toBe('ECONNREFUSED')
  socket.write('{}')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d .*"requestId"/s)
  await stopped
  expect(service.child.exitCode).toBe(0)
})

const exposed: [settings: Record<string, string>, names: string][] = [
  [{ HOST: '0.0.0.0' }, 'HOST'],
  [{ PUBLIC_URL: 'https://api.example.test' }, 'PUBLIC_URL'],
  [{ HOST: '::', PUBLIC_URL: 'https://api.example.test', NODE_ENV: 'development' }, 'HOST and PUBLIC_URL'],
]

test.each(exposed)('does not start with %j unless NODE_ENV is production', async (settings, names) => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(await freePort()), ...settings }
  const child = spawn(process.execPath, [serviceProgram], { cwd: root, env: env as unknown as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, out, error] = await Promise.all([new Promise((resolve) => child.once('exit', resolve)), text(child.stdout), text(child.stderr)])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const sentence = `NODE_ENV must be production while ${names} can be reached from other machines; for development, leave ${names} unset.`
  expect(error).toContain(sentence)
  expect(error.trim().split('\n').length).toBeLessThanOrEqual(2)
})

const fromElsewhere: [what: string, headers: Record<string, string>][] = [
  ['another Host', { host: 'rebound.example' }],
  ['a Host that starts with localhost', { host: 'localhost.example:80' }],
  ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.7' }],
  ['X-Forwarded-For that claims loopback', { 'x-forwarded-for': '127.0.0.1' }],
  ['X-Forwarded-Host', { 'x-forwarded-host': 'localhost' }],
  ['Forwarded', { forwarded: 'for=203.0.113.7' }],
  ['Via', { via: '1.1 proxy' }],
  ['X-Real-IP', { 'x-real-ip': '203.0.113.7' }],
  ['a forged x-svc-peer header', { 'x-svc-peer': 'x 127.0.0.1 local /dev/mail', 'x-forwarded-for': '203.0.113.7' }],
]

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const choose = (port: number, top: string, headers: Record<string, string>) =>
  send(port, `/simulated-checkout/${top}/choose`, { ...form, ...headers }, 'POST', 'choice=pay')

const getState = async (top: string) => (await database.pool.query<{ state: string }>('SELECT state FROM top_up WHERE public_id = $1', [top])).rows[0]?.state

/** Asserts that every request reserved for a browser on this machine is rejected. */
async function expectNothing(port: number, headers: Record<string, string>): Promise<void> {
  const top = await openCheckout(database.pool)
  for (const path of ['/dev/mail', emailLink, `/simulated-checkout/${top}`]) expect((await send(port, path, headers)).status, path).toBe(404)
  expect((await choose(port, top, { 'sec-fetch-site': 'same-origin', ...headers })).status).not.toBe(303)
  expect(await getState(top)).toBe('open')
}

describe.each([
  ['one process', {}],
  ['several processes', { GATEWAY_PROCESSES: '2' }],
])('development features of a service with %s', (_name, settings) => {
  let service: ServiceProcess
  let port = 0

  beforeAll(async () => {
    const started = await start(settings)
    service = started.service
    port = started.port
  }, 90_000)
  afterAll(() => service.stop())

  test('logs once that it runs in development mode', () => {
    expect(service.log().split('Development mode:')).toHaveLength(2)
    expect(service.log()).not.toContain('Production mode')
  })

  test('accepts requests from this machine', async () => {
    const top = await openCheckout(database.pool)
    expect((await send(port, '/dev/mail', await emailAccess(port))).status).toBe(200)
    expect((await send(port, `/simulated-checkout/${top}`, {})).text).toContain('simulated')
    expect((await send(port, '/metrics', {})).status).toBe(200)
    const left = await choose(port, top, { 'sec-fetch-site': 'same-origin' })
    expect([left.status, left.location]).toEqual([303, expect.stringContaining('/portal/billing')])
    expect(await getState(top)).toBe('paid')
  })

  test.each(fromElsewhere)('rejects requests with %s', async (_what, headers) => {
    await expectNothing(port, headers)
    expect((await send(port, '/metrics', headers)).status).toBe(404)
  })

  test.each<[string, Record<string, string>]>([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['without an origin', {}],
  ])('rejects a simulated checkout form %s', async (_what, headers) => {
    const top = await openCheckout(database.pool)
    expect((await choose(port, top, headers)).status).toBe(403)
    expect(await getState(top)).toBe('open')
  })
})

test('rejects requests forwarded by a trusted proxy', { timeout: 90_000 }, async () => {
  const { service, port } = await start({ ROLES: 'portal,worker', TRUST_PROXY: '127.0.0.1' })
  onTestFinished(() => service.stop())
  for (const address of ['127.0.0.1', '203.0.113.7']) await expectNothing(port, { 'x-forwarded-for': address })
})

test('serves no development features in production', { timeout: 90_000 }, async () => {
  const { service, port } = await start({ NODE_ENV: 'production' })
  onTestFinished(() => service.stop())
  expect(service.log()).toContain('Production mode')
  expect(service.log()).not.toContain('Development mode')
  const top = await openCheckout(productionDatabase.pool)
  for (const path of ['/metrics', '/dev/mail', emailLink, `/simulated-checkout/${top}`]) expect((await send(port, path, {})).status, path).toBe(404)
  expect((await choose(port, top, { 'sec-fetch-site': 'same-origin' })).status).toBe(404)
})
