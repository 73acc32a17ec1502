/**
 * node scripts/check-runtimes.ts --url URL --key KEY: packs the TypeScript client and runs the same program with it on Node, Deno and Bun, against a running
 * service. Not part of `npm test`, because it downloads 200 MB. docs/client-compatibility.md has the versions of the last run.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { packTypeScript } from './client-packages.ts'

const deno = 'deno@2.9.6'
const bun = 'bun@1.4.5'

const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://localhost:3000' }, key: { type: 'string' } } })
if (!values.key) throw new Error('Pass a test key: --key svc_test_…')

const program = `
import { SavingsRates, SavingsRatesError, verifyWebhook } from 'savings-rates-client'
const client = new SavingsRates({ apiKey: ${JSON.stringify(values.key)} })
const first = await client.referenceProviders()
const again = await client.referenceProviders({}, { ifNoneMatch: first.etag })
const rows = []
for await (const { rate } of client.iterate('ratesList', { limit: 4, fields: ['rate'] }, { maxRows: 6 })) rows.push(rate)
const code = await client.ratesGet({ sourceKey: 'none' }).catch((error) => error instanceof SavingsRatesError && error.code)
const reason = await verifyWebhook({ body: '{}', headers: new Headers(), secret: 'whsec_x' }).catch((error) => error.reason)
const aborted = await client.servicePing({}, { signal: AbortSignal.abort('aborted') }).catch((reason) => reason)
console.log(JSON.stringify([again.status, rows.length, code, reason, aborted]))
`
const expected = JSON.stringify([304, 6, 'not_found', 'missing_signature', 'aborted'])

const folder = await mkdtemp(join(tmpdir(), 'svc-runtimes-'))
const env = { ...process.env, no_proxy: 'localhost,127.0.0.1', NO_COLOR: '1' }
const run = (command: string, ...args: readonly string[]) => promisify(execFile)(command, args, { cwd: folder, env, timeout: 300_000 })

const runtimes: readonly [string, ...string[]][] = [
  [process.execPath, 'check.js'],
  ['npx', '--yes', deno, 'run', '--allow-net', 'check.js'],
  ['npx', '--yes', bun, 'run', 'check.js'],
]

try {
  const tarball = await packTypeScript({ url: values.url, repository: 'https://example.com/repository', licence: 'UNLICENSED' }, folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', tarball)
  await writeFile(join(folder, 'check.js'), program)
  for (const [command, ...args] of runtimes) {
    const name = args.find((arg) => arg.includes('@')) ?? `node@${process.versions.node}`
    const { stdout } = await run(command, ...args)
    const isSame = stdout.trim() === expected
    console.log(`${name}: ${isSame ? 'passed' : `failed, printed ${stdout}`}`)
    if (!isSame) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
