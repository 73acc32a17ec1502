import { spawn } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { isRunning, query, serverPid, startUser, type User } from './embedded-user.ts'

const isRoot = process.getuid?.() === 0
const quiet = { log: () => undefined, settings: { fsync: 'off', shared_buffers: '16MB' } }
let folder = ''
let dataDir = ''
const users: User[] = []

const use = (...args: Parameters<typeof startUser>) => {
  const user = startUser(...args)
  users.push(user)
  return user
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-embedded-'))
  dataDir = join(folder, 'data')
  const server = await startEmbedded({ dataDir, ...quiet })
  await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS n')
  await server.stop()
})

afterEach(async () => {
  for (const user of users.splice(0)) await user.kill()
  const pid = await serverPid(dataDir)
  if (await isRunning(pid)) process.kill(pid, 'SIGQUIT')
  while (await isRunning(pid)) await sleep(10)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const kept = async (url: string | undefined) => (await query<{ n: number }>(url, 'SELECT n FROM kept')).map((row) => row.n)

test('on the first start, creates a database that requires its password and sorts by code point', async () => {
  const server = await startEmbedded({ dataDir, ...quiet })
  try {
    const [facts] = await query<{ who: string; zone: string; above: boolean; is_super: string }>(
      server.url,
      `SELECT current_user AS who, current_setting('timezone') AS zone, 'a' > 'B' AS above, current_setting('is_superuser') AS is_super`,
    )
    expect(facts).toEqual({ who: 'svc', zone: 'UTC', above: true, is_super: 'off' })
    await expect(query(server.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password authentication failed')
    const memory = join(dataDir, 'pgdata', 'svc.json')
    expect((await stat(memory)).mode & 0o777).toBe(0o600)
  } finally {
    await server.stop()
  }
  expect(await serverPid(dataDir)).toBe(0)
})

test('reuses a running server after the service was killed, and stops it on shutdown', async () => {
  const first = use(dataDir)
  const { url } = await first.outcome
  const pid = await serverPid(dataDir)
  await first.kill()
  expect(await isRunning(pid)).toBe(true)
  const second = use(dataDir)
  expect((await second.outcome).url).toBe(url)
  expect(await serverPid(dataDir)).toBe(pid)
  expect(second.messages[0]?.log).toContain(`already running (pid ${pid}`)
  await second.leave()
  expect(await isRunning(pid)).toBe(false)
})

test('keeps the data after all processes are killed', async () => {
  const first = use(dataDir)
  await first.outcome
  const pid = await serverPid(dataDir)
  await first.kill()
  process.kill(pid, 'SIGKILL')
  const second = use(dataDir)
  expect(await kept((await second.outcome).url)).toEqual([1])
  await second.leave()
})

test('starts despite a stale postmaster.pid whose pid now belongs to another program', async () => {
  const first = use(dataDir)
  await first.outcome
  const file = join(dataDir, 'pgdata', 'postmaster.pid')
  const lines = (await readFile(file, 'utf8')).split('\n')
  await first.kill()
  process.kill(Number(lines[0]), 'SIGKILL')
  while (await isRunning(Number(lines[0]))) await sleep(10)
  // This unrelated process runs as the server's user, because PostgreSQL only checks for processes of that user.
  const { uid, gid } = await stat(join(dataDir, 'pgdata'))
  const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  await writeFile(file, [other.pid, ...lines.slice(1)].join('\n'))
  const second = use(dataDir)
  expect(await kept((await second.outcome).url)).toEqual([1])
  other.kill()
  await second.leave()
})

test('concurrent first starts share one server, and the last process stops it', { timeout: 60_000 }, async () => {
  const fresh = join(folder, 'fresh')
  const three = [use(fresh), use(fresh), use(fresh)] as const
  const urls = await Promise.all(three.map(async (user) => (await user.outcome).url))
  expect(new Set(urls).size).toBe(1)
  const pid = await serverPid(fresh)
  await Promise.all([three[0].leave(), three[1].kill()])
  expect(await isRunning(pid)).toBe(true)
  await three[2].leave()
  expect(await isRunning(pid)).toBe(false)
})

test('the last process stops the server, even if PostgreSQL has not noticed yet that another process was killed', async () => {
  const [killed, last] = [use(dataDir), use(dataDir)]
  const { url } = await killed.outcome
  await last.outcome
  const [lease] = await query<{ pid: number }>(url, `SELECT pid FROM pg_stat_activity WHERE application_name = 'svc lease ${killed.pid}'`)
  const pid = await serverPid(dataDir)
  const backend = lease?.pid ?? expect.unreachable()
  process.kill(backend, 'SIGSTOP')
  await killed.kill()
  const left = last.leave()
  await sleep(500)
  expect(await isRunning(pid)).toBe(true)
  process.kill(backend, 'SIGCONT')
  await left
  expect(await isRunning(pid)).toBe(false)
})

test('restarts a crashed server on the same port', async () => {
  const server = await startEmbedded({ dataDir, ...quiet })
  const before = await serverPid(dataDir)
  process.kill(before, 'SIGKILL')
  let rows: number[] = []
  for (const deadline = Date.now() + 15_000; rows.length === 0 && Date.now() < deadline; ) {
    await sleep(50)
    rows = await kept(server.url).catch(() => [])
  }
  expect(rows).toEqual([1])
  const after = await serverPid(dataDir)
  expect(after).not.toBe(before)
  await server.stop()
  expect(await isRunning(after)).toBe(false)
})

test('keeps trying to restart the server, for example while the disk is full', async () => {
  const logged: string[] = []
  const server = await startEmbedded({ dataDir, ...quiet, log: (line) => logged.push(line) })
  const file = join(dataDir, 'pgdata', 'postgresql.auto.conf')
  const before = await readFile(file, 'utf8')
  await writeFile(file, 'nonsense = 1\n')
  process.kill(await serverPid(dataDir), 'SIGKILL')
  await vi.waitFor(() => expect(logged.at(-1)).toContain('Retrying.'), 15_000)
  await writeFile(file, before)
  await vi.waitFor(async () => expect(await kept(server.url)).toEqual([1]), 15_000)
  // The failure is reported once, regardless of the number of retries.
  expect(logged.filter((line) => line.includes('cannot restart'))).toHaveLength(1)
  await server.stop()
}, 40_000)

test('rotates a full log while the server is running, and the server keeps writing', async () => {
  const file = join(dataDir, 'postgres.log')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const logged: string[] = []
  const servers = [await startEmbedded({ dataDir, ...quiet }), await startEmbedded({ dataDir, ...quiet, log: (line) => logged.push(line) })]
  try {
    await appendFile(file, 'x'.repeat(5_000_001))
    vi.advanceTimersByTime(3_600_000)
    // The server may write a line before the size is read.
    await vi.waitFor(async () => expect((await stat(file)).size).toBeLessThan(10_000), 20_000)
    expect((await stat(`${file}.1`)).size).toBeGreaterThan(5_000_000)
    await query(servers[0]?.url, 'SELECT no_such_column').catch(() => undefined)
    await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('no_such_column'), 20_000)
    // The second process to rotate the log discards its copy, which may take a moment.
    const logs = async () => (await readdir(dataDir)).filter((name) => name.startsWith('postgres.log')).toSorted()
    await vi.waitFor(async () => expect(await logs()).toEqual(['postgres.log', 'postgres.log.1']), 20_000)
    expect(logged.filter((line) => line.includes('cannot rotate'))).toEqual([])
  } finally {
    vi.useRealTimers()
    for (const server of servers) await server.stop()
  }
})

test('fails without creating anything if an existing database is required', async () => {
  const nowhere = join(folder, 'nowhere')
  await expect(startEmbedded({ dataDir: nowhere, ...quiet, mayMake: false })).rejects.toMatchObject({
    fault: 'no-database',
    message: `There is no database in ${nowhere}, and DATABASE_URL is not set. Set DATABASE_URL or DATA_DIR to the value that the service uses.`,
  })
  await expect(stat(nowhere)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('if the port is in use, replaces a saved port but rejects a requested one with a one-line error', async () => {
  const { port }: { port: number } = JSON.parse(await readFile(join(dataDir, 'pgdata', 'svc.json'), 'utf8'))
  const other = createServer().listen({ host: '127.0.0.1', port })
  await new Promise((done) => other.once('listening', done))
  try {
    const asked = await use(dataDir, { port }).outcome
    expect(asked).toEqual({
      fault: 'port-taken',
      error: `Port ${port} on 127.0.0.1 is taken by another program. Choose another port for the database or stop that program.`,
    })
    const user = use(dataDir)
    expect(new URL((await user.outcome).url ?? '').port).not.toBe(String(port))
    expect(user.messages[0]?.log).toContain(`port ${port} is taken`)
    await user.leave()
  } finally {
    other.close()
  }
})

test('rejects an unusable folder with a one-line error', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(await use(join(file, 'data')).outcome).toMatchObject({ fault: 'not-writable', error: expect.stringContaining('is a file, not a folder') })
  const old = join(folder, 'old')
  await mkdir(join(old, 'pgdata'), { recursive: true })
  await writeFile(join(old, 'pgdata', 'PG_VERSION'), '14\n')
  expect(await use(old).outcome).toMatchObject({
    fault: 'wrong-version',
    error: expect.stringContaining('was created by PostgreSQL 14, but this is PostgreSQL 18'),
  })
})

test.runIf(isRoot && (await stat(import.meta.dirname)).mode % 2 === 1)("rejects another user's folder with a one-line error", async () => {
  const closed = join(folder, 'closed')
  await mkdir(closed, { mode: 0o755 })
  expect(await use(join(closed, 'data'), { uid: 65_534 }).outcome).toMatchObject({ fault: 'not-writable', error: expect.stringContaining('is not writable') })
})

test.runIf(isRoot)('lets root use a folder that only root can access', async () => {
  const closed = join(folder, 'private')
  await mkdir(closed, { mode: 0o700 })
  const server = await startEmbedded({ dataDir: join(closed, 'data'), ...quiet })
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await server.stop()
})
