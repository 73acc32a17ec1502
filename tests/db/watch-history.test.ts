import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { readServerHistory } from '#server/db/database-probes.sql.ts'
import { onPrimaryChange } from '#server/db/primary-client.ts'
import { watchHistory } from '#server/db/watch-history.ts'
import { startOwnServer } from '../chaos/own-server.ts'
import { startReplica } from '../support/replica-server.ts'
import { endPool, openTestPool, watched } from '../support/test-pool.ts'

test('detects that a promoted standby has taken over at the same address', async () => {
  await using origin = await startOwnServer()
  await using standby = await startReplica(origin.url)
  const promoted = watched(openTestPool({ connectionString: standby.url, max: 1 }))
  await using _ = { [Symbol.asyncDispose]: () => endPool(promoted) }
  /** Server behind the address. */
  let server: Pick<Pool, 'query'> = origin.pool
  const address = { query: (...values: Parameters<Pool['query']>) => server.query(...values) } as Pick<Pool, 'query'>
  let changes = 0
  onTestFinished(onPrimaryChange(() => void changes++))
  const check = watchHistory(address)
  for (let turn = 0; turn < 2; turn++) await check()
  expect(changes).toBe(0)
  server = promoted
  await expect(check()).rejects.toThrow('recovery is in progress')
  await standby.ask('SELECT pg_promote()')
  await check()
  expect(changes).toBe(1)
  await check()
  expect(changes).toBe(1)
}, 90_000)

test("every role can read the server's history, and a server that doesn't support this causes no error", async () => {
  await using origin = await startOwnServer()
  const { rows } = await origin.pool.query(
    "SELECT bool_and(has_function_privilege('public', oid, 'EXECUTE')) AS may FROM pg_proc WHERE proname IN ('pg_control_system', 'pg_walfile_name', 'pg_current_wal_insert_lsn')",
  )
  expect(rows).toEqual([{ may: true }])
  const refusing = { query: () => Promise.reject(Object.assign(new Error('not supported'), { code: '0A000' })) } as unknown as Pick<Pool, 'query'>
  expect(await readServerHistory(refusing)).toBeNull()
}, 60_000)
