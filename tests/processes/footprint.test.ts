/** Measures the CPU time and the amount of source code needed for a start, and the memory of an idle process. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../support/own-database.ts'
import { startProcess } from '../support/service-process.ts'

const database = ownDatabase({ max: 1 })
const megabyte = 1_024
const listSources = new URL('./support/list-sources.mjs', import.meta.url).href
let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-footprint-'))
})

afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** Returns the child processes. A process with all roles runs the portal in a child process. */
const getChildren = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number)

const residentKilobytes = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Returns the CPU time of a process in seconds. The kernel counts in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Returns the CPU time of starting Node with an empty program, in seconds: the minimum of ten starts. */
function bareCpuSeconds(): number {
  const script = 'console.log(JSON.stringify(process.cpuUsage()))'
  const starts = Array.from({ length: 10 }, () => {
    const { user, system } = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as NodeJS.CpuUsage
    return (user + system) / 1_000_000
  })
  return Math.min(...starts)
}

/** Packages that only the portal, the worker or rare requests need. */
const lazyPackages = ['next', 'react', 'stripe', 'nodemailer', '@modelcontextprotocol', '@opentelemetry', 'shiki', 'marked', 'openapi-to-postmanv2']

async function measure(roles: string, env: Record<string, string> = {}) {
  const startedAt = performance.now()
  const service = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir, env: { ROLES: roles, ...env } })
  try {
    const { status } = await fetch(`${service.origin}/readyz`)
    expect(status).toBe(200)
    const pid = service.child.pid ?? 0
    const all = [pid, ...getChildren(pid)]
    return {
      wallSeconds: (performance.now() - startedAt) / 1_000,
      cpuSeconds: cpuSeconds(pid),
      residentMegabytes: residentKilobytes(pid) / megabyte,
      processes: all.length,
      // Memory pages shared by both processes, such as those of the Node binary, count twice.
      sumMegabytes: all.map(residentKilobytes).reduce((sum, one) => sum + one, 0) / megabyte,
    }
  } finally {
    await service.stop()
  }
}

test('a gateway is ready after less CPU time than 60 starts of Node, and uses less than 150 MB', async ({ annotate }) => {
  // The first start on a machine compiles all modules and caches them for the next start.
  await measure('gateway')
  const starts = [await measure('gateway'), await measure('gateway'), await measure('gateway')]
  const bare = bareCpuSeconds()
  await annotate(`gateway: ${JSON.stringify({ bare, starts })}`)
  // Prisma's query compiler accounts for about 25 MB of the memory.
  for (const { residentMegabytes } of starts) expect(residentMegabytes).toBeLessThan(150)
  // The limit is relative to Node's own start, because machine speeds vary by up to 50%. Starting Prisma accounts for a third of the CPU time.
  expect(Math.min(...starts.map(({ cpuSeconds }) => cpuSeconds))).toBeLessThan(60 * bare)
}, 60_000)

test('a gateway loads less than 6 MB of source at start-up, without the packages of the portal and the worker', async ({ annotate }) => {
  const listFile = join(dataDir, 'sources.json')
  await measure('gateway', { NODE_OPTIONS: `--import=${listSources}`, SOURCES_FILE: listFile })
  const sources = JSON.parse(readFileSync(listFile, 'utf8')) as { url: string; bytes: number }[]
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0)
  await annotate(`gateway: ${bytes} bytes in ${sources.length} files`)
  const isLoaded = (name: string) => sources.some(({ url }) => url.includes(`/node_modules/${name}/`))
  expect(isLoaded('pg')).toBe(true)
  expect(lazyPackages.filter(isLoaded)).toEqual([])
  expect(bytes).toBeLessThan(6_000_000)
}, 60_000)

test('an idle service with all roles uses less than 250 MB in the gateway process, and less than 350 MB in total', async ({ annotate }) => {
  // The time of the last garbage collection changes the memory by a few per cent, so the median of three starts counts.
  const starts = [await measure('gateway,portal,worker'), await measure('gateway,portal,worker'), await measure('gateway,portal,worker')]
  await annotate(`all roles: ${JSON.stringify(starts)}`)
  for (const { residentMegabytes, processes } of starts) expect([residentMegabytes < 250, processes]).toEqual([true, 2])
  const [, median] = starts.map(({ sumMegabytes }) => sumMegabytes).toSorted((a, b) => a - b)
  expect(median).toBeLessThan(350)
}, 60_000)
