import { expect, onTestFinished, test, vi } from 'vitest'
import { AdmissionConnection, LostError } from '#server/metering/admission-connection.sql.ts'
import { createLog } from '#server/observability/log.ts'
import { meteringDatabase } from './statement.ts'

const db = meteringDatabase()

async function openConnection(isPooled = false): Promise<AdmissionConnection> {
  const connection = new AdmissionConnection(db.url, createLog('silent'), () => undefined, { isPooled })
  await connection.open()
  onTestFinished(() => connection.close())
  return connection
}

const patience = { timeout: 5_000 }

const share = 'SELECT 12 / $1::int, current_user IS NULL, NULL'

test('returns the columns of a row as text, for any statement', async () => {
  const connection = await openConnection()
  expect(await connection.run('share', share, ['4'])).toEqual(['3', 'f', null])
  expect(await connection.run('other', 'SELECT $1::int[]', ['{1,2}'])).toEqual(['{1,2}'])
  expect(await connection.run('none', 'SELECT 1 WHERE false', [])).toEqual([])
})

test('prepares a statement once per connection, and never behind a pooler', async () => {
  const prepared = 'SELECT count(*) FROM pg_prepared_statements WHERE $1 < 9'
  const connection = await openConnection()
  for (const time of ['1', '2', '3']) expect(await connection.run('prepared', prepared, [time])).toEqual(['1'])
  const pooled = await openConnection(true)
  for (const time of ['1', '2', '3']) expect(await pooled.run('prepared', prepared, [time])).toEqual(['0'])
})

test('runs a statement again after it has failed once', async () => {
  const connection = await openConnection()
  await expect(connection.run('share', share, ['0'])).rejects.toMatchObject({ code: '22012' })
  expect(await connection.run('share', share, ['3'])).toEqual(['4', 'f', null])
  await expect(connection.run('wrong', 'SELECT FROM nowhere WHERE $1', ['1'])).rejects.toMatchObject({ code: '42P01' })
  expect(await connection.run('wrong', 'SELECT $1::int', ['1'])).toEqual(['1'])
  expect(connection.ready).toBe(true)
})

test('reports an unknown outcome if the connection breaks, then reconnects and prepares the statement again', async () => {
  const connection = await openConnection()
  expect(await connection.run('sleep', 'SELECT pg_sleep($1::float8)', ['0'])).toEqual([''])
  const asleep = connection.run('sleep', 'SELECT pg_sleep($1::float8)', ['20']).catch((error: unknown) => error)
  await vi.waitFor(async () => {
    const ended = await db.pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'")
    expect(ended.rowCount).toBe(1)
  }, patience)
  expect(await asleep).toBeInstanceOf(LostError)
  await vi.waitFor(() => expect(connection.ready).toBe(true), patience)
  expect(await connection.run('sleep', 'SELECT pg_sleep($1::float8)', ['0'])).toEqual([''])
})
