import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { Manifest } from '#server/backup/backup-format.ts'
import { writtenAs } from '#server/backup/backup-snapshot.sql.ts'
import { createBackup } from '#server/backup/create-backup.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { halfRestore } from '#server/db/migrations.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import manifest from '../../package.json' with { type: 'json' }
import { call } from '../support/accounts.ts'
import { svcProgram } from '../support/programs.ts'
import { authSecret, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { BackupFixture, withPool } from './support/backup-fixture.ts'
import { environment, recreateDatabase, rewrite, svc } from './support/svc.ts'

const backup = new BackupFixture()
const { path } = backup

beforeAll(() => backup.open(), 120_000)
afterAll(() => backup.close())

test('writes a single owner-only file in a standard format, without sessions or the service secret', async () => {
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

test('replaces every transaction id with a value that is valid on another server', async () => {
  const rows = await backup.fixture.sql<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'
       AND (column_name ~ '(^|_)tx$' OR column_name ~ 'xid' OR column_default ~ 'xact|snapshot|lsn' OR data_type IN ('xid', 'xid8', 'pg_lsn'))
       AND table_name !~ '^request_log_' ORDER BY 1`,
  )
  const known = Object.keys(writtenAs({ usage: 0n, alerts: 0n })).filter((name) => name.endsWith('tx'))
  expect(rows.map(({ name }) => name)).toEqual(known.toSorted())
})

test('restores ledger, keys, history and pending roll-ups into a new database', {
  timeout: 60_000,
}, async () => {
  const url = await backup.newTarget()
  const restored = await svc(environment({ url }), ['backup', 'restore', path('first.tar.gz'), '--yes'])
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(restored.out).toContain('Restored. All rows are present, and the ledger matches the backup.')
  expect(restored.out).toContain('NEXTAUTH_SECRET')
  const again = await createBackup(url, path('again.tar.gz'))
  expect(again.sums).toEqual(backup.first.sums)
  expect(again.sequences).toEqual(backup.first.sequences)
  expect(again.ledger).toEqual(backup.first.ledger)
  await withPool(url, async (pool) => {
    expect((await verifyLedger(pool)).differences).toEqual([])
    // Every call is counted once, whether or not it was rolled up before the backup.
    await pool.query('SELECT roll_up_usage()')
    const { rows } = await pool.query(
      'SELECT ((SELECT sum(requests) FROM usage_day) - (SELECT coalesce(sum(requests), 0) FROM refused_calls))::int AS added, (SELECT count(*) FROM request_log)::int AS logged',
    )
    expect(rows[0]).toEqual({ added: backup.first.sums['request_log']?.rows, logged: backup.first.sums['request_log']?.rows })
    // The constraints that were dropped for the restore have been recreated.
    await expect(pool.query('DELETE FROM ledger_entry')).rejects.toThrow('append-only')
    await expect(pool.query('TRUNCATE request_log')).rejects.toThrow('append-only')
    await expect(pool.query('INSERT INTO wallet (account_id, day_limit, minute_limit) VALUES (-1, 1, 1)')).rejects.toThrow('foreign key')
    const partitions = (database: Database) => database.query(`SELECT tableoid::regclass::text AS part, count(*)::int FROM request_log GROUP BY 1 ORDER BY 1`)
    expect((await partitions(pool)).rows.every(({ part }) => part !== 'request_log_rest')).toBe(true)
  })
  await serveFrom(url)
})

/** Asserts that a service on the restored database responds like the original. */
async function serveFrom(url: string): Promise<void> {
  const service: ServiceProcess = await startProcess({ databaseUrl: url, mount: 'lean', dataDir: path('data') })
  try {
    const bought = await call(service.api, '/rates?limit=3', backup.buyer.key)
    expect(bought).toMatchObject({ status: 200, body: { meta: { creditsCharged: 3 } } })
    expect((await call(service.api, '/rates?limit=1', backup.revoked.key)).body.error).toBe('key_revoked')
    expect((await call(service.api, '/rates?limit=1', backup.blocked.key)).body.error).toBe('account_blocked')
    for (const target of ['/history?limit=50', '/history/components?limit=50', '/rates/backup-saver']) {
      const [here, there] = [await call(service.api, target, backup.buyer.key), await backup.fixture.get(target, backup.buyer.key)]
      expect(here.status, target).toBe(200)
      expect(here.body.data, target).toEqual(there.body.data)
    }
    const verified = await svc(environment({ url }), ['ledger', 'verify'])
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('every balance equals the sum of its entries') })
  } finally {
    await service.stop()
  }
}

test('backs up and restores an embedded database, and migrates a backup from an older release', { timeout: 120_000 }, async () => {
  const env = environment({ dataDir: path('embedded') })
  try {
    expect(await svc(env, ['backup', 'restore', path('first.tar.gz'), '--yes'])).toMatchObject({ code: 0, err: '' })
    expect(await svc(env, ['backup', 'create', '--out', path('embedded.tar.gz')])).toMatchObject({ code: 0, err: '' })
  } finally {
    await rm(path('embedded'), { recursive: true, force: true })
  }
  expect((await verifyBackup(path('embedded.tar.gz'))).sums).toEqual(backup.first.sums)
  // Makes the backup look as if it had been written before the migrations that change only functions.
  const names = `functions usage_hour_functions webhook_notice_to_owner owner_email_changed product_moved moved_rows_by_statement market_alert_queue
    cluster_functions distribute_online webhook_capacity_by_mode cluster_statements unacknowledged_events owed_events_count imports_beside_charges
    owed_events_of_endpoint`
  const functionMigrations = names.split(/\s+/).map((name) => new RegExp(`\\d_${name}$`))
  const older = ({ name, body }: { name: string; body: Buffer }) => {
    if (!name.endsWith('.json')) return { name, body }
    const facts = JSON.parse(body.toString()) as Manifest
    facts.migrations = facts.migrations.filter(({ name: migration }) => !functionMigrations.some((one) => one.test(migration)))
    return { name, body: Buffer.from(`${JSON.stringify(facts, null, 1)}\n`) }
  }
  await rewrite(path('embedded.tar.gz'), path('older.tar.gz'), older)
  const url = await backup.newTarget()
  const { migratedOn } = await restoreBackup({ url, file: path('older.tar.gz'), isMeant: true })
  expect(migratedOn).toEqual(functionMigrations.map((name) => expect.stringMatching(name)))
  expect((await createBackup(url, path('back.tar.gz'))).sums).toEqual(backup.first.sums)
})

test('after a killed restore, blocks every command except another restore, which starts over', { timeout: 60_000 }, async () => {
  const url = await backup.newTarget()
  const env = environment({ url })
  await withPool(url, async (pool) => {
    const child = spawn(process.execPath, [svcProgram, 'backup', 'restore', path('first.tar.gz'), '--yes'], { env, stdio: 'ignore' })
    const exit = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    await vi.waitFor(async () => expect((await halfRestore(pool))?.file).toBe('first.tar.gz'), { timeout: 20_000, interval: 2 })
    child.kill('SIGKILL')
    expect(await exit).toBe('SIGKILL')
    const refusal = /^This database is an incomplete restore: restoring first\.tar\.gz started at .* and did not finish\. Run "svc backup restore" again/
    expect((await svc(env, ['ledger', 'verify'])).err).toMatch(refusal)
    await expect(startProcess({ databaseUrl: url, mount: 'lean', dataDir: path('data') })).rejects.toThrow('incomplete restore')
    await expect(createBackup(url, path('half.tar.gz'))).rejects.toThrow(refusal)
    // PostgreSQL takes a moment to end the killed process's session.
    const looked = await vi.waitFor(() => restoreBackup({ url, file: path('first.tar.gz'), isMeant: false }), { timeout: 20_000 })
    expect(looked).toMatchObject({ isDone: false, halfOf: 'first.tar.gz' })
    await restoreBackup({ url, file: path('first.tar.gz'), isMeant: true })
    expect(await halfRestore(pool)).toBeNull()
  })
  expect((await createBackup(url, path('after-kill.tar.gz'))).sums).toEqual(backup.first.sums)
})

test('rejects truncated, corrupted and modified files before touching the database', async () => {
  const url = await backup.newTarget()
  const whole = await readFile(path('first.tar.gz'))
  const flipped = Buffer.from(whole)
  flipped[Math.floor(whole.length / 2)] = (flipped[Math.floor(whole.length / 2)] ?? 0) ^ 1
  await writeFile(path('cut.tar.gz'), whole.subarray(0, whole.length - 1_000))
  await writeFile(path('flipped.tar.gz'), flipped)
  await writeFile(path('none.tar.gz'), 'not a backup')
  await rewrite(path('first.tar.gz'), path('richer.tar.gz'), ({ name, body }) => ({
    name,
    body: name.startsWith('tables/wallet/') ? Buffer.from(body).fill('9', 2, 3) : body,
  }))
  await rewrite(path('first.tar.gz'), path('endless.tar.gz'), (entry) => (entry.name === 'manifest.json' ? null : entry))
  await rewrite(path('first.tar.gz'), path('without.tar.gz'), (entry) => (entry.name.startsWith('tables/ledger_entry/') ? null : entry))
  for (const name of ['cut', 'flipped', 'none', 'richer', 'endless', 'without']) {
    const damaged = new RegExp(`${name}\\.tar\\.gz is damaged or is not a backup of this service: .*\\. Use another file\\.$`)
    await expect(verifyBackup(path(`${name}.tar.gz`)), name).rejects.toThrow(damaged)
    await expect(restoreBackup({ url, file: path(`${name}.tar.gz`), isMeant: true }), name).rejects.toThrow(damaged)
  }
  await expect(verifyBackup(path('nowhere.tar.gz'))).rejects.toThrow(/^Cannot read .*nowhere\.tar\.gz: ENOENT/)
  await withPool(url, async (pool) => expect((await pool.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rowCount).toBe(0))
})

test('rejects a backup of a newer release and a database that is not empty', async () => {
  const url = await backup.newTarget()
  const ahead = ({ name, body }: { name: string; body: Buffer }) => {
    if (!name.endsWith('.json')) return { name, body }
    const facts = JSON.parse(body.toString()) as Manifest
    facts.migrations.push({ name: '29990101000000_from_the_future', checksum: 'a'.repeat(64) })
    return { name, body: Buffer.from(`${JSON.stringify(facts, null, 1)}\n`) }
  }
  await rewrite(path('first.tar.gz'), path('newer.tar.gz'), ahead)
  await expect(restoreBackup({ url, file: path('newer.tar.gz'), isMeant: true })).rejects.toThrow(
    `The backup was made by a newer release (${manifest.version}): this release doesn't have its migration 29990101000000_from_the_future. Restore it with that release.`,
  )
  await withPool(url, (pool) => pool.query('CREATE TABLE notes (id int)'))
  const refused = await svc(environment({ url }), ['backup', 'restore', path('first.tar.gz'), '--yes'])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toBe('The database is not empty (notes). Restore only into a new database or data folder. Nothing was changed.\n')
  const own = await svc(environment({ url: backup.fixture.databaseUrl }), ['backup', 'restore', path('first.tar.gz'), '--yes'])
  expect(own.err).toMatch(/^The database is not empty \(.+ …\)\. /)
  await expect(createBackup(await backup.newTarget(), path('empty.tar.gz'))).rejects.toThrow('Nothing to back up: the service has no tables in this database.')
})

test('leaves no file behind if the disk is full, and does not overwrite existing files', async () => {
  const env = environment({ url: backup.fixture.databaseUrl })
  const full = await svc(env, ['backup', 'create', '--out', path('full.tar.gz')], 'ulimit -f 64;')
  expect(full).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Cannot write .*full\.tar\.gz: EFBIG: .*\. No file was created\.\n$/),
  })
  expect((await readdir(backup.folder)).filter((name) => name.startsWith('full'))).toEqual([])
  const before = await readFile(path('first.tar.gz'))
  const taken = await svc(env, ['backup', 'create', '--out', path('first.tar.gz')])
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('already exists') })
  expect((await readFile(path('first.tar.gz'))).equals(before)).toBe(true)
  // The partial file of a killed backup is replaced.
  await writeFile(path('late.tar.gz.part'), 'half')
  await createBackup(backup.fixture.databaseUrl, path('late.tar.gz'))
  expect(existsSync(path('late.tar.gz.part'))).toBe(false)
})

