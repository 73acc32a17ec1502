/**
 * npm run bench:memory [-- --requests 1000000]
 * Measures the memory of one gateway under a mixed load of a million requests, after every 100,000. See bench/README.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifyLedger } from '#server/billing/ledger.ts'
import { newKey } from '#server/keys/key-format.ts'
import { flood } from '../tests/support/flood.ts'
import { MemoryMonitor, type MemoryNow, watchable } from '../tests/support/memory-monitor.ts'
import { startProcess } from '../tests/support/service-process.ts'
import { makeKeys } from './accounts.ts'
import { openBenchDatabase } from './database.ts'
import { machineName } from './report.ts'

const parts = 10
const connections = 32
const accounts = 50
const megabyte = 1_048_576

/** Maximum growth of the average, in MB, from the first third of the parts after the warm-up to the last third. */
const bounds = { heapUsed: 12, rss: 40 } as const
/** Number of warm-up parts, in which caches fill. */
const warmUp = 1

type Part = MemoryNow & { readonly answered: number; readonly aSecond: number; readonly statuses: string }

const text = (line: string, headers: readonly string[], body = '') => [`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', body].join('\r\n')

const toolCall = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'rates', arguments: { limit: 3 } } })
const toolList = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

const types = ['all', 'easy-access', 'fixed-rate', 'notice', 'cash-isa', 'regular-saver']

/** Twenty kinds of requests, sent in turn. Some repeat, others are unique. */
function makeMix(keys: readonly string[], tag: string, sourceKey: string): (at: number) => string {
  const auth = (at: number) => `Authorization: Bearer ${keys[at % keys.length]}`
  const get = (at: number, path: string, ...more: string[]) => text(`GET /v1${path}`, [auth(at), ...more])
  const tool = (at: number, message: string) => text('POST /mcp', [auth(at), 'Content-Type: application/json', `Content-Length: ${message.length}`], message)
  const visitor = (at: number) => `X-Forwarded-For: 10.${at % 250}.${(at >> 8) % 250}.${(at >> 16) % 250}`
  const kinds: ((at: number) => string)[] = [
    (at) => get(at, `/rates?limit=10&type=${types[at % types.length]}`),
    (at) => get(at, '/rates?limit=50'),
    (at) => get(at, `/rates?limit=5&amount=${at % 10_000}`),
    (at) => get(at, '/rates?limit=10', `If-None-Match: ${tag}`),
    (at) => get(at, `/rates/${sourceKey}`),
    (at) => get(at, `/rates/${sourceKey}`, `Idempotency-Key: ${at}`),
    (at) => get(at, '/providers?limit=20'),
    (at) => get(at, '/reference/currencies'),
    (at) => get(at, '/history?limit=5'),
    (at) => get(at, '/me'),
    (at) => get(at, '/ping'),
    (at) => get(at, `/rates?limt=${at}`),
    (at) => get(at, `/rates/none-${at}`),
    (at) => get(at, `/nothing/${at}`),
    (at) => get(at, '/rate-trends'),
    (at) => tool(at, toolCall),
    (at) => tool(at, toolCall),
    (at) => (at % 200 === 17 ? tool(at, toolList) : get(at, '/fx/rates?limit=3')),
    (at) => text('GET /v1/rates', [`Authorization: Bearer ${newKey('live')}`, visitor(at)]),
    (at) => text(`GET /v1/${at}`, [visitor(at)]),
  ]
  return (at) => (kinds[at % kinds.length] as (at: number) => string)(at)
}

const average = (all: readonly Part[], name: keyof typeof bounds) => all.reduce((sum, part) => sum + part[name], 0) / all.length / megabyte

/** Growth from the first third after the warm-up to the last third, in megabytes. */
function growthMegabytes(all: readonly Part[], name: keyof typeof bounds): number {
  const warm = all.slice(warmUp)
  const third = Math.floor(warm.length / 3)
  return average(warm.slice(-third), name) - average(warm.slice(0, third), name)
}

const inMegabytes = (bytes: number) => (bytes / megabyte).toFixed(1)

function formatReport(all: readonly Part[]): string {
  const rows = all.map(
    ({ answered, aSecond, rss, heapUsed, external }) =>
      `| ${answered.toLocaleString('en-GB')} | ${Math.round(aSecond).toLocaleString('en-GB')} | ${[rss, heapUsed, external].map(inMegabytes).join(' | ')} |`,
  )
  const growth = (['heapUsed', 'rss'] as const).map((name) => `${name} ${growthMegabytes(all, name).toFixed(1)} MB of ${bounds[name]} MB`).join(', ')
  const head = ['| Requests | A second | RSS, MB | Heap, MB | Outside of the heap, MB |', '| --- | --- | --- | --- | --- |']
  return [
    `# Memory, ${new Date().toISOString().slice(0, 10)}, ${machineName()}`,
    '',
    ...head,
    ...rows,
    '',
    `Growth from the first third to the last: ${growth}.`,
    '',
  ].join('\n')
}

async function main(requests: number): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-memory-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'memory'))
  cleanUp.defer(() => database.stop())
  const keys = await makeKeys(database.pool, 'memory', accounts)
  const env = { ROLES: 'gateway', TRUST_PROXY: '127.0.0.1,::1', ...watchable }
  const service = await startProcess({ databaseUrl: database.url, mount: 'lean', dataDir: scratch, env })
  cleanUp.defer(() => service.stop())
  const watch = await MemoryMonitor.open(service.log())
  cleanUp.defer(() => watch.close())
  const first = await fetch(`${service.api}/rates?limit=10`, { headers: { authorization: `Bearer ${keys[0]}` } })
  const { data } = (await first.json()) as { data: { sourceKey: string }[] }
  const targetAt = makeMix(keys, first.headers.get('etag') ?? '', data[0]?.sourceKey ?? '')
  const port = Number(new URL(service.origin).port)
  const all: Part[] = []
  for (let part = 0; part < parts; part++) {
    const size = Math.ceil(requests / parts)
    const from = performance.now()
    const statuses = await flood({ port, requests: size, connections, getRequest: (at) => targetAt(part * size + at) })
    const aSecond = size / ((performance.now() - from) / 1_000)
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    all.push({ ...(await watch.now()), answered: (part + 1) * size, aSecond, statuses: counts.join(', ') })
    console.log(`  ${all.at(-1)?.answered} requests, heap ${inMegabytes(all.at(-1)?.heapUsed ?? 0)} MB (${counts.join(', ')})`)
  }
  const page = formatReport(all)
  console.log(`\n${page}`)
  if (requests >= 1_000_000) writeFileSync(fileURLToPath(new URL('results-memory.md', import.meta.url)), page)
  const { differences } = await verifyLedger(database.pool)
  if (differences.length > 0) throw new Error(`${differences.length} balances are not the sum of their entries.`)
  for (const name of ['heapUsed', 'rss'] as const)
    if (growthMegabytes(all, name) > bounds[name]) throw new Error(`Memory grows: ${name}, by more than ${bounds[name]} MB.`)
}

const asked = /^--requests=?(\d+)$/.exec(process.argv.slice(2).join('='))?.[1]

await main(Number(asked ?? 1_000_000)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
