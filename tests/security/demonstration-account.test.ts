import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { serviceProgram } from '../support/programs.ts'
import { authSecret, freePort } from '../support/service-process.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the service as `npm start` does, with the embedded database in `dataDir`, and waits until it is ready. */
async function start(dataDir: string, port: number, more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, PORT: String(port), ROLES: 'gateway', ...more }
  const child = spawn(process.execPath, [serviceProgram], { cwd: root, env: env as unknown as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, log] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const exited = once(child, 'exit')
  const isUp = () => log.includes('"Serving."') && (more['NODE_ENV'] === 'production' || out.includes('curl '))
  await expect.poll(() => isUp() || child.exitCode !== null, { timeout: 120_000, interval: 100 }).toBe(true)
  expect(child.exitCode, log).toBeNull()
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  onTestFinished(stop)
  return { out: () => out, log: () => log, stop }
}

type Demo = { email: string; password: string; testKey: string; liveKey: string }

const getStatus = async (port: number, key: string) =>
  (await fetch(`http://127.0.0.1:${port}/v1/rates?limit=1`, { headers: { Authorization: `Bearer ${key}` } })).status

/** Runs the printed `curl` line in a shell, as a new user would. Returns the status. */
async function runPrinted(out: string): Promise<string> {
  const line = out.split('\n').find((one) => one.trim().startsWith('curl ')) ?? ''
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`])
  return stdout
}

test('prints the credentials only once, and closes the account permanently when started in production', { timeout: 300_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-demo's-"))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const file = join(dataDir, 'demo.json')
  const readDemo = (): Demo => JSON.parse(readFileSync(file, 'utf8'))
  const port = await freePort()

  const first = await start(dataDir, port)
  const demo = readDemo()
  const secrets = ({ password, testKey, liveKey }: Demo) => [password, testKey, liveKey]
  for (const secret of secrets(demo)) expect(first.out()).toContain(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await runPrinted(first.out())).toBe('200')
  await first.stop()

  const second = await start(dataDir, port)
  for (const secret of secrets(demo)) expect(second.out() + second.log()).not.toContain(secret)
  expect(second.out()).toContain(file)
  expect(await runPrinted(second.out())).toBe('200')
  await second.stop()

  const production = await start(dataDir, port, { NODE_ENV: 'production', NEXTAUTH_SECRET: authSecret, SUPPORT_EMAIL: 'support@example.test' })
  expect(production.log()).toContain('The demonstration account was closed, because NODE_ENV is production')
  expect(production.out()).toBe('')
  expect([await getStatus(port, demo.liveKey), await getStatus(port, demo.testKey)]).toEqual([403, 403])
  await production.stop()

  await expect(start(dataDir, port)).rejects.toThrow('This database has been used in production')
})

test('never creates the account in production', { timeout: 180_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const service = await start(dataDir, await freePort(), { NODE_ENV: 'production', NEXTAUTH_SECRET: authSecret, SUPPORT_EMAIL: 'support@example.test' })
  expect(service.out()).toBe('')
  expect(service.log()).not.toContain('demonstration account')
  expect(() => statSync(join(dataDir, 'demo.json'))).toThrow('ENOENT')
})
