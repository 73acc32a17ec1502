/**
 * Recovery drill: backs up a server during calls, makes a mistake in the data, loses the server and its disk, and restores the state before the mistake. Prints
 * how long that took, and returns false if the restored ledger differs. docs/backup.md describes the drill.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { fillMarket } from '../chaos/own-server.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { svcProgram } from '../support/programs.ts'
import { authSecret } from '../support/service-process.ts'
import { ArchivedServer } from './archived-server.ts'
import { DrillLoad, startMembers } from './drill-load.ts'
import { makeFolder } from './postgres-user.ts'

const loadMs = 10_000

const started = performance.now()
const say = (line: string) => console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${line}`)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

const open = (server: ArchivedServer) => openPool({ url: server.url, max: 8, applicationName: 'drill', statementTimeoutMs: 30_000, onError: () => undefined })

/** Returns checksums of everything that was charged or credited. */
async function fingerprint(pool: Database): Promise<string> {
  const { rows } = await pool.query<{ of: string }>(
    `SELECT (SELECT md5(string_agg(w.account_id || ':' || w.balance, ',' ORDER BY w.account_id)) FROM wallet w) || ' ' ||
       (SELECT md5(string_agg(e.id || ':' || e.credits, ',' ORDER BY e.id)) FROM ledger_entry e) || ' ' ||
       (SELECT count(*) || ' ' || md5(string_agg(l.id || ':' || l.credits, ',' ORDER BY l.id)) FROM request_log l) AS of`,
  )
  return rows[0]?.of ?? ''
}

/** Returns the statements in docs/backup.md that make a restored database safe to serve. */
async function statementsAfterRecovery(): Promise<string> {
  const text = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8')
  const [, sql = ''] = /```sql\n( *UPDATE service_state[\s\S]*?)```/.exec(text) ?? []
  if (sql === '') throw new Error('docs/backup.md has no statements to run after a recovery.')
  return sql
}

async function verifyLedger(url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url, NEXTAUTH_SECRET: authSecret }
  await promisify(execFile)(process.execPath, [svcProgram, 'ledger', 'verify'], { env })
}

export async function drill(): Promise<boolean> {
  say('starting PostgreSQL with pgBackRest')
  await using server = await ArchivedServer.start()
  await using opened = new AsyncDisposableStack()
  await migrate(server.url, { log: () => undefined })
  let pool = open(server)
  opened.defer(() => pool.end())
  await fillMarket(pool)
  await maintainLog(pool)
  const { key } = await makeKey(pool, await makeAccount(pool, { credits: 1_000 }))
  const folder = opened.use(await makeFolder('drill'))
  const members = await startMembers(server.url, folder.path)
  opened.defer(() => members[Symbol.asyncDispose]())

  say('calls, with a full and a differential backup')
  const load = await DrillLoad.start(pool, members)
  await sleep(loadMs)
  const fullSeconds = await timed(() => server.backRest(['--type=full', 'backup']))
  await sleep(loadMs)
  const diffSeconds = await timed(() => server.backRest(['--type=diff', 'backup']))
  await sleep(loadMs)
  await load.stop()
  const before = await load.compare()
  await maintainLog(pool)
  const expected = await fingerprint(pool)
  const target = (await server.asSuperuser('SELECT clock_timestamp()')).trim()

  say(`more calls, a mistake and the loss of the disk; the state at ${target} is to be restored`)
  const later = await DrillLoad.start(pool, members)
  await sleep(loadMs)
  await later.stop()
  await server.asSuperuser('UPDATE wallet SET balance = 0')
  await server.asSuperuser('SELECT pg_switch_wal()')
  await server.backRest(['check'])
  const backups = await server.backups()
  await members[Symbol.asyncDispose]()
  await pool.end()
  await server.lose()

  say('restoring')
  const restored = performance.now()
  await server.restore(target)
  const restoreSeconds = (performance.now() - restored) / 1_000
  await server.asSuperuser(await statementsAfterRecovery())
  await verifyLedger(server.url)
  pool = open(server)
  const found = await fingerprint(pool)
  const after = await load.compare(pool)
  const { rows } = await pool.query<{ id: string }>("SELECT replace(id::text, '-', '') AS id FROM request_log")
  const logged = new Set(rows.map(({ id }) => id))
  const tooLate = later.answers.filter(({ id }) => logged.has(id)).length
  await using again = await startMembers(server.url, folder.path)
  const { status } = await call(`${again.origins[0]}/v1`, '/reference/products', key)
  const serviceSeconds = (performance.now() - restored) / 1_000

  const faults = [...before.faults, ...after.faults]
  if (found !== expected) faults.push(`the ledger is ${found} instead of ${expected}`)
  if (tooLate > 0) faults.push(`${tooLate} calls made after the target time are in the log`)
  if (status !== 200) faults.push(`a charged call returned ${status} after the restore`)
  const { calls, charged, lost, doubled } = after
  console.log(
    JSON.stringify({ fullSeconds, diffSeconds, restoreSeconds, serviceSeconds, calls, charged, lost, doubled, laterCalls: later.answers.length, backups }),
  )
  for (const fault of faults.slice(0, 40)) console.log(`- ${fault}`)
  return faults.length === 0
}
