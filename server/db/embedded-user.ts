/**
 * Chooses the operating system user that PostgreSQL runs as. PostgreSQL refuses to run as root or in a data folder that it doesn't own, so if the service runs
 * as root, it gives the folder to an unprivileged user. Otherwise PostgreSQL runs as the service's own user.
 */
import { execFile } from 'node:child_process'
import { chmod, lchown, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { getCode } from './database-errors.ts'
import { EmbeddedError } from './embedded-error.ts'

export type Ids = { uid: number; gid: number }

/**
 * User that PostgreSQL runs as. If `throughWalls` is true, this user has no access to a parent folder, such as /root, so the process keeps root's capability to
 * bypass file permissions.
 */
export type RunAs = { ids: Ids | undefined; throughWalls: boolean }

export type Invocation = { file: string; args: string[]; options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } }

const run = promisify(execFile)
/** Environment of PostgreSQL. Inherits nothing from the terminal, whose PGDATA, LC_* and TZ must not affect the server. */
const environment: NodeJS.ProcessEnv = { NODE_ENV: 'production', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
const callOptions = { env: environment, timeout: 10_000 }

const isRoot = () => process.getuid?.() === 0

/** Chooses the user that PostgreSQL runs as. It must be able to access `paths`: the binaries, and the folder that contains the database. */
export async function chooseUser(request: { dataDir: string; pgdata: string; paths: string[]; log: (line: string) => void }): Promise<RunAs> {
  const owner = await stat(request.pgdata).catch(() => undefined)
  if (!isRoot()) {
    assertOwn(request.pgdata, owner?.uid)
    return { ids: undefined, throughWalls: false }
  }
  const ids = owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : await unprivilegedUser(request.log)
  if (owner?.uid === 0) await giveAway(request.pgdata, ids)
  await openOwnFolder(request.dataDir, ids)
  for (const path of request.paths) {
    if (!(await canReach(path, ids))) return { ids, throughWalls: await assertSetpriv(path) }
  }
  return { ids, throughWalls: false }
}

/**
 * Returns the command line that runs a PostgreSQL binary as the chosen user. The process id is the binary's, because setpriv replaces itself with the binary.
 */
export function invocation(runAs: RunAs, file: string, args: string[]): Invocation {
  const options = { cwd: '/', env: environment }
  if (runAs.ids === undefined) return { file, args, options }
  const { uid, gid } = runAs.ids
  if (!runAs.throughWalls) return { file, args, options: { ...options, uid, gid } }
  // DAC_OVERRIDE gives access to folders that are closed to this user. PostgreSQL checks its binaries with access(2), which ignores capabilities of non-root
  // users unless no_setuid_fixup is set. Docker's default capabilities are sufficient for both.
  const rights = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  return { file: 'setpriv', args: [...rights, '--', file, ...args], options }
}

function assertOwn(pgdata: string, uid: number | undefined): void {
  const self = process.getuid?.()
  if (uid === undefined || self === undefined || uid === self) return
  throw new EmbeddedError(
    'other-owner',
    `The data folder ${pgdata} belongs to another user (uid ${uid}, this is uid ${self}). Start as that user, chown it, or set DATA_DIR to another folder.`,
  )
}

async function unprivilegedUser(log: (line: string) => void): Promise<Ids> {
  const existing = await findIds('postgres')
  if (existing !== undefined) return existing
  const failures: string[] = []
  for (const [file, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'],
  ] as const) {
    await run(file, args, callOptions).catch((error: Error) => failures.push(error.message.split('\n')[0] ?? ''))
    const created = await findIds('postgres')
    if (created !== undefined) return created
  }
  const nobody = await findIds('nobody')
  if (nobody === undefined)
    throw new EmbeddedError(
      'not-reachable',
      `PostgreSQL must not run as root, and creating a user for it failed (${failures.join('; ')}). Start as a normal user or set DATABASE_URL.`,
    )
  log(`PostgreSQL runs as 'nobody', because creating a user 'postgres' failed (${failures.join('; ')})`)
  return nobody
}

/** Returns the ids of a named user, or undefined if there is none. A numeric id alone is not enough: initdb requires a user with a name. */
async function findIds(name: string): Promise<Ids | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name], callOptions), run('id', ['-g', name], callOptions)])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch (error) {
    if (getCode(error) === 'ENOENT')
      throw new EmbeddedError(
        'not-reachable',
        "PostgreSQL must not run as root, and the program 'id' is missing. Start as a normal user or set DATABASE_URL.",
        {
          cause: error,
        },
      )
    return undefined // 'id' fails if there is no such user.
  }
}

/**
 * Makes the PostgreSQL user the owner of a data folder that belongs to root, for example after root has restored a copy of it. PostgreSQL must own its folder.
 */
async function giveAway(folder: string, ids: Ids): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), ids.uid, ids.gid)
  await lchown(folder, ids.uid, ids.gid)
}

/** Makes the service's data folder traversable (not listable); its files have their own modes. Folders above it are left unchanged. */
async function openOwnFolder(dataDir: string, ids: Ids): Promise<void> {
  const { mode, uid } = await stat(dataDir)
  if (uid === 0 && !(await allows(dataDir, ids, 0o1))) await chmod(dataDir, (mode & 0o7777) | 0o011)
}

/**
 * Returns true if the path is accessible: files readable and executable (a strict umask can make all of node_modules inaccessible), parent folders searchable.
 */
async function canReach(path: string, ids: Ids): Promise<boolean> {
  const real = await realpath(path)
  if (!(await allows(real, ids, (await stat(real)).isFile() ? 0o5 : 0o1))) return false
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (!(await allows(folder, ids, 0o1))) return false
    if (folder === dirname(folder)) return true
  }
}

async function allows(path: string, ids: Ids, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const shift = uid === ids.uid ? 6 : gid === ids.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

async function assertSetpriv(path: string): Promise<true> {
  try {
    await run('setpriv', ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup', 'true'], callOptions)
    return true
  } catch (cause) {
    throw new EmbeddedError(
      'not-reachable',
      `PostgreSQL must not run as root, and no other user can access ${path}. Move the clone to an accessible folder, start as a normal user, or set DATABASE_URL.`,
      { cause },
    )
  }
}
