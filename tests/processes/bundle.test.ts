/** Tests that the production bundle (scripts/bundle-server.mjs) is complete, and that the service starts from only a few files. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { ownDatabase } from '../support/own-database.ts'
import { serviceProgram } from '../support/programs.ts'
import { startProcess } from '../support/service-process.ts'

const root = join(import.meta.dirname, '../..')
const built = dirname(serviceProgram)
const database = ownDatabase({ max: 1 })
const folder = mkdtempSync(join(tmpdir(), 'svc-bundle-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const parts = globSync('*.js', { cwd: built }).map((name) => ({ name, text: readFileSync(join(built, name), 'utf8') }))
/** Matches an expression in the bundle that locates a source file, or a file relative to one. */
const placePattern =
  /new URL\((?:["']([^"']+)["'], )?new URL\(["'](\.\.\/server\/[^"']+)["'], import\.meta\.url\)\.href\)|new URL\(["'](\.\.\/server\/[^"']+)["'], import\.meta\.url\)/g

test('locates every file relative to its source, never relative to the bundle', () => {
  const from = pathToFileURL(serviceProgram)
  const found: string[] = []
  for (const { name, text } of parts) {
    for (const [, target, base, alone] of text.matchAll(placePattern)) {
      const source = new URL(base ?? alone ?? '', from)
      const file = target === undefined ? source : new URL(target, source)
      expect(existsSync(fileURLToPath(file)), `${name}: ${file.href}`).toBe(true)
      found.push(file.href.slice(pathToFileURL(root).href.length + 1))
    }
    // Rolldown's runtime uses import.meta to find packages, which have the same path relative to the bundle as to the sources.
    if (!name.startsWith('rolldown-runtime')) expect(text.replace(placePattern, ''), name).not.toMatch(/import\.meta/)
    expect(text, name).not.toContain(root)
  }
  // The service cannot start or respond without these files.
  for (const file of ['prisma/seed/sample/', 'server/db/migrations.sql.ts', 'server/api/documents/postman-worker.ts', 'package.json'])
    expect(found).toContain(file)
})

const list = join(folder, 'loaded.json')

/** Module that writes the list of loaded files on exit. */
const noteLoaded = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const files = []
  registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.push(url); return next(url, context) } })
  process.on('exit', () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(files)))`

test('a gateway loads fewer than 160 files at start-up, and no lazily loaded modules', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(noteLoaded)}`
  const service = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir: folder, env: { ROLES: 'gateway', NODE_OPTIONS } })
  // Waits until the service is ready. Only then does SIGTERM cause a normal exit, on which the list is written.
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  await service.stop()
  const files = JSON.parse(readFileSync(list, 'utf8')) as string[]
  const here = pathToFileURL(root).href
  expect(files).toContain(pathToFileURL(serviceProgram).href)
  expect(files.filter((file) => file.startsWith(`${here}/server/`) || file.includes('/node_modules/zod/'))).toEqual([])
  expect(files.filter((file) => /\/built\/(?:mcp-eras|document|postman|schema-engine|tracing|svc)[.-]/.test(file))).toEqual([])
  // For comparison, 527 files are loaded without a bundle.
  expect(files.length).toBeLessThan(160)
})

/**
 * Creates a minimal copy of the repository that contains two programs. Both print their location; the service program then waits for input and imports another
 * module.
 */
function smallClone(): string {
  const clone = join(folder, 'clone')
  mkdirSync(join(clone, 'server/cli'), { recursive: true })
  mkdirSync(join(clone, 'scripts'))
  cpSync(join(root, 'scripts/bundle-server.mjs'), join(clone, 'scripts/bundle-server.mjs'))
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
  writeFileSync(join(clone, 'server/cli/main.ts'), 'console.log(import.meta.dirname as string, import.meta.url)')
  const main = `console.log(import.meta.url as string); process.stdin.once('data', async () => { console.log((await import('./late.ts')).late); process.exit() })`
  writeFileSync(join(clone, 'server/main.ts'), main)
  return clone
}

test('a running program keeps its bundle during the next build, and a moved clone still works', async () => {
  const run = promisify(execFile)
  const clone = smallClone()
  const bundle = async (late: string) => {
    writeFileSync(join(clone, 'server/late.ts'), `export const late: string = '${late}'`)
    await run(process.execPath, [join(clone, 'scripts/bundle-server.mjs')])
  }
  await bundle('first')
  const running = run(process.execPath, [join(clone, 'built/main.js')])
  await new Promise((resolve) => running.child.stdout?.once('data', resolve))
  await bundle('second')
  running.child.stdin?.end('go')
  expect((await running).stdout).toContain('first')
  await bundle('third')
  const texts = globSync('late-*.js', { cwd: join(clone, 'built') }).map((name) => readFileSync(join(clone, 'built', name), 'utf8'))
  expect(texts.map((text) => /second|third|first/.exec(text)?.[0]).toSorted()).toEqual(['second', 'third'])

  const moved = join(folder, 'moved')
  renameSync(clone, moved)
  const [place = '', url] = (await run(process.execPath, [join(moved, 'built/svc.js')])).stdout.trim().split(' ')
  expect(normalize(place)).toBe(join(moved, 'server/cli'))
  expect(url).toBe(pathToFileURL(join(moved, 'server/cli/main.ts')).href)
}, 60_000)
