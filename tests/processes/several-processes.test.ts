/** Tests a service with two gateway processes and a worker process, and kills some of them. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../support/own-database.ts'
import { freePort, type ServiceProcess, startProcess } from '../support/service-process.ts'

const database = ownDatabase({ max: 2 })
let dataDir = ''
let service: ServiceProcess
let port = 0

const startService = () =>
  startProcess({
    databaseUrl: database.url,
    mount: 'lean',
    dataDir,
    env: { ROLES: 'gateway,worker', GATEWAY_PROCESSES: '2', PORT: String(port), DRAIN_SECONDS: '30' },
  })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-several-'))
  port = await freePort()
  service = await startService()
})

afterAll(async () => {
  if (service.child.exitCode === null) await service.kill()
  await rm(dataDir, { recursive: true, force: true })
})

const getChildren = (pid: number): number[] => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** Sends a request, over a new connection unless an agent is given. */
function ask(path: string, agent = new Agent()): Promise<{ answer: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, agent }, (answer) => {
      let text = ''
      answer.on('data', (part: Buffer) => {
        text += part.toString()
      })
      answer.on('end', () => resolve({ answer, text }))
    })
    asked.on('error', reject).end()
  })
}

test('restarts a killed gateway while the other keeps serving', async () => {
  const before = getChildren(service.child.pid ?? 0)
  expect(before).toHaveLength(3)
  process.kill(before[0] ?? 0, 'SIGKILL')
  await until(() => service.log().includes('ended unexpectedly. Restarting it'))
  expect((await ask('/healthz')).answer.statusCode).toBe(200)
  await until(() => getChildren(service.child.pid ?? 0).length === 3)
  expect(getChildren(service.child.pid ?? 0)).not.toContain(before[0])
}, 30_000)

test('only the primary process handles terminal signals', async () => {
  const [child = 0] = getChildren(service.child.pid ?? 0)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(child, signal)
  expect((await ask('/healthz')).answer.statusCode).toBe(200)
  expect(isThere(child)).toBe(true)
})

test('the other processes exit when the primary is killed, and the service can start again', async () => {
  const children = getChildren(service.child.pid ?? 0)
  await service.kill()
  await until(() => !children.some(isThere))
  service = await startService()
  expect((await ask('/readyz')).text).toBe('{"ok":true,"database":true,"writable":true,"migrated":true,"market":true}')
}, 30_000)

test('during shutdown, reports not ready but still serves calls, then closes their connections', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect((await ask('/healthz', agent)).answer.headers.connection).toBe('keep-alive')
  service.child.kill('SIGTERM')
  await until(async () => (await ask('/readyz')).answer.statusCode === 503)
  expect((await ask('/readyz')).text).toBe('{"ok":false,"draining":true}')
  const { answer } = await ask('/healthz', agent)
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  expect((await ask('/v1/ping')).answer.statusCode).toBe(401)
  // A second signal cuts the 30-second grace period short.
  service.child.kill('SIGTERM')
  await until(() => service.child.exitCode !== null)
  expect(service.child.exitCode).toBe(0)
}, 30_000)

test('reports a port in use immediately', async () => {
  const first = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: 'gateway' } })
  const taken = new URL(first.origin).port
  const env = { ROLES: 'gateway', GATEWAY_PROCESSES: '2', PORT: taken }
  await expect(startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env })).rejects.toThrow(`Port ${taken} is in use.`)
  await first.stop()
}, 30_000)
