/** Compares the portal on a host that runs only Next with the portal behind our own listener (`fixture`). */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from '../support/accounts.ts'
import { authSecret, freePort, publicUrl } from '../support/service-process.ts'
import { Fixture } from './support/fixture.ts'

const fixture = new Fixture('lean')
let host: ChildProcess
let origin: string

beforeAll(async () => {
  await fixture.open()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const env = { ...process.env, NODE_ENV: 'production' as const, DATABASE_URL: fixture.databaseUrl, NEXTAUTH_SECRET: authSecret, PUBLIC_URL: publicUrl }
  host = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'], { cwd: root, env, stdio: 'ignore' })
  await vi.waitFor(() => fetch(`${origin}/healthz`), { timeout: 30_000, interval: 100 })
})
afterAll(async () => {
  const ended = once(host, 'exit')
  host.kill('SIGTERM')
  await ended
  await fixture.close()
})

const get = (path: string, key: string | null = null) => call(`${origin}/v1`, path, key)

test('returns the same responses and charges as our own listener', async () => {
  const { account, key } = await fixture.live({ credits: 10 })
  const paid = await get('/rates?limit=2', key)
  const { body } = await fixture.get('/rates?limit=2', (await fixture.live()).key)
  expect([paid.status, paid.headers.get('x-svc-credits-charged'), paid.body.data]).toEqual([200, '2', body.data])
  expect((await get(`/rates/${body.data[0].sourceKey}`, key)).body.data.sourceKey).toBe(body.data[0].sourceKey)
  expect(await fixture.balance(account)).toBe(7)
  for (const path of ['', '/', '/no/such/path']) expect([path, (await get(path, key)).body.error]).toEqual([path, 'not_found'])
  expect((await get('/rates')).body.error).toBe('missing_api_key')
  expect(await fixture.balance(account)).toBe(7)
})

test('serves pages as Markdown, and returns 404 for admin pages', async () => {
  const text = await fetch(`${origin}/docs/limits.md`)
  expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
  for (const path of ['/admin', '/admin/audit']) expect([path, (await fetch(origin + path)).status]).toEqual([path, 404])
})
