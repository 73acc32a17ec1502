import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { createBackup } from '#server/backup/create-backup.ts'
import { Manifest } from '#server/backup/manifest.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writtenAs } from '#server/backup/written-as.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { halfRestore } from '#server/db/half-restore.ts'
import manifest from '../../package.json' with { type: 'json' }
import { svcProgram } from '../support/programs.ts'
import { authSecret, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { call } from '../support/world.ts'
import { BackupStage, withPool } from './support/backup-stage.ts'
import { environment, makeAnew, rewrite, svc } from './support/svc.ts'

const backup = new BackupStage()
const { path } = backup

beforeAll(() => backup.open(), 120_000)
afterAll(() => backup.close())

test('a backup is one file that standard tools read, that only its owner may read, and that holds neither sign-ins nor the secret', async () => {
  expect((await stat(path('first.tar.gz'))).mode & 0o777).toBe(0o600)
  expect(await readdir(backup.folder)).toEqual(['first.tar.gz'])
  const script = 'cd "$0" && tar xzf first.tar.gz && cat tables/request_log/*.copy | wc -l && sha256sum tables/account/000001.copy && cat manifest.json'
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script, backup.folder], { maxBuffer: 16_000_000 })
  const [rows = '', sum = '', ...rest] = stdout.split('\n')
  expect(Number(rows)).toBe(backup.first.sums['request_log']?.rows)
  expect(sum.split(' ')[0]).toBe(backup.first.sums['account']?.sha256)
  expect(Manifest.parse(JSON.parse(rest.join('\n')))).toEqual(backup.first)
  expect(backup.first.sums).toMatchObject({ portal_session: { rows: 0 }, email_token: { rows: 0 }, webhook_endpoint: { rows: 1 } })
  for (const name of await readdir(backup.folder, { recursive: true })) {
    const isText = name.endsWith('.copy') || name.endsWith('.json')
    if (isText) expect((await readFile(path(name))).includes(authSecret), name).toBe(false)
  }
})

