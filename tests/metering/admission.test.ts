import { afterAll, beforeAll, expect, test } from 'vitest'
import { Admission } from '#server/metering/admission.ts'
import { AdmissionConnection } from '#server/metering/admission-connection.sql.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { createLog } from '#server/observability/log.ts'
import { addKey, buildRequest, makePayer, meteringDatabase, readCounters, readLog, serviceVersion } from './statement.ts'

const db = meteringDatabase()
let admission: Admission
let version = 0

beforeAll(async () => {
  admission = new Admission(db.url, createLog('silent'))
  await admission.open()
  version = await serviceVersion(db.pool)
})
afterAll(() => admission.close())

/** Sends requests in one tick of the event loop, so that one statement handles them all. */
const together = (requests: readonly AdmissionRequest[]) => Promise.all(requests.map(async (request) => (await admission.admit(request))?.verdict))
const now = (request: AdmissionRequest): AdmissionRequest => ({ ...request, serviceVersion: version })

test('admits or rejects the requests of one event-loop tick in order, with one statement', async () => {
  const payer = await makePayer(db.pool, { credits: 150 })
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => admission.admit(now(buildRequest(payer)))))
  expect(outcomes.map((outcome) => outcome?.balance)).toEqual([
    ...Array.from({ length: 150 }, (_, place) => 149 - place),
    ...Array.from({ length: 50 }, () => 0),
  ])
  const { rows } = await db.pool.query<{ statements: number }>('SELECT count(DISTINCT tx)::int AS statements FROM request_log WHERE account_id = $1', [
    payer.accountId,
  ])
  expect(rows[0]?.statements).toBe(1)
})

test('never mixes versions of the shared config in one statement', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const mixed = [now(buildRequest(payer)), { ...buildRequest(payer), serviceVersion: version - 1 }, now(buildRequest(payer))]
  expect(await together(mixed)).toEqual([0, 1, 0])
})

test('rejects a stale account version, even in the same batch as a current one of another key', async () => {
  const fresh = await makePayer(db.pool, { credits: 10 })
  const old = await addKey(db.pool, fresh.account)
  // Simulates a change to the account: the first key was loaded after the change, the second before it.
  await db.pool.query('UPDATE wallet SET version = 2 WHERE account_id = $1', [fresh.accountId])
  const verdicts = await together([now(buildRequest(fresh, { accountVersion: 2 })), now(buildRequest(old, { accountVersion: 1 }))])
  expect(verdicts).toEqual([0, 1])
  expect(await readLog(db.pool, old)).toHaveLength(1)
  expect(await readCounters(db.pool, old)).toMatchObject({ balance: 9, minuteUsed: 0 })
})

test('rejects a stale key version, even in the same batch as a current one', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await db.pool.query('UPDATE key_meter SET version = 2 WHERE key_id = $1', [payer.keyId])
  const verdicts = await together([now(buildRequest(payer, { keyVersion: 2 })), now(buildRequest(payer, { keyVersion: 1 }))])
  expect(verdicts).toEqual([0, 1])
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 9, minuteUsed: 1 })
})

test('accepts a current key version in the same batch as a stale one', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await db.pool.query('UPDATE key_meter SET version = 2 WHERE key_id = $1', [payer.keyId])
  const verdicts = await together([now(buildRequest(payer, { keyVersion: 1 })), now(buildRequest(payer, { keyVersion: 2 }))])
  expect(verdicts).toEqual([1, 0])
})

test('looks up the charge if the database response cannot be decoded, and returns it to the caller', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const places = Array.from({ length: 17 }, (_, at) => `$${at + 1}`).join(', ')
  await db.pool.query('ALTER FUNCTION admit RENAME TO admit_kept')
  await db.pool.query(`DO $do$ BEGIN EXECUTE format('CREATE FUNCTION admit(%s) RETURNS bigint[] LANGUAGE plpgsql AS %L',
    pg_get_function_identity_arguments('admit_kept'::regproc), 'BEGIN PERFORM admit_kept(${places}); RETURN NULL; END'); END $do$`)
  const unread = new Admission(db.url, createLog('silent'))
  await unread.open()
  expect(await unread.admit(now(buildRequest(payer)))).toMatchObject({ credits: 1, balance: 9 })
  await unread.close()
  await db.pool.query('DROP FUNCTION admit; ALTER FUNCTION admit_kept RENAME TO admit')
  expect(await readCounters(db.pool, payer)).toMatchObject({ balance: 9 })
})

test.each([
  ['off', 'on'],
  ['local', 'local'],
])('with synchronous_commit = %s in the database, admission uses %s, so commits wait for the disk', async (given, held) => {
  const alter = (what: string) => db.pool.query(`DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I ${what}', current_database()); END $do$`)
  await alter(`SET synchronous_commit = ${given}`)
  const connection = new AdmissionConnection(db.url, createLog('silent'), () => undefined)
  await connection.open()
  expect(await connection.run('held', "SELECT current_setting('synchronous_commit')", [])).toEqual([held])
  await connection.close()
  await alter('RESET synchronous_commit')
})
