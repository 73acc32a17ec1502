import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateMarket } from '#server/market/generate/generate-market.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { marketDatabase, readVersions } from '../market-database.ts'
import { checkHistory } from './stored-history.ts'

const market = marketDatabase()
const script = fileURLToPath(new URL('./import-process.ts', import.meta.url))
const files = generateMarket({ products: 1200, days: 400, seed: 11 })
const text = (name: string) => files.find(({ fileName }) => fileName === name)?.text ?? ''
const importerName = 'killed import'
let folder = ''

/** Raises the rate of every twentieth product. */
function withChanges(products: string): string {
  const lines = products.trim().split('\n')
  const changed = lines.map((line, index) => {
    const { rate, baseRate, ...rest } = JSON.parse(line) as { rate: string; baseRate: string }
    const raised = (text: string) => (Number(text) + (index % 20 === 0 ? 0.05 : 0)).toFixed(2)
    return JSON.stringify({ ...rest, rate: raised(rate), baseRate: raised(baseRate) })
  })
  return `${changed.join('\n')}\n`
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-kill-'))
  await writeFile(join(folder, 'products.ndjson'), text('products.ndjson'))
  await writeFile(join(folder, 'rate-history.ndjson'), text('rate-history.ndjson'))
  await writeFile(join(folder, 'products-changed.ndjson'), withChanges(text('products.ndjson')))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns a hash of everything that an import writes, except sequence numbers: a killed import uses up some of these. */
async function digest(): Promise<string> {
  const { rows } = await market.pool.query<{ digest: string }>(
    `SELECT md5(concat(
       (SELECT string_agg((to_jsonb(p) - 'created_at' - 'updated_at' - 'url_checked_at')::text, ',' ORDER BY source_key) FROM product p),
       (SELECT string_agg((to_jsonb(r) - 'seq' - 'detected_at')::text, ',' ORDER BY source_key, effective_date, r.seq) FROM rate_change r),
       (SELECT string_agg(concat(e.type, e.subject_key), ',' ORDER BY e.seq) FROM market_event e),
       (SELECT count(*) FROM market_import))) AS digest`,
  )
  return rows[0]?.digest ?? ''
}

/** Heap limit of the importing process. If it is exceeded, Node aborts and the import never reports success. */
const heapMegabytes = 40

/** Returns true if, according to PostgreSQL, an import has an open transaction that has written something. */
async function isWithin(): Promise<boolean> {
  const { rows } = await market.pool.query<{ within: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = $1
       AND xact_start IS NOT NULL AND backend_xid IS NOT NULL) AS within`,
    [importerName],
  )
  return rows[0]?.within ?? false
}

type Killed = { readonly said: boolean; readonly within: boolean }

/** Waits until an import is in its transaction or has ended. */
async function untilWithin(ended: Promise<void>): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded && !(await isWithin())) await sleep(5)
}

/**
 * Runs an import and kills it after a delay, or once it is in its transaction. Returns whether it had reported success and whether it was in the
 * transaction.
 */
async function kill(when: number | 'within', file: string): Promise<Killed> {
  const url = new URL(String(market.pool.options.connectionString))
  url.searchParams.set('application_name', importerName)
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, script, url.href, join(folder, file)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await (when === 'within' ? untilWithin(ended) : Promise.race([sleep(when), ended]))
  const within = await isWithin()
  child.kill('SIGKILL')
  await ended
  return { said: said.includes(file), within }
}

/** Waits until PostgreSQL has ended the session of the killed import. Until then, its transaction may hold the import lock. */
async function untilRolledBack(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await market.pool.query<{ others: number }>(
      `SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
    )
    if (rows[0]?.others === 0) return
    await sleep(50)
  }
  throw new Error('A killed import is still running.')
}

/** Yields the times of kills: first inside the transaction, then after increasing delays, so that on any machine some occur before, during and after it. */
function* moments(): Generator<number | 'within', never> {
  yield 'within'
  for (let ms = 150; ; ms = Math.ceil(ms * 1.4)) yield ms
}

/** Number of killed imports by outcome. `within` counts imports whose written rows were rolled back. */
type Seen = { nothing: number; whole: number; within: number }

/** Kills imports of a file at increasing delays until one succeeds. */
async function killUntilIn(file: string, seen: Seen): Promise<void> {
  const before = await digest()
  for (const when of moments()) {
    const { said, within } = await kill(when, file)
    await untilRolledBack()
    const isIn = (await digest()) !== before
    if (said) expect(isIn).toBe(true)
    seen[isIn ? 'whole' : 'nothing'] += 1
    if (within && !isIn) seen.within += 1
    if (isIn) break
  }
  await checkHistory(market.pool)
}

test('applies a killed import completely or not at all, and the next one succeeds', async () => {
  await importFeed(market.pool, { source: text('providers.ndjson'), fileName: 'providers.ndjson', dataset: 'live' })
  const [empty, versions] = [await digest(), await readVersions(market.pool)]
  const seen: Seen = { nothing: 0, whole: 0, within: 0 }
  for (const file of ['products.ndjson', 'rate-history.ndjson', 'products-changed.ndjson']) {
    await killUntilIn(file, seen)
  }
  expect(empty).not.toBe(await digest())
  expect(seen.nothing).toBeGreaterThan(3)
  expect(seen.within).toBeGreaterThanOrEqual(2)
  expect(await readVersions(market.pool)).toEqual({ version: versions.version + 3, marketVersion: versions.marketVersion + 3 })
  const { rows: described } = await market.pool.query<{ type: string; events: number }>(
    'SELECT type, count(*)::int AS events FROM market_event GROUP BY 1 ORDER BY 1',
  )
  expect(described).toEqual([
    { type: 'product.added', events: 1_200 },
    { type: 'rate.changed', events: 60 },
  ])
  const again = await importFeed(market.pool, { source: text('rate-history.ndjson'), fileName: 'rate-history.ndjson', dataset: 'live' })
  expect(again).toMatchObject({ added: 0, changed: 0, withdrawn: 0 })
}, 120_000)
