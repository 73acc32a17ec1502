import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { svcProgram } from '../support/programs.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { runCli } from './support/run-cli.ts'

const fixture = new Fixture('lean')

beforeAll(() => fixture.open())
afterAll(() => fixture.close())

test.each(['openapi', 'postman', 'postman-environment'])(
  'svc %s prints the document exactly as it is served, with and without --json',
  { timeout: 60_000 },
  async (name) => {
    const { text } = await fixture.raw('GET', `/api/developer/${name}.json`)
    expect(await Promise.all([runCli(fixture.databaseUrl, name), runCli(fixture.databaseUrl, '--json', name)])).toEqual([text, text])
  },
)

test('svc request show prints the error of a failed call and the charge of a successful one', { timeout: 60_000 }, async () => {
  const { account, key, keyId } = await fixture.live({ credits: 3 })
  const paid = await fixture.get('/rates?limit=2', key)
  const refused = await fixture.get('/rates?limit=3&sort=nonsense', key)
  const getId = (answer: typeof paid) => answer.headers.get('x-svc-request-id') ?? ''
  const show = async (answer: typeof paid) => JSON.parse(await runCli(fixture.databaseUrl, '--json', 'request', 'show', '--id', getId(answer)))
  // The parameters and message of a request are written separately, half a second later.
  await expect.poll(() => fixture.sql('SELECT FROM request_detail WHERE account_id = $1', [account.id]), { timeout: 10_000 }).toHaveLength(2)
  const whose = { account: account.publicId, email: account.email, key: { id: keyId, mode: 'live' } }
  expect(await show(paid)).toMatchObject({ ...whose, id: getId(paid), status: 200, error: null, charge: { credits: 2, freeBy: null }, balanceAfter: 1 })
  const { error, message } = refused.body
  expect(await show(refused)).toMatchObject({
    ...whose,
    status: 400,
    error,
    message,
    target: '/rates?limit=3&sort=nonsense',
    charge: { credits: 0, freeBy: 'error' },
  })
  const lines = await runCli(fixture.databaseUrl, 'request', 'show', '--id', getId(refused))
  expect(lines).toContain(`Response: 400 ${error}: ${message}`)
  expect(lines).not.toContain(key)
  await expect(runCli(fixture.databaseUrl, 'request', 'show', '--id', `req_${'0'.repeat(32)}`)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Request not found. Pass the full id'),
  })
})

test('svc account limits without options prints an error', { timeout: 60_000 }, async () => {
  const { account } = await fixture.live()
  const failed = { code: 1, stderr: 'Nothing to change. Pass --per-minute, --per-day or --spend-cap.\n' }
  await expect(runCli(fixture.databaseUrl, 'account', 'limits', '--account', account.email)).rejects.toMatchObject(failed)
})

test('prints on the first run that it created an empty database, and prints no message on the second', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: '' }
  const verify = () => promisify(execFile)(process.execPath, [svcProgram, '--json', 'ledger', 'verify'], { env, timeout: 30_000 })
  const first = await verify()
  expect(first.stderr).toContain(`Created an empty database in ${folder}, because there was none.`)
  expect(JSON.parse(first.stdout)).toMatchObject({ differences: [] })
  expect((await verify()).stderr).toBe('')
})
