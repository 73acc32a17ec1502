/** Real databases for tests: one server and one template per run, and a copy of the template for each test file that needs one. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '#server/db/embedded.ts'
import { cloneCluster, createClusterTemplate, getClusterUrl } from './citus.ts'

export type TestServer = { url: string; stop: () => Promise<void> }
export type TestDatabase = { url: string; drop: () => Promise<void> }

/** Server settings without durability: test data does not have to survive a power failure. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
  autovacuum_naptime: '10min',
}

const memory = '/dev/shm'
const roomBytes = 4 * 2 ** 30

/**
 * Returns /dev/shm if it has space for all copies of the template, otherwise the temporary folder. Copying in memory is five times as fast as on disk.
 */
async function quickestPlace(): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= roomBytes ? memory : tmpdir()
}

/** Starts the server. Call once, in the global setup. `stop` removes the server and its folder; so does any exit of this process. */
export async function startTestServer(): Promise<TestServer> {
  const cluster = getClusterUrl()
  if (cluster !== undefined) return { url: cluster, stop: async () => undefined }
  const folder = await mkdtemp(join(await quickestPlace(), 'svc-test-'))
  const messages: string[] = []
  const server = await startEmbedded({ dataDir: folder, log: (line) => messages.push(line), settings }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const release = await guard(folder)
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    release()
  }
  return { url: server.url, stop }
}

/**
 * Starts a shell that stops the server and removes the folder when the shell's standard input closes. That happens when this process ends, even by kill -9. The
 * shell has a separate session, so that pressing Ctrl-C to end the run does not end the shell.
 */
async function guard(folder: string): Promise<() => void> {
  const pid = (await readFile(join(folder, 'pgdata', 'postmaster.pid'), 'utf8')).split('\n')[0] ?? ''
  const script = 'cat > /dev/null; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.05; done; rm -rf "$2"'
  const shell = spawn('/bin/sh', ['-c', script, 'svc-test-guard', pid, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  shell.unref()
  return () => shell.stdin.end()
}

/** Creates a database, calls `fill` to populate it, and makes it the template for `cloneDatabase`. `fill` must close its connections. */
export async function createTemplate(serverUrl: string, fill: (url: string) => Promise<void>): Promise<string> {
  const name = 'svc_template'
  if (getClusterUrl() !== undefined) return createClusterTemplate(serverUrl, name, fill)
  const url = inDatabase(serverUrl, name)
  await asAdmin(serverUrl, async (admin) => {
    await admin.query(`CREATE DATABASE ${name}`)
    await fill(url)
    // PostgreSQL refuses to copy a database with open connections.
    await admin.query(`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`)
  })
  return url
}

/** Returns the URL of the template. The global setup puts it into the environment, which test workers inherit. */
function getTemplateUrl(): string {
  const url = process.env['SVC_TEST_TEMPLATE_URL']
  if (!url) throw new Error('There is no database template. Run tests with vitest or Playwright, whose global setup creates it.')
  return url
}

/** Creates a copy of the template for a test file. */
export async function cloneDatabase(templateUrl = getTemplateUrl()): Promise<TestDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const template = new URL(templateUrl).pathname.slice(1)
  const cluster = getClusterUrl()
  if (cluster !== undefined) return cloneCluster(cluster, template, name)
  // FILE_COPY takes 50 ms in memory and 300 ms on disk; WAL_LOG takes 470 ms and 670 ms respectively.
  await asAdmin(templateUrl, (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY = FILE_COPY`))
  const drop = () => asAdmin(templateUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return { url: inDatabase(templateUrl, name), drop: async () => void (await drop()) }
}

/** Creates a database without tables, for tests of the code that creates them. */
export const emptyDatabase = (templateUrl = getTemplateUrl()): Promise<TestDatabase> => cloneDatabase(inDatabase(templateUrl, 'template1'))

function inDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function asAdmin<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: inDatabase(url, 'svc'), connectionTimeoutMillis: 10_000, statement_timeout: 60_000 })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
