import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { listening, loopbackOnly } from '../support/listening.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceProgram } from '../support/programs.ts'
import { freePort } from '../support/service-process.ts'

const database = ownDatabase({ max: 2 })
let dataDir = ''
let child: ChildProcess
let log = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-start-'))
})
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await ended()
  }
  await rm(dataDir, { recursive: true, force: true })
})

function start(env: Record<string, string>, cwd?: string): void {
  log = ''
  const all = {
    ...process.env,
    NODE_ENV: 'production' as const,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    ROLES: 'gateway',
    NEXTAUTH_SECRET: 'x'.repeat(32),
    ...env,
  }
  child = spawn(process.execPath, [serviceProgram], { cwd, env: all, stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
}

const ended = () => new Promise<number | null>((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(child.exitCode)))
const lines = () =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const pointedAt = (port: number) => Object.assign(new URL(database.url), { host: `127.0.0.1:${port}` }).href

test('waits for an unresponsive database, logs that once, and then starts', async () => {
  const [port, databasePort] = [await freePort(), await freePort()]
  start({ DATABASE_URL: pointedAt(databasePort), PORT: String(port) })
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  await vi.waitFor(async () => expect(await status('/healthz')).toBe(200), { timeout: 15_000, interval: 100 })
  expect(await status('/readyz')).toBe(503)
  expect(await status('/v1/ping')).toBe(503)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(lines().map(({ msg }) => msg)).toEqual(['Waiting for the database: it cannot be reached. The service will start as soon as the database responds.'])
  expect(lines()[0]).toMatchObject({ level: 40, database: `127.0.0.1:${databasePort}`, reason: expect.stringContaining('ECONNREFUSED') })
  expect(log).not.toContain(new URL(database.url).password)
  const { hostname, port: realPort } = new URL(database.url)
  const proxy = createServer((client) => {
    const server = connect(Number(realPort), hostname)
    for (const socket of [client, server]) socket.on('error', () => undefined)
    client.pipe(server).pipe(client)
  }).listen(databasePort, '127.0.0.1')
  await vi.waitFor(() => expect(log).toContain('"Serving."'), { timeout: 15_000, interval: 100 })
  expect(await status('/healthz')).toBe(200)
  child.kill('SIGTERM')
  expect(await ended()).toBe(0)
  proxy.close()
}, 60_000)

test('without HOST, listens only on loopback while it waits for the database', async () => {
  const port = await freePort()
  start({ DATABASE_URL: pointedAt(await freePort()), PORT: String(port), HOST: '' })
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200), { timeout: 15_000, interval: 100 })
  expect(listening(port)).toEqual(loopbackOnly)
  child.kill('SIGTERM')
  expect(await ended()).toBe(0)
}, 30_000)

test('exits immediately on SIGTERM while it waits for the database', async () => {
  start({ DATABASE_URL: pointedAt(await freePort()), PORT: '0' })
  await vi.waitFor(() => expect(log).toContain('Waiting for the database'), { timeout: 15_000, interval: 50 })
  const startedAt = performance.now()
  child.kill('SIGTERM')
  expect(await ended()).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
}, 30_000)

const wrongPassword = () => Object.assign(new URL(database.url), { password: 'wrong' }).href
const missingDatabase = () => Object.assign(new URL(database.url), { pathname: '/no_such_database' }).href

test.each([
  ['a wrong password', wrongPassword, 'Correct the user or the password in DATABASE_URL.', '28P01'],
  ['a missing database', missingDatabase, 'Create the database, or correct its name in DATABASE_URL.', '3D000'],
])(
  '%s makes the start fail with one JSON line that says how to fix it',
  async (_, url, advice, code) => {
    start({ DATABASE_URL: url(), PORT: '0' })
    expect(await ended()).toBe(1)
    expect(lines()).toEqual([expect.objectContaining({ level: 60, err: expect.objectContaining({ code, advice }) })])
    expect(log).not.toContain('wrong')
  },
  30_000,
)

test('exits with an error after the portal process has failed to start five times', async () => {
  // Next.js finds no build in this folder, so the portal can't start.
  start({ DATABASE_URL: database.url, PORT: String(await freePort()), ROLES: 'gateway,portal' }, dataDir)
  expect(await ended()).toBe(1)
  expect(lines().filter(({ msg }) => msg === 'A service process failed to start. Retrying.')).toHaveLength(4)
  expect(lines().at(-1)).toMatchObject({ level: 60, msg: 'The portal process could not start (failed attempts: 5). The log lines above give the reason.' })
}, 60_000)

test('reports environment errors in one JSON line when standard error is not a terminal', async () => {
  start({ DATABASE_URL: database.url, PORT: 'many', DRAIN_SECONDS: 'x' })
  expect(await ended()).toBe(1)
  const [line, ...others] = lines()
  expect(others).toEqual([])
  expect(line).toMatchObject({
    level: 60,
    msg: 'Invalid environment variables:',
    faults: [expect.stringMatching(/^PORT /), expect.stringMatching(/^DRAIN_SECONDS /)],
  })
}, 30_000)

verifies(
  'site/support-address-required',
  'does not start in production without a support address',
  async () => {
    start({ DATABASE_URL: database.url, SUPPORT_EMAIL: '' })
    expect(await ended()).toBe(1)
    expect(lines()).toMatchObject([{ faults: ['SUPPORT_EMAIL must be set in production: it is the address that customers write to for help.'] }])
  },
  30_000,
)

test('reports environment errors as text in a terminal', async () => {
  log = ''
  const env = { ...process.env, NODE_ENV: 'production' as const, DATABASE_URL: database.url, PORT: 'many', DATA_DIR: dataDir }
  // `script` runs the program in a pseudo-terminal.
  child = spawn('script', ['-qec', `${process.execPath} ${serviceProgram}`, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  expect(await ended()).toBe(1)
  expect(log.replaceAll('\r', '')).toMatch(/^Invalid environment variables:\nPORT must be a port number\.\n/)
}, 30_000)
