/** PostgreSQL with pgBackRest, as deploy/pgbackrest.conf configures it. Needs the Debian packages pgbackrest and postgresql. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/service-process.ts'
import { findPostgres, makeFolder, runProgram, startProgram } from './postgres-user.ts'

const password = 'drill'
const startTimeoutMs = 120_000

/** Returns the shipped configuration with the paths and the port of the drill. */
async function configuration(folder: string, port: number): Promise<string> {
  const shipped = await readFile(new URL('../../deploy/pgbackrest.conf', import.meta.url), 'utf8')
  const settings: Record<string, string | number> = {
    'repo1-path': join(folder, 'repository'),
    'repo1-cipher-pass': 'a passphrase of the drill',
    'log-path': join(folder, 'log'),
    'lock-path': join(folder, 'lock'),
    'pg1-path': join(folder, 'data'),
    'pg1-port': port,
    'pg1-socket-path': folder,
  }
  return Object.entries(settings).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, 'm')
    if (!line.test(text)) throw new Error(`deploy/pgbackrest.conf has no ${name}.`)
    return text.replace(line, () => `${name}=${value}`)
  }, shipped)
}

export class ArchivedServer implements AsyncDisposable {
  readonly url: string
  private readonly folder: string
  private readonly port: number
  private readonly opened: AsyncDisposableStack

  private constructor(folder: string, port: number, opened: AsyncDisposableStack) {
    this.folder = folder
    this.port = port
    this.opened = opened
    this.url = `postgresql://svc:${password}@127.0.0.1:${port}/svc`
  }

  static async start(): Promise<ArchivedServer> {
    await using opened = new AsyncDisposableStack()
    const folder = opened.use(await makeFolder('recovery')).path
    const port = await freePort()
    const server = new ArchivedServer(folder, port, opened.move())
    server.opened.defer(() => server.stop('immediate').catch(() => undefined))
    await server.create()
    return server
  }

  private get dataDir(): string {
    return join(this.folder, 'data')
  }

  private get config(): string {
    return join(this.folder, 'pgbackrest.conf')
  }

  private async create(): Promise<void> {
    const bin = findPostgres()
    await writeFile(this.config, await configuration(this.folder, this.port))
    await runProgram(join(bin, 'initdb'), ['--pgdata', this.dataDir, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--data-checksums'])
    const settings = [
      `port = ${this.port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${this.folder}'`,
      "shared_buffers = '64MB'",
      'archive_mode = on',
      `archive_command = 'pgbackrest --config=${this.config} --stanza=svc archive-push %p'`,
      'archive_timeout = 60',
    ]
    await runProgram('/bin/sh', ['-c', `cat >> "$1/postgresql.conf" <<'END'\n${settings.join('\n')}\nEND`, 'sh', this.dataDir])
    await this.run()
    await this.asSuperuser(`CREATE ROLE svc LOGIN PASSWORD '${password}'`, 'postgres')
    await this.asSuperuser('CREATE DATABASE svc OWNER svc', 'postgres')
    await this.backRest(['stanza-create'])
    await this.backRest(['check'])
  }

  /** Starts PostgreSQL and waits until it accepts writes, which includes the replay of WAL. */
  async run(): Promise<void> {
    startProgram(join(findPostgres(), 'postgres'), ['-D', this.dataDir], join(this.folder, 'postgres.log'))
    for (const end = performance.now() + startTimeoutMs; ; await sleep(50)) {
      const isReady = await this.asSuperuser('SELECT pg_is_in_recovery()', 'postgres').catch(() => '')
      if (isReady.trim() === 'f') return
      if (performance.now() > end) throw new Error(`PostgreSQL did not start:\n${await readFile(join(this.folder, 'postgres.log'), 'utf8')}`)
    }
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await runProgram(join(findPostgres(), 'pg_ctl'), ['stop', '-D', this.dataDir, '-m', mode, '-w'])
  }

  /** Runs SQL and returns the values of the rows. */
  asSuperuser(sql: string, database = 'svc'): Promise<string> {
    const connection = ['-h', this.folder, '-p', String(this.port), '-U', 'postgres', '-d', database]
    return runProgram(join(findPostgres(), 'psql'), [...connection, '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql])
  }

  backRest(args: readonly string[]): Promise<string> {
    return runProgram('pgbackrest', [`--config=${this.config}`, '--stanza=svc', ...args])
  }

  /** Returns the size of each backup in the repository, in bytes. */
  async backups(): Promise<readonly { type: string; bytes: number; databaseBytes: number }[]> {
    type Info = { backup: { type: string; info: { size: number; repository: { delta: number } } }[] }
    const [stanza] = JSON.parse(await this.backRest(['info', '--output=json'])) as Info[]
    return (stanza?.backup ?? []).map(({ type, info }) => ({ type, bytes: info.repository.delta, databaseBytes: info.size }))
  }

  /** Simulates the loss of the server and its disk: kills PostgreSQL and removes its files. */
  async lose(): Promise<void> {
    const pid = Number((await readFile(join(this.dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
    await sleep(1_000)
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    await runProgram('mkdir', ['-m', '700', this.dataDir])
  }

  /** Restores the state at a given time, and starts PostgreSQL. */
  async restore(target: string): Promise<void> {
    await this.backRest(['--type=time', `--target=${target}`, '--target-action=promote', 'restore'])
    await this.run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened.disposeAsync()
  }
}
