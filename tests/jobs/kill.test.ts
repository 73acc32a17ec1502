import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readJobRuns } from '#server/db/queues.sql.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()

const startWorker = (): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'support/job-process.ts'), JSON.stringify({ databaseUrl: database.url })], { stdio: 'inherit' })

const count = async (table: 'todo' | 'done') => (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]?.n ?? 0

const rounds = 10
const rowsPerRound = 50

test('neither loses nor repeats work when the worker is killed ten times in the middle of a job', { timeout: 180_000 }, async () => {
  await database.pool.query(`CREATE TABLE todo (id int GENERATED ALWAYS AS IDENTITY, at timestamptz DEFAULT now()); CREATE TABLE done (id int, at timestamptz DEFAULT clock_timestamp());
    CREATE TRIGGER send_jobs AFTER INSERT ON todo FOR EACH STATEMENT EXECUTE FUNCTION send_jobs('test.copy')`)
  for (let round = 0; round < rounds; round++) {
    const worker = startWorker()
    const before = await count('done')
    await database.pool.query('INSERT INTO todo SELECT FROM generate_series(1, $1::int)', [rowsPerRound])
    await expect.poll(() => count('done'), { timeout: 20_000, interval: 10 }).toBeGreaterThan(before)
    await sleep(Math.random() * 300)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    expect(await count('todo')).toBeGreaterThan(0)
  }
  const worker = startWorker()
  await expect.poll(() => count('todo'), { timeout: 60_000 }).toBe(0)
  const { rows } = await database.pool.query('SELECT count(*)::int AS all, count(DISTINCT id)::int AS ids FROM done')
  expect(rows).toEqual([{ all: rounds * rowsPerRound, ids: rounds * rowsPerRound }])
  await expect.poll(async () => (await readJobRuns(database.pool))[0]?.okAt ?? null, { timeout: 10_000 }).not.toBeNull()
  worker.kill('SIGKILL')
})
