import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnv } from '../../server/env.ts'

/** What deploy/ names has to be there: files, folders and settings. */
const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const settingNames = new Set([...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name))
const start = 'node --import ./scripts/keep-compiled.mjs built/main.js'

const expectFiles = (command: string) => {
  const files = command.split(' ').filter((word) => /\.(?:m?js|ts|json)$/.test(word))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
}

test('the image copies and runs what is in the repository', () => {
  const dockerfile = read('Dockerfile')
  const copied = [...dockerfile.matchAll(/^COPY (.+)$/gm)].flatMap(([, line = '']) =>
    line
      .split(' ')
      .filter((word) => !word.startsWith('--'))
      .slice(0, -1),
  )
  // What only the build makes is not in the repository.
  const made = ['/app/.next', '/app/built', '/app/node_modules']
  const named = copied.filter((path) => !made.includes(path)).map((path) => path.replace(/^\/app\//, ''))
  expect(copied).toContain('/app/built')
  expect(named).toContain('server')
  for (const path of named) expect(existsSync(join(root, path)), path).toBe(true)
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[]
  expect(command.join(' ')).toBe(start)
  expectFiles(start)
  expectFiles(/^RUN (node .+)$/m.exec(dockerfile)?.[1] ?? '')
  expect(dockerfile).toContain('/readyz')
  expect(dockerfile).toMatch(/^USER node$/m)
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  for (const path of named) expect(ignored).not.toContain(path.split('/')[0])
})

test.each(['svc.service', 'svc-gateway@.service'])('%s starts what is in the repository, with settings that exist', (name) => {
  const unit = read(name)
  const folder = /^WorkingDirectory=(.+)$/m.exec(unit)?.[1]
  expect(unit).toContain(`ExecStart=${folder}/node_modules/.bin/${start}\n`)
  const given = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.replaceAll('%i', '3001').split(' '))
  const settings = Object.fromEntries(given.map((pair) => pair.split('=') as [string, string]))
  const { NODE_COMPILE_CACHE: kept, ...ours } = settings
  expect(kept).toMatch(/^\/var\/cache\//)
  for (const setting of Object.keys(ours)) expect(settingNames, setting).toContain(setting)
  const env = readEnv({ ...ours, NODE_ENV: 'production' })
  // Ten seconds of a kill too early would cut calls off.
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(env.drainSeconds + 15 + 3)
})

test('the example of settings and the compose file name settings that exist', () => {
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

test('a proxy is trusted by the gateways behind haproxy.cfg and nginx.conf alone, by its address', () => {
  const trusting = ['settings.example.env', 'compose.yaml', 'Dockerfile', 'svc.service', 'svc-gateway@.service'].flatMap((name) =>
    [...read(name).matchAll(/^(?!#).*\bTRUST_PROXY[=:] *"?([^\s"]*)/gm)].map(([, value = '']) => [name, value]),
  )
  expect(trusting).toEqual([['svc-gateway@.service', '127.0.0.1']])
  const [, example] = /^#TRUST_PROXY=(.+)$/m.exec(read('settings.example.env')) ?? []
  expect(readEnv({ TRUST_PROXY: example } as unknown as NodeJS.ProcessEnv).trustProxy.includes('127.0.0.1')).toBe(true)
})
