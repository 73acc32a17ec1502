/** Tests that every documented start command for operators uses production mode and does not expose the service to unintended networks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { type Env, readEnv } from '#server/env.ts'
import { isLoopbackHost } from '#server/runtime/loopback.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Settings = Record<string, string>

/** Parses settings as the service does, with sample values for the operator's secrets. */
function getEnv(settings: Settings): Env {
  const known = Object.entries(settings).map(([name, value]): [string, string] => {
    if (name === 'NEXTAUTH_SECRET') return [name, 's'.repeat(32)]
    if (name === 'DATABASE_URL') return [name, 'postgresql://svc:word@127.0.0.1:5432/svc']
    return [name, value]
  })
  return readEnv(Object.fromEntries(known) as unknown as NodeJS.ProcessEnv)
}

const getPairs = (text: string): Settings =>
  Object.fromEntries([...text.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=("[^"]*"|\S*)/g)].map(([, name = '', value = '']) => [name, value.replaceAll('"', '')]))

const example = getPairs(read('deploy/settings.example.env').replace(/^#.*$/gm, ''))

const needed = ['NODE_ENV', 'PUBLIC_URL', 'NEXTAUTH_SECRET', 'DATABASE_URL'] as const

test('the example settings contain all settings required in production', () => {
  expect(example).toMatchObject({ NODE_ENV: 'production', PUBLIC_URL: expect.stringMatching(/^https:/) })
  expect(read('deploy/settings.example.env')).toMatch(/^NEXTAUTH_SECRET=$/m)
  expect(read('deploy/settings.example.env')).toMatch(/^#?DATABASE_URL=/m)
})

test.each(['svc.service', 'svc-gateway@.service'])('%s runs in production mode and listens on loopback', (name) => {
  const lines = [...read(`deploy/${name}`).matchAll(/^Environment=(.+)$/gm)].map(([, line = '']) => line.replaceAll('%i', '3001'))
  const settings = getPairs(lines.join(' '))
  // The systemd unit sets both variables, so settings.env does not need to.
  expect(settings).toMatchObject({ NODE_ENV: 'production', HOST: '127.0.0.1' })
  const env = getEnv({ ...settings, ...example })
  expect([env.developmentFeatures, isLoopbackHost(env.host ?? 'localhost')]).toEqual([false, true])
})

type Container = { environment?: Settings; env_file?: string; ports?: unknown[] }

test('runs containers in production mode, with ports published on loopback only', () => {
  const image = getPairs([...read('deploy/Dockerfile').matchAll(/^ENV (.+)$/gm)].map(([, line]) => line).join(' '))
  // The port can be reached only from the container network. If the service listened on loopback, Docker could not publish the port.
  expect(image).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' })
  const { services } = parseYaml(read('deploy/compose.yaml')) as { services: Record<string, Container> }
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['app', 'database']))
  for (const [name, { ports = [] }] of Object.entries(services)) for (const port of ports) expect(String(port), name).toMatch(/^127\.0\.0\.1:/)
  const { app } = services
  expect(app?.env_file).toBe('settings.env')
  const settings: Settings = { ...image, ...example, ...app?.environment, GATEWAY_PROCESSES: '2' }
  for (const setting of needed) expect(settings, setting).toHaveProperty(setting)
  const env = getEnv(settings)
  expect([env.developmentFeatures, env.host]).toEqual([false, '0.0.0.0'])
})

type Started = { file: string; command: string; settings: Settings }

const starts = /\b(?:npm (?:run )?(?:start|dev)|(?:built\/main\.js|server\/main\.ts))\b/

/** Returns the commands in a shell block that start the service, with the variables set on the same line or exported before. */
function startsInBlock(file: string, block: string): Started[] {
  let exported: Settings = {}
  return block.split('\n').flatMap((line) => {
    const code = line.replace(/(?:^|\s)#.*$/, '').trim()
    if (code.startsWith('export ')) exported = { ...exported, ...getPairs(code) }
    const [before = ''] = /^(?:[A-Z][A-Z0-9_]+=\S*\s+)*/.exec(code) ?? []
    return starts.test(code) ? [{ file, command: code, settings: { ...exported, ...getPairs(before) } }] : []
  })
}

/** Returns the commands on a page that start the service, in code blocks and in running text. */
function startsIn(file: string): Started[] {
  const text = read(file)
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell)?\n(.*?)^```$/gms)].flatMap(([, block = '']) => startsInBlock(file, block))
  const inline = [...text.matchAll(/`((?:[A-Z][A-Z0-9_]+=\S* )+[^`\n]+)`/g)].map(([, command = '']) => ({ file, command, settings: getPairs(command) }))
  return [...blocks, ...inline.filter(({ command }) => starts.test(command))]
}

const pages = [
  'README.md',
  'AGENTS.md',
  'client/README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]
const commands = pages.flatMap(startsIn)

/** Settings allowed in commands for a trial on a laptop. A command with any other setting must run in production mode. */
const forTrials = new Set(['PORT', 'DATA_DIR'])

test('the documentation has start commands for trials and for production', () => {
  expect(commands.filter(({ settings }) => settings['NODE_ENV'] === 'production').length).toBeGreaterThan(1)
  expect(commands.filter(({ settings }) => Object.keys(settings).length === 0).length).toBeGreaterThan(1)
})

test.each(commands)('$file: $command', ({ settings }) => {
  const env = getEnv(settings)
  expect(env.host === null || isLoopbackHost(env.host) || /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(env.host)).toBe(true)
  if (Object.keys(settings).every((name) => forTrials.has(name))) return
  for (const name of needed) expect(settings, name).toHaveProperty(name)
  expect(env.developmentFeatures).toBe(false)
})
