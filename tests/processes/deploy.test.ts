/** Tests that the files, folders and settings named in deploy/ exist. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import { runTool, withTools } from '../support/public-tools.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const settingNames = new Set([...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name))
const start = 'node --import ./scripts/keep-compiled.mjs built/main.js'

test.each(['svc.service', 'svc-gateway@.service'])('%s starts the built program and uses only known settings', (name) => {
  const unit = read(name)
  const folder = /^WorkingDirectory=(.+)$/m.exec(unit)?.[1]
  expect(unit).toContain(`ExecStart=${folder}/node_modules/.bin/${start}\n`)
  const given = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.replaceAll('%i', '3001').split(' '))
  const settings = Object.fromEntries(given.map((pair) => pair.split('=') as [string, string]))
  const { NODE_COMPILE_CACHE: kept, ...ours } = settings
  expect(kept).toMatch(/^\/var\/cache\//)
  for (const setting of Object.keys(ours)) expect(settingNames, setting).toContain(setting)
  const env = readEnv({ ...ours, NODE_ENV: 'production' })
  // systemd must not kill the service before it has finished its calls.
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(env.drainSeconds + 15 + 3)
})

test('systemd accepts the units and retries failed starts without a limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-units-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // `systemd-analyze verify` checks that the program exists, so the installation folder in the unit is replaced by the repository root.
  for (const [name, file] of [
    ['svc.service', 'svc.service'],
    ['svc-gateway@.service', 'svc-gateway@3001.service'],
  ] as const) {
    const unit = read(name)
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
    expect(Number(/^RestartSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(2)
    writeFileSync(join(folder, file), unit.replaceAll('/opt/savings-rates-data-api', root))
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, file)], { encoding: 'utf8', timeout: 15_000 })
    expect({ status, stderr, error }).toEqual({ status: 0, stderr: '', error: undefined })
  }
})

test('every compose service has a log and memory limit, and keeps data on volumes', () => {
  const compose = parseYaml(read('compose.yaml')) as { services: Record<string, Record<string, unknown>>; volumes: Record<string, unknown> }
  expect(Object.keys(compose.services)).toEqual(['database', 'app', 'backup'])
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service, name).toMatchObject({
      logging: { options: { 'max-size': '20m', 'max-file': '5' } },
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      cpus: expect.any(Number),
      pids_limit: expect.any(Number),
      restart: 'unless-stopped',
    })
    if (name !== 'database') expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], env_file: 'settings.env' })
  }
  expect(Object.keys(compose.volumes)).toEqual(['database', 'backups'])
  expect(compose.services['backup']).toMatchObject({ volumes: ['backups:/app/backups'] })
})

/** Disabled dclint rules: about order and style, and about tags, because the image is built locally and `pull_policy` and `up --build` keep it current. */
const styleRules = [
  'no-build-and-image',
  'require-quotes-in-ports',
  'service-image-require-explicit-tag',
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
]

/** Checks a compose file with dclint, which includes the schema of the Compose Specification. @throws Error with its findings */
async function lintCompose(text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'compose.yaml'), text)
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules: Object.fromEntries(styleRules.map((name) => [name, 0])) }))
  await runTool('dclint/bin/dclint.cjs', ['--config', 'rules.json', '--max-warnings', '0', 'compose.yaml'], folder)
}

test(
  'compose.yaml follows the Compose Specification',
  withTools(async () => {
    const compose = read('compose.yaml')
    await lintCompose(compose)
    await expect(lintCompose(compose.replace('    mem_limit:', '    memory_limit:'))).rejects.toThrow('must NOT have additional properties')
  }),
  60_000,
)

test('patroni.yaml waits for a standby, and its timeouts are consistent', () => {
  const { bootstrap } = parseYaml(read('patroni.yaml')) as { bootstrap: { dcs: { ttl: number; loop_wait: number; retry_timeout: number } } }
  expect(bootstrap.dcs).toMatchObject({ synchronous_mode: true, primary_start_timeout: 0, postgresql: { use_pg_rewind: true } })
  expect(bootstrap.dcs.ttl).toBeGreaterThanOrEqual(bootstrap.dcs.loop_wait + 2 * bootstrap.dcs.retry_timeout)
})

test('patroni.yaml archives the WAL with the stanza of pgbackrest.conf', () => {
  const { bootstrap, postgresql } = parseYaml(read('patroni.yaml')) as {
    bootstrap: { dcs: { postgresql: { parameters: Record<string, string | number> } } }
    postgresql: { data_dir: string; recovery_conf: { restore_command: string } }
  }
  const [pgbackrest, { parameters }] = [read('pgbackrest.conf'), bootstrap.dcs.postgresql]
  const [, command, timeout] = /archive_mode = on, archive_command = '(.+)', archive_timeout = (\d+)/.exec(pgbackrest) ?? []
  expect(parameters).toMatchObject({ archive_mode: 'on', archive_command: command, archive_timeout: Number(timeout) })
  expect(pgbackrest).toMatch(/^\[svc\]$/m)
  for (const text of [command, postgresql.recovery_conf.restore_command]) expect(text).toContain('--stanza=svc ')
  expect(pgbackrest).toContain(`pg1-path=${postgresql.data_dir}\n`)
})

test('the example settings and the compose file contain only known settings', () => {
  const example = [...read('settings.example.env').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
  const compose = read('compose.yaml')
  const app = compose.slice(compose.indexOf('  app:'))
  const given = [...app.matchAll(/^ {6}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name)
  expect(given).toContain('DATABASE_URL')
  for (const name of [...example, ...given]) expect(settingNames, name).toContain(name)
  const { dockerfile, context } = { dockerfile: /dockerfile: (.+)/.exec(app)?.[1] ?? '', context: /context: (.+)/.exec(app)?.[1] ?? '' }
  expect(existsSync(join(root, 'deploy', context, dockerfile))).toBe(true)
  expect(existsSync(join(root, 'deploy', 'settings.example.env'))).toBe(true)
})

type Networked = { networks: { default: { ipam: { config: { gateway?: string }[] } } } }

test("trusts only the proxy's address in every deployment", () => {
  const trusting = ['settings.example.env', 'compose.yaml', 'Dockerfile', 'svc.service', 'svc-gateway@.service'].flatMap((name) =>
    [...read(name).matchAll(/^(?!#).*\bTRUST_PROXY[=:] *"?([^\s"]*)/gm)].map(([, value = '']) => [name, value]),
  )
  const [{ gateway = '' } = {}] = (parseYaml(read('compose.yaml')) as Networked).networks.default.ipam.config
  expect(trusting).toEqual([
    ['compose.yaml', gateway],
    ['svc.service', '127.0.0.1,::1'],
    ['svc-gateway@.service', '127.0.0.1'],
  ])
  for (const [, addresses] of trusting) expect(readEnv({ TRUST_PROXY: addresses } as unknown as NodeJS.ProcessEnv).trustProxy.isSet, addresses).toBe(true)
  const [, example] = /^#TRUST_PROXY=(.+)$/m.exec(read('settings.example.env')) ?? []
  expect(readEnv({ TRUST_PROXY: example } as unknown as NodeJS.ProcessEnv).trustProxy.includes('127.0.0.1')).toBe(true)
})
