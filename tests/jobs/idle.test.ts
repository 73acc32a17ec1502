import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readJobRuns } from '#server/db/queues.sql.ts'
import { ownDatabase } from '../support/own-database.ts'
import { startProcess } from '../support/service-process.ts'
import { openStatementCounter } from './support/statement-counter.ts'

const database = ownDatabase({ max: 1 })

/** Maximum time for the first run of every job, on a busy machine. */
const settleMs = 90_000
const measuredMs = 120_000
/** Statements per second with which pg-boss deletes old jobs: 20 for each of 30 queues, every six hours. */
const cleanUpPerSecond = (30 * 20) / (6 * 3_600)

test('an idle service with all roles sends fewer than two statements a second', { timeout: 330_000 }, async ({ annotate }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-idle-'))
  const counter = await openStatementCounter(database.url)
  const service = await startProcess({ databaseUrl: counter.url, mount: 'lean', dataDir, env: { ROLES: 'gateway,portal,worker' } })
  try {
    const unfinished = () =>
      database.pool.query("SELECT name FROM pgboss.job WHERE state IN ('created', 'retry', 'active') AND start_after <= now()").then(({ rows }) => rows)
    await expect.poll(async () => (await readJobRuns(database.pool)).length, { timeout: settleMs, interval: 500 }).toBeGreaterThan(20)
    await expect.poll(unfinished, { timeout: settleMs, interval: 500 }).toEqual([])
    // The clean-up, which becomes due at start-up, is counted separately below.
    await database.pool.query('UPDATE pgboss.queue SET maintain_on = now()')
    const before = counter.count()
    await sleep(measuredMs)
    const perSecond = (counter.count() - before) / (measuredMs / 1_000) + cleanUpPerSecond
    await annotate(`statements per second: ${perSecond}`)
    expect(perSecond).toBeGreaterThan(0.1)
    expect(perSecond).toBeLessThan(2)
  } finally {
    await service.stop()
    counter.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
