import { expect, onTestFinished, test, vi } from 'vitest'
import { AdmissionConnection, LostError } from '#server/metering/admission-connection.store.ts'
import { createLog } from '#server/observability/log.ts'
import { meteringDatabase } from './statement.ts'

const db = meteringDatabase()

async function openLane(isPooled = false): Promise<AdmissionConnection> {
  const lane = new AdmissionConnection(db.url, createLog('silent'), () => undefined, isPooled)
  await lane.open()
  onTestFinished(() => lane.close())
  return lane
}

const patience = { timeout: 5_000 }

const share = 'SELECT 12 / $1::int, current_user IS NULL, NULL'

test('answers the row as text, whatever is asked under whatever name', async () => {
  const lane = await openLane()
  expect(await lane.run('share', share, ['4'])).toEqual(['3', 'f', null])
  expect(await lane.run('other', 'SELECT $1::int[]', ['{1,2}'])).toEqual(['{1,2}'])
  expect(await lane.run('none', 'SELECT 1 WHERE false', [])).toEqual([])
})

test('prepares a statement once, and not at all behind a pooler', async () => {
  const prepared = 'SELECT count(*) FROM pg_prepared_statements WHERE $1 < 9'
  const lane = await openLane()
  for (const time of ['1', '2', '3']) expect(await lane.run('prepared', prepared, [time])).toEqual(['1'])
  const pooled = await openLane(true)
  for (const time of ['1', '2', '3']) expect(await pooled.run('prepared', prepared, [time])).toEqual(['0'])
})

test('a statement that was refused is no reason to refuse the next under its name', async () => {
  const lane = await openLane()
  await expect(lane.run('share', share, ['0'])).rejects.toMatchObject({ code: '22012' })
  expect(await lane.run('share', share, ['3'])).toEqual(['4', 'f', null])
  await expect(lane.run('wrong', 'SELECT FROM nowhere WHERE $1', ['1'])).rejects.toMatchObject({ code: '42P01' })
  expect(await lane.run('wrong', 'SELECT $1::int', ['1'])).toEqual(['1'])
  expect(lane.ready).toBe(true)
})

test('a connection that ends under way leaves the outcome unknown, and the lane connects and prepares anew', async () => {
  const lane = await openLane()
  expect(await lane.run('sleep', 'SELECT pg_sleep($1::float8)', ['0'])).toEqual([''])
  const asleep = lane.run('sleep', 'SELECT pg_sleep($1::float8)', ['20']).catch((error: unknown) => error)
  await vi.waitFor(async () => {
    const ended = await db.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'")
    expect(ended.rowCount).toBe(1)
  }, patience)
  expect(await asleep).toBeInstanceOf(LostError)
  await vi.waitFor(() => expect(lane.ready).toBe(true), patience)
  expect(await lane.run('sleep', 'SELECT pg_sleep($1::float8)', ['0'])).toEqual([''])
})