const sums = `SELECT (SELECT sum(balance) FROM wallet)::int AS balance, (SELECT sum(credits) FROM usage_day)::int AS charged,
  (SELECT sum(requests) FROM usage_day)::int AS used, (SELECT count(*) FROM request_log)::int AS logged`

test('after a restore without the request log, the totals are complete and running gateways use no stale caches', {
  timeout: 60_000,
}, async () => {
  const { fixture, buyer } = backup
  const status = async () => (await fixture.get('/rates?limit=1', buyer.key)).status
  const lean = await createBackup(fixture.databaseUrl, path('lean.tar.gz'), { withLog: false })
  expect(lean.sums).toMatchObject({ request_log: { rows: 0 }, request_detail: { rows: 0 } })
  await fixture.sql('SELECT roll_up_usage()')
  const [before] = await fixture.sql(sums)
  await blockAccount(fixture.pool, buyer.account.email, 'After the backup.')
  expect(await status()).toBe(403)
  // Dropping the database terminates the pool's connections, which emits errors.
  fixture.pool.on('error', () => undefined)
  await recreateDatabase(fixture.databaseUrl)
  await restoreBackup({ url: fixture.databaseUrl, file: path('lean.tar.gz'), isMeant: true })
  await vi.waitFor(async () => expect(await fixture.sql('SELECT roll_up_usage()')).toHaveLength(1), { timeout: 20_000, interval: 50 })
  expect(await fixture.sql(sums)).toEqual([{ ...before, logged: 0 }])
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 20_000, interval: 50 })
  // Account versions continue from those in the backup, so later changes reuse version numbers that the gateway has already seen.
  await blockAccount(fixture.pool, buyer.account.email, 'After the restore.')
  expect((await fixture.get('/rates?limit=1', buyer.key)).body).toMatchObject({
    error: 'account_blocked',
    message: expect.stringContaining('After the restore.'),
  })
  await unblockAccount(fixture.pool, buyer.account.email)
  expect(await status()).toBe(200)
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
})
