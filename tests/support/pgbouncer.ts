import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whenThisProcessIsGone } from '../chaos/guard.ts'
import { freePort } from './service-process.ts'

const shipped = fileURLToPath(new URL('../../deploy/pgbouncer.ini', import.meta.url))
/** User that runs PgBouncer, which refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 }

export type Pgbouncer = {
  /** URL through PgBouncer, with the session settings of the shipped configuration. */
  readonly url: string
  /** URL through PgBouncer, with the default session settings of the server. */
  readonly bareUrl: string
  /** Returns the log so far. */
  readonly log: () => string
  stop: () => Promise<void>
}

/** Replaces one line of the shipped file. Throws if the line is missing. */
function withLine(text: string, line: RegExp, value: string): string {
  if (!line.test(text)) throw new Error(`deploy/pgbouncer.ini has no line ${line}.`)
  return text.replace(line, () => value)
}

function iniFor(text: string, { target, port, users, size }: { target: URL; port: number; users: string; size: number }): string {
  const place = `host=${target.hostname} port=${target.port} dbname=${target.pathname.slice(1)}`
  const pointed = withLine(text, /host=127\.0\.0\.1 port=5432 dbname=svc/, place)
  const both = withLine(pointed, /^\[pgbouncer\]$/m, `bare = ${place}\n[pgbouncer]`)
  const listening = withLine(both, /^listen_port = 6432$/m, `listen_port = ${port}`)
  const known = withLine(listening, /^auth_file = .*$/m, `auth_file = ${users}`)
  return withLine(known, /^default_pool_size = 20$/m, `default_pool_size = ${size}`)
}

/** Waits until PgBouncer accepts connections. Returns a function that returns its log. */
async function isUp(child: ChildProcess): Promise<() => string> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PgBouncer did not start:\n${said}`)), 10_000)
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (/process up/.test(said)) {
        clearTimeout(timer)
        resolve()
      }
    })
    child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${said}`)))
  })
  return () => said
}

/** Starts a real PgBouncer in front of a test database, with the shipped settings except for addresses and pool size. */
export async function startPgbouncer(databaseUrl: string, size: number): Promise<Pgbouncer> {
  if (spawnSync('pgbouncer', ['--version']).error) throw new Error('pgbouncer is missing: install the Debian package pgbouncer (apt-get install pgbouncer).')
  const target = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'))
  await chmod(folder, 0o755)
  const [users, ini, port] = [join(folder, 'userlist.txt'), join(folder, 'pgbouncer.ini'), await freePort()]
  await writeFile(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`)
  await writeFile(ini, iniFor(await readFile(shipped, 'utf8'), { target, port, users, size }))
  // Starts PgBouncer with an open-file limit of 1024, the default for a systemd service.
  const child = spawn('/bin/sh', ['-c', 'ulimit -n 1024; exec pgbouncer "$1"', 'sh', ini], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 ? nobody : {}),
  })
  const release = whenThisProcessIsGone('kill -9 "$1"; rm -rf "$2"', String(child.pid), folder)
  const log = await isUp(child)
  const through = (name: string) => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}`, pathname: `/${name}` }).href
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    release()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: through('svc'), bareUrl: through('bare'), log, stop }
}
