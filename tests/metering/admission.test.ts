import { afterAll, beforeAll, expect, test } from 'vitest'
import { Admission } from '#server/metering/admission.ts'
import { AdmissionConnection } from '#server/metering/admission-connection.store.ts'
import type { AdmissionRequest } from '#server/metering/batch.ts'
import { createLog } from '#server/observability/log.ts'
import { addKey, countersOf, logOf, makePayer, meteringDatabase, requestOf, serviceVersion } from './statement.ts'

const db = meteringDatabase()
let admission: Admission
let version = 0

beforeAll(async () => {
  admission = new Admission(db.url, createLog('silent'))
  await admission.open()
  version = await serviceVersion(db.pool)
})
afterAll(() => admission.close())

/** Requests that arrive in one turn share a statement. */
const together = (requests: readonly AdmissionRequest[]) => Promise.all(requests.map(async (request) => (await admission.admit(request))?.verdict))
const now = (request: AdmissionRequest): AdmissionRequest => ({ ...request, serviceVersion: version })

test('what arrives in one turn is decided in order, through one statement', async () => {
  const payer = await makePayer(db.pool, { credits: 150 })
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => admission.admit(now(requestOf(payer)))))
  expect(outcomes.map((outcome) => outcome?.balance)).toEqual([
    ...Array.from({ length: 150 }, (_, place) => 149 - place),
    ...Array.from({ length: 50 }, () => 0),
  ])
  const { rows } = await db.pool.query<{ statements: number }>('SELECT count(DISTINCT tx)::int AS statements FROM request_log WHERE account_id = $1', [
    payer.accountId,
  ])
  expect(rows[0]?.statements).toBe(1)
})

test('requests decided with different versions of the shared facts never share a statement', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const mixed = [now(requestOf(payer)), { ...requestOf(payer), serviceVersion: version - 1 }, now(requestOf(payer))]
  expect(await together(mixed)).toEqual([0, 1, 0])
})

test('old facts about an account are stale, also behind a request on another key with new ones', async () => {
  const fresh = await makePayer(db.pool, { credits: 10 })
  const old = await addKey(db.pool, fresh.account)
  // Blocked, say: the first key has read it already, the facts of the second were read before.
  await db.pool.query('UPDATE wallet SET version = 2 WHERE account_id = $1', [fresh.accountId])
  const verdicts = await together([now(requestOf(fresh, { accountVersion: 2 })), now(requestOf(old, { accountVersion: 1 }))])
  expect(verdicts).toEqual([0, 1])
  expect(await logOf(db.pool, old)).toHaveLength(1)
  expect(await countersOf(db.pool, old)).toMatchObject({ balance: 9, minuteUsed: 0 })
})

test('old facts about a key are stale, also behind a request with new ones', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await db.pool.query('UPDATE key_meter SET version = 2 WHERE key_id = $1', [payer.keyId])
  const verdicts = await together([now(requestOf(payer, { keyVersion: 2 })), now(requestOf(payer, { keyVersion: 1 }))])
  expect(verdicts).toEqual([0, 1])
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 9, minuteUsed: 1 })
})

test('new facts are not made stale by old ones in front of them', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  await db.pool.query('UPDATE key_meter SET version = 2 WHERE key_id = $1', [payer.keyId])
  const verdicts = await together([now(requestOf(payer, { keyVersion: 1 })), now(requestOf(payer, { keyVersion: 2 }))])
  expect(verdicts).toEqual([1, 0])
})

test('an answer that cannot be read is looked up: its charge stands, and whoever called is told of it', async () => {
  const payer = await makePayer(db.pool, { credits: 10 })
  const places = Array.from({ length: 17 }, (_, at) => `$${at + 1}`).join(', ')
  await db.pool.query('ALTER FUNCTION admit RENAME TO admit_kept')
  await db.pool.query(`DO $do$ BEGIN EXECUTE format('CREATE FUNCTION admit(%s) RETURNS bigint[] LANGUAGE plpgsql AS %L',
    pg_get_function_identity_arguments('admit_kept'::regproc), 'BEGIN PERFORM admit_kept(${places}); RETURN NULL; END'); END $do$`)
  const unread = new Admission(db.url, createLog('silent'))
  await unread.open()
  expect(await unread.admit(now(requestOf(payer)))).toMatchObject({ credits: 1, balance: 9 })
  await unread.close()
  await db.pool.query('DROP FUNCTION admit; ALTER FUNCTION admit_kept RENAME TO admit')
  expect(await countersOf(db.pool, payer)).toMatchObject({ balance: 9 })
})

test.each([
  ['off', 'on'],
  ['local', 'local'],
])('in a database that is set to synchronous_commit = %s a lane waits for the disk: %s', async (given, held) => {
  const alter = (what: string) => db.pool.query(`DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I ${what}', current_database()); END $do$`)
  await alter(`SET synchronous_commit = ${given}`)
  const lane = new AdmissionConnection(db.url, createLog('silent'), () => undefined)
  await lane.open()
  expect(await lane.run('held', "SELECT current_setting('synchronous_commit')", [])).toEqual([held])
  await lane.close()
  await alter('RESET synchronous_commit')
})