test('every column that counts transactions is written as what it means', async () => {
  const rows = await backup.stage.sql<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'
       AND (column_name ~ '(^|_)tx$' OR column_name ~ 'xid' OR column_default ~ 'xact|snapshot|lsn' OR data_type IN ('xid', 'xid8', 'pg_lsn'))
       AND table_name !~ '^request_log_' ORDER BY 1`,
  )
  const known = Object.keys(writtenAs({ usage: 0n, alerts: 0n })).filter((name) => name.endsWith('tx'))
  expect(rows.map(({ name }) => name)).toEqual(known.toSorted())
})

test('restored into a new database, everything is as it was at that moment: books, keys, history, and what is still to be added up', {
  timeout: 60_000,
}, async () => {
  const url = await backup.newTarget()
  const restored = await svc(environment({ url }), ['backup', 'restore', path('first.tar.gz'), '--yes'])
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(restored.out).toContain('Restored: all rows are there, and the books are as they were.')
  expect(restored.out).toContain('NEXTAUTH_SECRET')
  const again = await createBackup(url, path('again.tar.gz'))
  expect(again.sums).toEqual(backup.first.sums)
  expect(again.sequences).toEqual(backup.first.sequences)
  expect(again.ledger).toEqual(backup.first.ledger)
  await withPool(url, async (pool) => {
    expect((await verifyLedger(pool)).differences).toEqual([])
    // Each call counts once, those that were added up before the backup and those that were not.
    await pool.query('SELECT add_up_usage()')
    const { rows } = await pool.query(
      'SELECT ((SELECT sum(requests) FROM usage_day) - (SELECT coalesce(sum(requests), 0) FROM refused_calls))::int AS added, (SELECT count(*) FROM request_log)::int AS logged',
    )
    expect(rows[0]).toEqual({ added: backup.first.sums['request_log']?.rows, logged: backup.first.sums['request_log']?.rows })
    // Rules that were taken away for the load are back.
    await expect(pool.query('DELETE FROM ledger_entry')).rejects.toThrow('append-only')
    await expect(pool.query('TRUNCATE request_log')).rejects.toThrow('append-only')
    await expect(pool.query('INSERT INTO wallet (account_id, day_limit, minute_limit) VALUES (-1, 1, 1)')).rejects.toThrow('foreign key')
    const partitions = (database: Pool) => database.query(`SELECT tableoid::regclass::text AS part, count(*)::int FROM request_log GROUP BY 1 ORDER BY 1`)
    expect((await partitions(pool)).rows.every(({ part }) => part !== 'request_log_rest')).toBe(true)
  })
  await serveFrom(url)
})

/** A service on the restored database answers as the one that was backed up. */
async function serveFrom(url: string): Promise<void> {
  const service: ServiceProcess = await startProcess({ databaseUrl: url, mount: 'lean', dataDir: path('data') })
  try {
    const bought = await call(service.api, '/rates?limit=3', backup.buyer.key)
    expect(bought).toMatchObject({ status: 200, body: { meta: { creditsCharged: 3 } } })
    expect((await call(service.api, '/rates?limit=1', backup.revoked.key)).body.error).toBe('key_revoked')
    expect((await call(service.api, '/rates?limit=1', backup.blocked.key)).body.error).toBe('account_blocked')
    for (const target of ['/history?limit=50', '/history/components?limit=50', '/rates/backup-saver']) {
      const [here, there] = [await call(service.api, target, backup.buyer.key), await backup.stage.get(target, backup.buyer.key)]
      expect(here.status, target).toBe(200)
      expect(here.body.data, target).toEqual(there.body.data)
    }
    const verified = await svc(environment({ url }), ['ledger', 'verify'])
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('every balance is the sum of its entries') })
  } finally {
    await service.stop()
  }
}

test('it goes into an embedded database and out of one as well, and a backup of an older release is migrated on', { timeout: 120_000 }, async () => {
  const env = environment({ dataDir: path('embedded') })
  try {
    expect(await svc(env, ['backup', 'restore', path('first.tar.gz'), '--yes'])).toMatchObject({ code: 0, err: '' })
    expect(await svc(env, ['backup', 'create', '--out', path('embedded.tar.gz')])).toMatchObject({ code: 0, err: '' })
  } finally {
    await rm(path('embedded'), { recursive: true, force: true })
  }
  expect((await verifyBackup(path('embedded.tar.gz'))).sums).toEqual(backup.first.sums)
  // As the release before the last migration would have written it.
  const older = ({ name, body }: { name: string; body: Buffer }) => {
    if (!name.endsWith('.json')) return { name, body }
    const facts = JSON.parse(body.toString()) as Manifest
    facts.migrations = facts.migrations.filter((migration) => !migration.name.endsWith('_log_retention'))
    facts.tables = facts.tables.filter((table) => table.name !== 'dropped_charge')
    if (facts.sums) delete facts.sums['dropped_charge']
    return { name, body: Buffer.from(`${JSON.stringify(facts, null, 1)}\n`) }
  }
  await rewrite(path('embedded.tar.gz'), path('older.tar.gz'), older)
  const url = await backup.newTarget()
  const { migratedOn } = await restoreBackup({ url, file: path('older.tar.gz'), isMeant: true })
  expect(migratedOn).toEqual([expect.stringMatching(/_log_retention$/)])
  expect((await createBackup(url, path('back.tar.gz'))).sums).toEqual(backup.first.sums)
})

test('a restore that was killed says so to everybody, and the next one begins anew', { timeout: 60_000 }, async () => {
  const url = await backup.newTarget()
  const env = environment({ url })
  await withPool(url, async (pool) => {
    const child = spawn(process.execPath, [svcProgram, 'backup', 'restore', path('first.tar.gz'), '--yes'], { env, stdio: 'ignore' })
    const exit = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    await vi.waitFor(async () => expect((await halfRestore(pool))?.file).toBe('first.tar.gz'), { timeout: 20_000, interval: 2 })
    child.kill('SIGKILL')
    expect(await exit).toBe('SIGKILL')
    const refusal = /^This database is half a restore: first\.tar\.gz was begun at .* and did not end\. Run "svc backup restore" again/
    expect((await svc(env, ['ledger', 'verify'])).err).toMatch(refusal)
    await expect(startProcess({ databaseUrl: url, mount: 'lean', dataDir: path('data') })).rejects.toThrow('half a restore')
    await expect(createBackup(url, path('half.tar.gz'))).rejects.toThrow(refusal)
    // The server ends what the killed process had open by itself, a moment later.
    const looked = await vi.waitFor(() => restoreBackup({ url, file: path('first.tar.gz'), isMeant: false }), { timeout: 20_000 })
    expect(looked).toMatchObject({ isDone: false, halfOf: 'first.tar.gz' })
    await restoreBackup({ url, file: path('first.tar.gz'), isMeant: true })
    expect(await halfRestore(pool)).toBeNull()
  })
  expect((await createBackup(url, path('after-kill.tar.gz'))).sums).toEqual(backup.first.sums)
})

test('a file that is cut off, changed or put together is told before the database is touched', async () => {
  const url = await backup.newTarget()
  const whole = await readFile(path('first.tar.gz'))
  const flipped = Buffer.from(whole)
  flipped[Math.floor(whole.length / 2)] = (flipped[Math.floor(whole.length / 2)] ?? 0) ^ 1
  await writeFile(path('cut.tar.gz'), whole.subarray(0, whole.length - 1_000))
  await writeFile(path('flipped.tar.gz'), flipped)
  await writeFile(path('none.tar.gz'), 'no backup')
  await rewrite(path('first.tar.gz'), path('richer.tar.gz'), ({ name, body }) => ({
    name,
    body: name.startsWith('tables/wallet/') ? Buffer.from(body).fill('9', 2, 3) : body,
  }))
  await rewrite(path('first.tar.gz'), path('endless.tar.gz'), (entry) => (entry.name === 'manifest.json' ? null : entry))
  await rewrite(path('first.tar.gz'), path('without.tar.gz'), (entry) => (entry.name.startsWith('tables/ledger_entry/') ? null : entry))
  for (const name of ['cut', 'flipped', 'none', 'richer', 'endless', 'without']) {
    const damaged = new RegExp(`${name}\\.tar\\.gz is damaged or no backup of this service: .*\\. Use another one\\.$`)
    await expect(verifyBackup(path(`${name}.tar.gz`)), name).rejects.toThrow(damaged)
    await expect(restoreBackup({ url, file: path(`${name}.tar.gz`), isMeant: true }), name).rejects.toThrow(damaged)
  }
  await expect(verifyBackup(path('nowhere.tar.gz'))).rejects.toThrow('nowhere.tar.gz cannot be read: ENOENT')
  await withPool(url, async (pool) => expect((await pool.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rowCount).toBe(0))
})

test('a backup of a newer release, or into a database with anything in it, is refused with a sentence', async () => {
  const url = await backup.newTarget()
  const ahead = ({ name, body }: { name: string; body: Buffer }) => {
    if (!name.endsWith('.json')) return { name, body }
    const facts = JSON.parse(body.toString()) as Manifest
    facts.migrations.push({ name: '29990101000000_from_the_future', checksum: 'a'.repeat(64) })
    return { name, body: Buffer.from(`${JSON.stringify(facts, null, 1)}\n`) }
  }
  await rewrite(path('first.tar.gz'), path('newer.tar.gz'), ahead)
  await expect(restoreBackup({ url, file: path('newer.tar.gz'), isMeant: true })).rejects.toThrow(
    `The backup was made by a newer release (${manifest.version}): this one does not know its migration 29990101000000_from_the_future. Restore it with that release.`,
  )
  await withPool(url, (pool) => pool.query('CREATE TABLE notes (id int)'))
  const refused = await svc(environment({ url }), ['backup', 'restore', path('first.tar.gz'), '--yes'])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toBe('The database is not empty (notes): a backup is restored into a new database or a new data folder only. Nothing was changed.\n')
  const own = await svc(environment({ url: backup.stage.databaseUrl }), ['backup', 'restore', path('first.tar.gz'), '--yes'])
  expect(own.err).toMatch(/^The database is not empty \(.+ …\): /)
  await expect(createBackup(await backup.newTarget(), path('empty.tar.gz'))).rejects.toThrow(
    'There is nothing to back up: this database has no tables of the service.',
  )
})

test('a disk that is full leaves no file, and a name that is taken is kept', async () => {
  const env = environment({ url: backup.stage.databaseUrl })
  const full = await svc(env, ['backup', 'create', '--out', path('full.tar.gz')], 'ulimit -f 64;')
  expect(full).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/full\.tar\.gz cannot be written: EFBIG: .*\. Nothing is there under that name\.\n$/),
  })
  expect((await readdir(backup.folder)).filter((name) => name.startsWith('full'))).toEqual([])
  const before = await readFile(path('first.tar.gz'))
  const taken = await svc(env, ['backup', 'create', '--out', path('first.tar.gz')])
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('is there already') })
  expect((await readFile(path('first.tar.gz'))).equals(before)).toBe(true)
  // What a backup that was killed has left is written over.
  await writeFile(path('late.tar.gz.part'), 'half')
  await createBackup(backup.stage.databaseUrl, path('late.tar.gz'))
  expect(existsSync(path('late.tar.gz.part'))).toBe(false)
})

const sums = `SELECT (SELECT sum(balance) FROM wallet)::int AS balance, (SELECT sum(credits) FROM usage_day)::int AS charged,
  (SELECT sum(requests) FROM usage_day)::int AS used, (SELECT count(*) FROM request_log)::int AS logged`

test('gateways that ran on while their database was restored take nothing old for true; without the log of calls its sums are there', {
  timeout: 60_000,
}, async () => {
  const { stage, buyer } = backup
  const status = async () => (await stage.get('/rates?limit=1', buyer.key)).status
  const lean = await createBackup(stage.databaseUrl, path('lean.tar.gz'), { withLog: false })
  expect(lean.sums).toMatchObject({ request_log: { rows: 0 }, request_detail: { rows: 0 } })
  await stage.sql('SELECT add_up_usage()')
  const [before] = await stage.sql(sums)
  await blockAccount(stage.pool, buyer.account.email, 'After the backup.')
  expect(await status()).toBe(403)
  // Its connections are cut.
  stage.pool.on('error', () => undefined)
  await makeAnew(stage.databaseUrl)
  await restoreBackup({ url: stage.databaseUrl, file: path('lean.tar.gz'), isMeant: true })
  await vi.waitFor(async () => expect(await stage.sql('SELECT add_up_usage()')).toHaveLength(1), { timeout: 20_000, interval: 50 })
  expect(await stage.sql(sums)).toEqual([{ ...before, logged: 0 }])
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 20_000, interval: 50 })
  // The versions of the account count from the backup on, and come by the numbers that the gateway knew before.
  await blockAccount(stage.pool, buyer.account.email, 'After the restore.')
  expect((await stage.get('/rates?limit=1', buyer.key)).body).toMatchObject({
    error: 'account_blocked',
    message: expect.stringContaining('After the restore.'),
  })
  await unblockAccount(stage.pool, buyer.account.email)
  expect(await status()).toBe(200)
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
})
