/** Tests the command line of the TypeScript client as users run it: installed from the package, as a separate process. */
import { type ExecFileException, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../client/src/generated/endpoints.ts'
import { version } from '../../client/src/settings.ts'
import { packTypeScript } from '../../scripts/client-packages.ts'
import { getBlocks } from '../docs/support/docs-text.ts'
import { Documented } from '../published/support/documented.ts'
import { getOperations, getResponse } from '../published/support/open-api.ts'
import { busyTestKey } from '../published/support/test-key.ts'
import { verifies } from '../requirements/verifies.ts'
import { ClientFixture } from './support/client-fixture.ts'

const fixture = new ClientFixture()
const folder = mkdtempSync(join(tmpdir(), 'svc-command-'))
const program = join(folder, 'node_modules/.bin/savings-rates')
let testKey: string

beforeAll(async () => {
  await fixture.open()
  const tarball = await packTypeScript({ url: fixture.service.origin, repository: 'https://git.example.test/savings-rates', licence: 'MIT' }, folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  await promisify(execFile)('npm', ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  testKey = (await busyTestKey(fixture)).key
}, 60_000)

afterAll(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true, force: true })
})

type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string }

const getEnv = (env: Readonly<Record<string, string>>) => ({ ...process.env, HOME: folder, XDG_CONFIG_HOME: '', SVC_API_KEY: '', no_proxy: '*', ...env })

/** Runs a command to its end. */
async function ask(args: readonly string[], env: Readonly<Record<string, string>> = { SVC_API_KEY: testKey }): Promise<Ended> {
  const child = promisify(execFile)(program, args, { env: getEnv(env), timeout: 30_000 })
  return child.then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }: ExecFileException & { stdout: string; stderr: string }) => ({ status: Number(code), stdout, stderr }),
  )
}

verifies(
  'clients/command-line',
  'savings-rates prints each format, and reports the credits spent',
  async () => {
    const rates = ['rates', '--type', 'easy-access', '--min-rate', '3', '--fields', 'provider,rate', '--limit', '2', '--format']
    const [table, csv, json, ndjson] = await Promise.all(['table', 'csv', 'json', 'ndjson'].map((format) => ask([...rates, format])))
    expect(table?.stdout).toMatch(/^provider +rate\n(?:\S.* +\d\.\d\d\n){2}$/)
    expect(csv?.stdout).toMatch(/^provider,rate\r\n(?:[^,]+,\d\.\d\d\r\n){2}$/)
    const rows = JSON.parse(json?.stdout ?? '') as object[]
    expect(rows.map((row) => Object.keys(row))).toEqual([
      ['provider', 'rate'],
      ['provider', 'rate'],
    ])
    expect(ndjson?.stdout).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    for (const one of [table, csv, json, ndjson]) expect(one).toMatchObject({ status: 0, stderr: '2 rows, 0 credits\n' })
    expect((await ask(['me'])).stdout).toMatch(/^key\.mode +test$/m)
    expect(JSON.parse((await ask(['/v1/reference/providers', '--format', 'json'])).stdout)[0]).toHaveProperty('slug')
    expect(JSON.parse((await ask(['rates', '--all', '--format', 'json', '--fields', 'sourceKey'])).stdout).length).toBeGreaterThan(10)
    const live = await fixture.live({ credits: 5 })
    const cut = await ask(['rates', '--all', '--max-credits', '3', '--fields', 'rate'], { SVC_API_KEY: live.key })
    expect(cut).toMatchObject({ status: 1, stderr: '3 rows, 3 credits\nStopped at --max-credits.\n' })
    expect(await fixture.balance(live.account)).toBe(2)
  },
  60_000,
)

