import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { cloneDatabase } from '../support/database.ts'
import { environment, svc } from './support/svc.ts'

const root = join(import.meta.dirname, '../..')
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-schedule-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the documented cron line creates and verifies a backup, even if the settings file is not a valid shell script', {
  timeout: 60_000,
}, async () => {
  const line = /^15 2 \* \* \* (cd .*)$/m.exec(await readFile(join(root, 'docs/backup.md'), 'utf8'))?.[1] ?? expect.unreachable()
  const [settings, copies] = [join(folder, 'settings.env'), join(folder, 'copies')]
  const database = await cloneDatabase()
  try {
    await mkdir(copies)
    await writeFile(settings, `# Settings.\nSMTP_URL=smtp://127.0.0.1:2525\nMAIL_FROM=Savings Rates <rates@example.com>\nDATABASE_URL=${database.url}\n`)
    const script = line
      .replaceAll('\\%', '%')
      .replaceAll('/opt/savings-rates-data-api', root)
      .replaceAll('/etc/savings-rates-data-api/settings.env', settings)
      .replaceAll('/var/backups/svc', copies)
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', script], {
      env: { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production' },
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('Backup verified.')
  } finally {
    await database.drop()
  }
  const [name = ''] = await readdir(copies)
  expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz$/)
  expect((await verifyBackup(join(copies, name))).sums['account']).toBeDefined()
})

test('fails with a one-line error if there is no database, and does not create one', async () => {
  const dataDir = join(folder, 'release', '.data')
  const refused = await svc(environment({ dataDir }), ['backup', 'create', '--out', join(folder, 'none.tar.gz')])
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: `There is no database in ${dataDir}, and DATABASE_URL is not set. Set DATABASE_URL or DATA_DIR to the value that the service uses.\n`,
  })
  expect(existsSync(dataDir)).toBe(false)
})
