import { expect, test } from 'vitest'
import { readJobRuns, readJobStatus } from '#server/db/queues.sql.ts'
import { type Job, JobRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/observability/log.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()
const log = createLog('silent')

const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)
const findStatus = async (name: string) => (await readJobStatus(database.pool)).find((one) => one.name === name)
const findRun = async (name: string) => (await readJobRuns(database.pool)).find((one) => one.name === name)

/** Starts a runner for the job and waits until the job has run at least once. */
async function runOnce(job: Omit<Job, 'everyMinutes'>): Promise<void> {
  let runs = 0
  const run: Job['run'] = async (...args) => {
    runs++
    return job.run(...args)
  }
  const runner = await JobRunner.start([{ everyMinutes: 5, ...job, run }], database.pool, log)
  await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(0)
  await runner.stop()
}

const name = 'test.status'

test('shows when a job last succeeded and how long it took', async () => {
  await runOnce({ name, run: async () => undefined })
  expect(await findRun(name)).toMatchObject({ begunAt: null, okAt: expect.any(Date), tookMs: expect.any(Number), failedAt: null, fault: null })
  expect(await findStatus(name)).toMatchObject({ lateSeconds: 0, isFailing: false })
})

test('reports a job as failing until it succeeds again', async () => {
  await runOnce({ name, run: () => Promise.reject(new Error('No such thing.')) })
  expect(await findRun(name)).toMatchObject({ okAt: expect.any(Date), failedAt: expect.any(Date), fault: 'No such thing.' })
  expect(await findStatus(name)).toMatchObject({ isFailing: true })
  await runOnce({ name, run: async () => undefined })
  expect(await findStatus(name)).toMatchObject({ isFailing: false })
})

test('reports how late a job is: the time since its last success, minus its interval and two minutes', async () => {
  await sql("UPDATE pgboss.job SET completed_on = completed_on - interval '20 minutes' WHERE name = $1", [name])
  const late = (await findStatus(name))?.lateSeconds ?? 0
  expect(Math.round(late / 10) * 10).toBe((20 - 5 - 2) * 60)
})

test('counts the delay from when a job was first scheduled if it has never succeeded', async () => {
  await sql('DELETE FROM pgboss.job WHERE name = $1', [name])
  expect(await findStatus(name)).toMatchObject({ okAt: null, isFailing: false, lateSeconds: 0 })
  await sql("UPDATE pgboss.schedule SET created_on = now() - interval '1 hour' WHERE name = $1", [name])
  expect((await findStatus(name))?.lateSeconds).toBeGreaterThan(50 * 60)
})