test.each<[string[], number, string]>([
  [['rates', 'none'], 1, 'not_found, req_'],
  [['rates', '--type', 'none'], 1, 'Valid values: all, easy-access'],
  [['rates', '--tpye', 'notice'], 2, 'There is no option --tpye. Did you mean "--type"?'],
  [['rats'], 2, 'There is no command "rats". Did you mean "rates"?'],
  [['reference'], 2, '"reference" is incomplete: use "reference providers" or'],
  [['simulate'], 2, 'is required.'],
  [['rates', '--limit', 'x'], 2, '--limit must be a whole number.'],
  [['rates', '--limit'], 2, "Option '--limit <value>' argument missing"],
  [['rates', '--format', 'xml'], 2, '--format must be table, json, csv or ndjson.'],
  [[], 2, 'Run savings-rates --help to list the commands.'],
  [['rates', '..'], 2, `<sourceKey> can't be "..".`],
  [['/v1/rates/./link'], 2, `<sourceKey> can't be ".".`],
  [['rates', '--idempotency-key', 'ä'], 2, '--idempotency-key must have 1 to 255 printable ASCII characters.'],
  [['rates', '--url', 'http://127.0.0.1:9/v1'], 3, 'network_error'],
])('savings-rates %j exits with status %i', async (args, status, message) => {
  const ended = await ask(args)
  expect(ended).toMatchObject({ status, stdout: '' })
  expect(ended.stderr).toContain(message)
  // Without a response, the call may have been charged.
  const repeats = status === 3 ? 'To continue within ten minutes .+ --idempotency-key=[\\w-]+\\n' : ''
  expect(ended.stderr).toMatch(new RegExp(`^[^\\n]+\\n${repeats}$`))
})

test('each command has a help text from the OpenAPI document', async () => {
  const { document } = await Documented.by(fixture)
  const readable = getOperations(document).filter(
    ({ method, operation }) =>
      method === 'GET' && operation['x-svc-availability'] !== 'coming-soon' && getResponse(document, operation, 200)?.content?.['application/json'],
  )
  expect(endpoints.map(({ path }) => path)).toEqual(readable.map(({ path }) => path))
  const all = await ask(['--help'], {})
  expect(all).toMatchObject({ status: 0, stderr: '' })
  for (const { summary } of endpoints) expect(all.stdout.replace(/\s+/g, ' ')).toContain(summary)
  const one = await ask(['rates', '--help'], {})
  for (const text of ['List savings products, best rate first.', '--min-rate <value>', '--payable <now>', '--all', 'Costs 1 credit per row'])
    expect(one.stdout).toContain(text)
  expect((await ask(['--version'], {})).stdout).toBe(`${version}\n`)
})

verifies('clients/command-line-key', async () => {
  const file = join(folder, '.config/savings-rates/key')
  const missing = await ask(['ping'], {})
  expect(missing).toEqual({ status: 2, stdout: '', stderr: `No API key found. Set SVC_API_KEY to your key, or write your key to ${file}.\n` })
  mkdirSync(join(folder, '.config/savings-rates'), { recursive: true })
  writeFileSync(file, `${testKey}\n`, { mode: 0o600 })
  expect(await ask(['ping', '--format', 'json'], {})).toMatchObject({ status: 0, stdout: expect.stringContaining('"test"') })
  chmodSync(file, 0o640)
  const shared = await ask(['ping'], { SVC_API_KEY_FILE: file })
  expect(shared).toEqual({ status: 2, stdout: '', stderr: `Other users have access to ${file}: run chmod 600 on it.\n` })
  for (const args of [['ping', `--api-key=${testKey}`], [`--key=${testKey}`]]) expect((await ask(args)).stderr).not.toContain(testKey)
})

test('the commands in the guide and in the README run', async () => {
  const pages = ['content/guides/clients.md', 'client/README.md'].map((path) => [path, readFileSync(path, 'utf8')] as const)
  const commands = getBlocks(new Map(pages)).flatMap(({ code }) => code.match(/^npx -p savings-rates-client savings-rates .*$/gm) ?? [])
  expect(commands.length).toBeGreaterThan(5)
  for (const command of commands) {
    // The programs and files that receive the output don't matter here.
    const [, args = ''] = /^npx -p savings-rates-client savings-rates ([^|>]*)/.exec(command) ?? []
    expect([command, await ask(args.trim().split(' '))]).toMatchObject([command, { status: 0 }])
  }
})

test("the command exits without an error if the pipe's reader exits early, and reports the credits spent", async () => {
  const child = spawn(program, ['rates', '--all', '--format', 'ndjson'], { env: getEnv({ SVC_API_KEY: testKey }), timeout: 30_000 })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  child.stdout.destroy()
  const status = await new Promise((resolve) => child.on('close', resolve))
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^\d+ rows?, 0 credits\n$/) })
})

test('the command exits without a stack trace if nothing reads its messages', async () => {
  const child = spawn(program, ['rates', '--limit', '1'], { env: getEnv({ SVC_API_KEY: testKey }), timeout: 30_000 })
  child.stderr.destroy()
  let stdout = ''
  child.stdout.on('data', (text) => {
    stdout += text
  })
  const status = await new Promise((resolve) => child.on('close', resolve))
  expect({ status, lines: stdout.split('\n').length }).toEqual({ status: 0, lines: 3 })
})
