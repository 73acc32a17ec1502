import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { startOwnServer } from '../chaos/own-server.ts'
import { mountSmallDisk, type SmallDisk } from '../chaos/small-disk.ts'
import { metricsToken, readScrape } from '../observability/support/scrape.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { startProcess } from '../support/service-process.ts'

/** Mounts a disk of a few hundred megabytes. If that is not possible, the test fails in CI and is skipped elsewhere. */
function smallDisk(skip: (note: string) => never): SmallDisk {
  const disk = mountSmallDisk(400)
  if (disk !== null) return disk
  if (process.env['CI']) throw new Error('Could not mount a disk. Run as root, or grant the container CAP_SYS_ADMIN.')
  return skip('mounting a disk needs root')
}

test('reports not ready while the database disk is full, and recovers without a restart', async ({ skip }) => {
  using disk = smallDisk(skip)
  await using server = await startOwnServer({ parent: disk.path })
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-full-disk-'))
  const service = await startProcess({ databaseUrl: server.url, mount: 'lean', dataDir, env: { ROLES: 'gateway', METRICS_TOKEN: metricsToken } })
  try {
    const { key } = await makeKey(server.pool, await makeAccount(server.pool, { credits: 100_000 }))
    const status = async () => (await call(service.api, '/rates?limit=1', key)).status
    const ready = async () => {
      const answer = await fetch(`${service.origin}/readyz`)
      return { status: answer.status, body: await answer.json() }
    }
    const figure = async () => {
      const answer = await fetch(`${service.origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
      return readScrape(await answer.text()).values.get('svc_database_writable')
    }
    const good = { ok: true, database: true, writable: true, migrated: true, market: true }
    expect(await status()).toBe(200)
    expect(await ready()).toEqual({ status: 200, body: good })
    expect(await figure()).toBe(1)

    disk.fill()
    // Table pages have some free space, so calls succeed until that is used up.
    await vi.waitFor(async () => expect(await Promise.all(Array.from({ length: 50 }, status))).toContain(500), { timeout: 30_000, interval: 1 })
    // A readiness result is cached for a second.
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: 503, body: { ...good, ok: false, writable: false } }), {
      timeout: 3_000,
      interval: 100,
    })
    expect(await figure()).toBe(0)
    // A gateway that isn't ready receives no calls, so the gateway itself has to detect that there is space again.
    await sleep(1_200)
    expect((await ready()).body).toMatchObject({ database: true, writable: false })
    expect(service.log()).toMatch(/"code":"53100".*"advice":"The database disk is full\. Free some space/)
    expect(service.log()).toContain('The database disk is full (SQLSTATE 53100). Calls fail uncharged')

    disk.freeSpace()
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: 200, body: good }), { timeout: 3_000, interval: 100 })
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 3_000, interval: 100 })
    expect(await figure()).toBe(1)
    expect((await verifyLedger(server.pool)).differences).toEqual([])
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 90_000)

test('reports not ready while the database is read-only', async () => {
  await using server = await startOwnServer()
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-read-only-'))
  const service = await startProcess({ databaseUrl: server.url, mount: 'lean', dataDir, env: { ROLES: 'gateway' } })
  try {
    await server.pool.query('ALTER DATABASE svc SET default_transaction_read_only = on')
    await server.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc' AND usename = current_user")
    const ready = async () => (await fetch(`${service.origin}/readyz`)).json()
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ ok: false, database: true, writable: false }), { timeout: 10_000, interval: 200 })
    expect(service.log()).toContain('"advice":"The database is read-only; it may be a standby.')
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 60_000)
