import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { startProcess } from '../support/service-process.ts'

test('logs its release, ignores SIGHUP, and logs its shutdown', { timeout: 60_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-one-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const database = await cloneDatabase()
  onTestFinished(() => database.drop())
  const service = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: 'gateway' } })
  onTestFinished(() => service.kill())
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(
    service
      .log()
      .split('\n')
      .find((line) => line.includes('"Serving."')),
  ).toContain(`"release":"${version}"`)
  service.child.kill('SIGHUP')
  await expect.poll(service.log, { timeout: 10_000 }).toContain('SIGHUP ignored. Restart the service to load a new release.')
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  await service.stop()
  expect(service.child.exitCode).toBe(0)
  expect(service.log()).toMatch(/"signal":"SIGTERM".*"Shutting down/)
})
