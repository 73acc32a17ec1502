import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { readJobRuns, readJobStatus } from '#server/jobs/job-runs.ts'
import { JobRunner, JobStatusRecorder } from '#server/jobs/runner.ts'
import { webhookJobs } from '#server/jobs/scheduled-jobs.ts'
import { createLog } from '#server/observability/log.ts'
import type { EventSource } from '#server/webhooks/fan-out.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase({ max: 2 })
const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

test('records job status even after the clock was set back by hours', async () => {
  const notes = new JobStatusRecorder(database.pool, createLog('silent'), { name: 'test.job', everyMs: 1_000 })
  const noted = async () => (await readJobRuns(database.pool)).find(({ name }) => name === 'test.job')?.tookMs
  await notes.begun()
  await notes.done(1)
  expect(await noted()).toBe(1)
  clock.now = () => realNow() + 40_000
  await notes.done(2)
  expect(await noted()).toBe(2)
  clock.now = () => realNow() - 7_200_000
  await notes.done(3)
  expect(await noted()).toBe(3)
  // Writes are limited to one every 30 seconds.
  await notes.done(4)
  expect(await noted()).toBe(3)
})

/** Inserts a job row and returns the status of the job. Times are in seconds from now. */
async function getStanding(row: { begun?: number; ok?: number; failed?: number; known: number }) {
  await database.pool.query(
    `INSERT INTO job_run (name, every_ms, started_at, ok_at, failed_at, known_since)
     SELECT 'test.standing', 60000, now() + make_interval(secs => $1), now() + make_interval(secs => $2), now() + make_interval(secs => $3), now() + make_interval(secs => $4)
     ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, ok_at = excluded.ok_at, failed_at = excluded.failed_at, known_since = excluded.known_since`,
    [row.begun ?? null, row.ok ?? null, row.failed ?? null, row.known],
  )
  const found = (await readJobStatus(database.pool)).find(({ name }) => name === 'test.standing')
  return found && { isFailing: found.isFailing, lateSeconds: Math.round(found.lateSeconds / 10) * 10 }
}

test.each([
  ['has always failed', { failed: -5, known: -1_000 }, { isFailing: true, lateSeconds: 940 }],
  ['has just started for the first time', { begun: -1, known: -1 }, { isFailing: false, lateSeconds: 0 }],
  ['runs for the lifetime of its process', { begun: -90_000, known: -90_000 }, { isFailing: false, lateSeconds: 0 }],
  ['runs for the lifetime of its process and failed before', { begun: -1_000, failed: -1_030, known: -90_000 }, { isFailing: false, lateSeconds: 0 }],
  ['has restarted after a failure', { begun: -5, failed: -35, known: -1_000 }, { isFailing: true, lateSeconds: 940 }],
  ['succeeded while the clock was ahead', { ok: 5_000, known: -1_000 }, { isFailing: false, lateSeconds: 4_940 }],
])('reports the status of a job that %s', async (_, row, standing) => {
  expect(await getStanding(row)).toEqual(standing)
})

test('a success replaces a failure recorded while the clock was ahead, and vice versa', async () => {
  const failing = async () => (await readJobStatus(database.pool)).find(({ name }) => name === 'test.standing')?.isFailing
  const notes = () => new JobStatusRecorder(database.pool, createLog('silent'), { name: 'test.standing', everyMs: 1_000 })
  await getStanding({ failed: 5_000, known: -10 })
  await notes().done(1)
  expect(await failing()).toBe(false)
  await getStanding({ ok: 5_000, known: -10 })
  await notes().failed(new Error('no'))
  expect(await failing()).toBe(true)
})

test('a running webhook worker is not reported as late, even if its previous run was killed', async () => {
  const name = 'webhooks.deliver'
  const deps = { pool: database.pool, log: createLog('silent'), settings: { secret: 's'.repeat(32), developmentFeatures: false, allowsPrivate: false } }
  const job = webhookJobs({ ...deps, sample: () => Promise.resolve([]) } as unknown as WebhookDeps, {} as EventSource, 'https://api.example.test').find(
    (one) => one.name === name,
  )
  await database.pool.query(
    "INSERT INTO job_run (name, every_ms, started_at, ok_at) VALUES ($1, 1000, now() - interval '20 minutes', now() - interval '15 minutes')",
    [name],
  )
  const late = async () => (await readJobStatus(database.pool)).find((one) => one.name === name)?.lateSeconds
  expect(await late()).toBeGreaterThan(800)
  const runner = new JobRunner(job ? [job] : [], database.pool, createLog('silent'))
  await expect.poll(late, { timeout: 5_000 }).toBeLessThan(60)
  expect((await readJobRuns(database.pool)).find((one) => one.name === name)?.begunAt).not.toBeNull()
  await runner.stop()
})
