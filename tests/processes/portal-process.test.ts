import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ownDatabase } from '../support/own-database.ts'
import { freePort, type ServiceProcess, startProcess } from '../support/service-process.ts'

const database = ownDatabase({ max: 1 })
let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-portal-process-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const start = (roles = 'gateway,portal', env: Record<string, string> = {}) =>
  startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: roles, ...env } })

const getChildren = ({ child: { pid } }: ServiceProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const getStatus = async ({ origin }: ServiceProcess, path: string) => (await fetch(`${origin}${path}`, { redirect: 'manual' })).status

test('renders pages in a child process with lower priority', { timeout: 60_000 }, async () => {
  const service = await start('gateway,portal', { PORTAL_NICENESS: '7' })
  try {
    const [portal = 0, ...others] = getChildren(service)
    expect(others).toEqual([])
    const fields = readFileSync(`/proc/${portal}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    expect(Number(fields[16])).toBe(7)
    expect([await getStatus(service, '/sign-in'), await getStatus(service, '/v1/ping')]).toEqual([200, 401])
  } finally {
    await service.stop()
  }
})

test.each([
  ['one process', {}],
  ['several processes', { GATEWAY_PROCESSES: '2' }],
])('is not ready until the portal process is ready: %s', { timeout: 60_000 }, async (_name, settings) => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const starting = start('gateway,portal,worker', { PORT: String(port), ...settings })
  const ask = async () => {
    const ready = await fetch(`${origin}/readyz`).catch(() => null)
    return ready && { status: ready.status, body: await ready.json(), page: ready.status === 200 ? (await fetch(`${origin}/sign-in`)).status : null }
  }
  try {
    const seen: Awaited<ReturnType<typeof ask>>[] = []
    await vi.waitFor(async () => expect(seen.push(await ask()) && seen.at(-1)?.status).toBe(200), { timeout: 50_000, interval: 20 })
    expect(seen.filter((one) => one !== null).at(0)).toEqual({ status: 503, body: { ok: false, portal: false }, page: null })
    expect(seen.at(-1)).toMatchObject({ body: { ok: true }, page: 200 })
  } finally {
    await (await starting).stop()
  }
})

test('serves calls while the portal process is stopped, and restarts it after a kill', { timeout: 60_000 }, async () => {
  const service = await start()
  try {
    const [portal = 0] = getChildren(service)
    process.kill(portal, 'SIGSTOP')
    const page = fetch(`${service.origin}/sign-in`, { signal: AbortSignal.timeout(30_000) })
    for (let turn = 0; turn < 20; turn++) expect(await getStatus(service, '/v1/ping')).toBe(401)
    process.kill(portal, 'SIGKILL')
    expect((await page).status).toBe(503)
    expect(await getStatus(service, '/readyz')).toBe(200)
    await vi.waitFor(async () => expect(await getStatus(service, '/sign-in')).toBe(200), { timeout: 20_000, interval: 200 })
    expect(getChildren(service)).not.toContain(portal)
  } finally {
    await service.stop()
  }
})

test.each(['SIGTERM', 'SIGKILL'] as const)('leaves no child process behind after %s, and can start again', { timeout: 60_000 }, async (signal) => {
  const service = await start()
  const [portal = 0] = getChildren(service)
  expect(await getStatus(service, '/sign-in')).toBe(200)
  if (signal === 'SIGTERM') await service.stop()
  else await service.kill()
  await vi.waitFor(() => expect(isAlive(portal)).toBe(false), { timeout: 15_000, interval: 100 })
  const again = await start()
  expect(await getStatus(again, '/sign-in')).toBe(200)
  await again.stop()
})

test.each(['gateway', 'portal', 'gateway,worker'])('starts no child process for ROLES=%s', async (roles) => {
  const service = await start(roles)
  expect(getChildren(service)).toEqual([])
  await service.stop()
})
