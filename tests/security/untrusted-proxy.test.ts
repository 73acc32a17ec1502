import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../support/own-database.ts'
import { startProcess } from '../support/service-process.ts'

const database = ownDatabase({ max: 1 })

/** Returns the log of a start with these settings. */
async function getLog(settings: Record<string, string>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-proxy-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const service = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: 'gateway', ...settings } })
  await service.stop()
  return service.log()
}

test('warns that all clients would share one limit if PUBLIC_URL is https and no proxy is trusted', { timeout: 60_000 }, async () => {
  const warning = 'PUBLIC_URL uses https and TRUST_PROXY is not set: behind a proxy, all clients would share the limits of one address.'
  const secure = { PUBLIC_URL: 'https://rates.example.test' }
  expect(await getLog(secure)).toContain(warning)
  expect(await getLog({ ...secure, TRUST_PROXY: '127.0.0.1,::1' })).not.toContain(warning)
  expect(await getLog({ PUBLIC_URL: 'http://rates.example.test' })).not.toContain(warning)
})
