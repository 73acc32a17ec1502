/**
 * npm run bench:usage
 * Measures the usage page of an account with a million calls, relative to computing the same figures by scanning the log. See bench/README.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastDays } from '#components/portal/usage-view.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { createKey } from '#server/keys/keys.ts'
import { addUpUsage } from '#server/metering/usage.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { Visitor } from '../tests/portal/support/visitor.ts'
import { startProcess } from '../tests/support/service-process.ts'
import { openBenchDatabase, settle } from './database.ts'
import { median } from './figures.ts'
import { type Amounts, calls, days, fillCalls, scanLog } from './usage.store.ts'

const rounds = 15
const keys = 5
const maxPageMs = 150
const password = 'a benchmark that signs in'
const email = 'usage@bench.test'

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const from = performance.now()
  const result = await work()
  return { ms: performance.now() - from, result }
}

function assertSame(name: string, one: Amounts, other: Amounts): void {
  if (one.calls !== other.calls || one.credits !== other.credits) throw new Error(`${name}: ${JSON.stringify(one)} differs from ${JSON.stringify(other)}.`)
}

async function main(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-usage-'))
  cleanUp.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const database = await openBenchDatabase(join(scratch, 'usage'))
  cleanUp.defer(() => database.stop())
  const { pool } = database
  const request = { email, password, plan: 'enterprise' as const, isAdmin: false, isApproved: true, isVerified: true }
  const { id } = await openAccount(pool, request, { kind: 'adjustment', credits: 100 })
  for (let index = 0; index < keys; index++) await createKey(pool, { accountId: id, mode: 'live', scopes: ['rates:read'], name: `Key ${index}` })
  await fillCalls(pool, id)
  const added = await timed(() => addUpUsage(pool))
  await settle(pool)
  console.log(`  ${calls} calls rolled up in ${(added.ms / 1000).toFixed(1)} s`)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const service = await startProcess({
    databaseUrl: database.url,
    mount: 'next',
    dataDir: scratch,
    env: { PORT: String(port), PUBLIC_URL: origin, ROLES: 'portal' },
  })
  cleanUp.defer(() => service.stop())
  const visitor = new Visitor(origin)
  await visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email, password })
  const range = lastDays(days, new Date())
  const times: Record<'scan' | 'sums' | 'page', number[]> = { scan: [], sums: [], page: [] }
  for (let round = 0; round <= rounds; round++) {
    const scan = await timed(() => scanLog(pool, id, range.from, range.to))
    const sums = await timed(() => usageReport(pool, id, { ...range, by: 'endpoint' }, operations))
    const page = await timed(() => visitor.open(`/portal/usage?days=${days}`))
    assertSame('Scan and sums', scan.result, sums.result.totals)
    if (!page.result.text.includes(sums.result.totals.calls.toLocaleString('en-GB'))) throw new Error('The page does not show the calls.')
    // The first round is a warm-up.
    if (round > 0) for (const [name, { ms }] of Object.entries({ scan, sums, page })) times[name as keyof typeof times].push(ms)
  }
  const most = (name: keyof typeof times) => Math.max(...times[name])
  for (const name of ['scan', 'sums', 'page'] as const)
    console.log(`  ${name.padEnd(5)} median ${median(times[name])?.toFixed(1)} ms, max ${most(name).toFixed(1)} ms`)
  if ((median(times.page) ?? maxPageMs) >= maxPageMs) throw new Error(`The page takes ${maxPageMs} ms or more.`)
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
