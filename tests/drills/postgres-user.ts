/** Programs of Debian's PostgreSQL packages, run as the user `postgres` if this process is root, because PostgreSQL refuses to run as root. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { openSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { whenThisProcessIsGone } from '../chaos/guard.ts'

const getId = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))

/** User and group of the programs; empty if this process is not root. */
export const asPostgres = process.getuid?.() === 0 ? { uid: getId('-u'), gid: getId('-g') } : {}

const installed = '/usr/lib/postgresql'

/** Returns the folder with the programs of the newest PostgreSQL installed from a Debian package. @throws Error if there is none */
export function findPostgres(): string {
  const versions = readdirSync(installed, { withFileTypes: true })
    .map(({ name }) => Number(name))
    .filter((version) => version >= 15)
  if (versions.length === 0) throw new Error('Install the Debian package postgresql-15 or a later version.')
  return join(installed, String(Math.max(...versions)), 'bin')
}

/** Creates a temporary folder that belongs to the user `postgres` and is removed at the end. Processes with the folder in their arguments are killed then. */
export async function makeFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), `svc-${name}-`))
  if (asPostgres.uid !== undefined) await chown(path, asPostgres.uid, asPostgres.gid)
  const release = whenThisProcessIsGone('kill -9 $(pgrep -f -- "$1/") 2> /dev/null; sleep 1; rm -rf "$1"', path)
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
      release()
    },
  }
}

/** Starts a program whose output goes to a file. */
export function startProgram(program: string, args: readonly string[], logFile: string): ChildProcess {
  const log = openSync(logFile, 'a')
  return spawn(program, args, { ...asPostgres, cwd: '/', stdio: ['ignore', log, log] })
}

/** Runs a program and returns its output. @throws Error with the output if it fails */
export async function runProgram(program: string, args: readonly string[], timeoutMs = 120_000): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...asPostgres, cwd: '/', timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
