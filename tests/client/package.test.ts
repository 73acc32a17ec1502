/** Tests the package as published: packs it, installs it offline in an empty project, then compiles and runs code that uses it. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../client/src/settings.ts'
import { packTypeScript } from '../../scripts/client-packages.ts'
import { clientSources } from '../../scripts/client-sources.ts'
import { getBlocks } from '../docs/support/docs-text.ts'
import { busyTestKey } from '../published/support/test-key.ts'
import { verifies } from '../requirements/verifies.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { consumer } from './support/consumer.ts'

const fixture = new Fixture('lean')
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'svc-client-'))
const project = join(folder, 'project')
const readme = readFileSync(join(root, 'client/README.md'), 'utf8')

/** Runs a program and returns its output. @throws Error with its error output */
async function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const child = promisify(execFile)(command, args, { cwd, env: { ...process.env, no_proxy: '*', ...env }, timeout: 60_000 })
  return child.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => Promise.reject(new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`)),
  )
}

const tsc = (...args: string[]) => run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], project)
const npm = (cwd: string, ...args: string[]) => run('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'], cwd)

const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022']
const browser = ['--skipLibCheck', '--lib', 'es2022,dom,dom.iterable']
const node = ['--skipLibCheck', 'false', '--lib', 'es2022', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]

/** TypeScript blocks of the README, which together form one program. */
const blocks = getBlocks(new Map([['client/README.md', readme]])).filter(({ language }) => language === 'ts')

beforeAll(async () => {
  await fixture.open()
  mkdirSync(project)
  const tarball = await packTypeScript({ url: fixture.service.origin, repository: 'https://git.example.test/savings-rates', licence: 'MIT' }, folder)
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "type": "module" }')
  await npm(project, 'install', tarball)
  const page = blocks.map(({ code }) => code).join('\n')
  writeFileSync(join(project, 'page.ts'), page.replaceAll('http://localhost:3000', fixture.service.origin))
  writeFileSync(join(project, 'use.ts'), consumer)
  await tsc('use.ts', 'page.ts', '--module', 'node16', '--moduleResolution', 'node16', ...options, ...node)
}, 120_000)

afterAll(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the committed generated files are up to date', async () => {
  for (const { name, text } of await clientSources()) {
    const committed = readFileSync(join(root, 'client/src/generated', name), 'utf8')
    expect(committed === text, `client/src/generated/${name} is out of date: run npm run client:generate`).toBe(true)
  }
})

verifies('clients/typescript-package', () => {
  const installed = join(project, 'node_modules/savings-rates-client')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect([manifest.version, manifest.dependencies, manifest.peerDependencies]).toEqual([version, undefined, undefined])
  const readSource = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  // In the repository, the licence is that of the service; the publisher chooses one for the package.
  expect([manifest.license, readSource('client/package.json').license]).toEqual(['MIT', readSource('package.json').license])
  expect(manifest).toMatchObject({
    type: 'module',
    sideEffects: false,
    publishConfig: { access: 'public', provenance: true },
    repository: { type: 'git', url: 'git+https://git.example.test/savings-rates.git', directory: 'client' },
    homepage: `${fixture.service.origin}/docs/clients`,
    bugs: 'https://git.example.test/savings-rates/issues',
  })
  expect(manifest.scripts).toBeUndefined()
  for (const path of [manifest.main, manifest.types, ...Object.values(manifest.exports['.'])])
    expect([path, existsSync(join(installed, path))]).toEqual([path, true])
  expect(readdirSync(installed).toSorted()).toEqual(['README.md', 'dist', 'package.json'])
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['savings-rates-client'])
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
  expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name))).toEqual([])
  // The library must not use Node-only APIs. The command line runs on Node.
  const code = files.filter((name) => name.endsWith('.js') && !name.startsWith('cli/')).map((name) => readFileSync(join(installed, 'dist', name), 'utf8'))
  expect(code.join('\n')).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/)
})

test('consumer code compiles in strict mode with both module resolutions, and runs', async () => {
  await tsc('use.ts', '--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit', ...options, ...browser)
  const { key } = await busyTestKey(fixture)
  const { use } = (await import(join(project, 'use.js'))) as { use: (key: string, baseUrl: string) => Promise<object> }
  const result = { next: 'string', same: true, none: null, code: 'invalid_request', rows: 3, fault: 'missing_signature', unused: 6 }
  expect(await use(key, fixture.service.api)).toEqual(result)
}, 120_000)

test('the code in the README runs', async () => {
  expect(blocks.length).toBeGreaterThan(4)
  const { key } = await busyTestKey(fixture)
  const written = await run(process.execPath, ['page.js'], project, { SVC_API_KEY: key, SVC_WEBHOOK_SECRET: 'whsec_of_the_tests' })
  expect(written).toMatch(/^\d\.\d\d .+ Saver/m)
  expect(written).toContain('stopped: ')
}, 60_000)
