import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { svcProgram } from '../../support/programs.ts'
import { ndjson, product, provider } from '../feeds.ts'
import { marketDatabase, readVersions } from '../market-database.ts'
import { checkHistory, storedChanges, storedEvents } from './stored-history.ts'

const market = marketDatabase()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Ended = { code: number; output: string; errors: string }

/** Runs the operator CLI in a separate process. */
function svc(...args: string[]): Promise<Ended> {
  const env = { ...process.env, DATABASE_URL: String(market.pool.options.connectionString) }
  return new Promise((resolve) => {
    execFile(process.execPath, [svcProgram, ...args], { env, maxBuffer: 1 << 26 }, (error, output, errors) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors })
    })
  })
}

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const products = (count: number) => ndjson(...Array.from({ length: count }, (_, index) => product(`p${String(index).padStart(2, '0')}`)))

test('imports a generated market with its history, and does nothing the second time', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const options = ['--products', '120', '--days', '300', '--seed', '5']
  expect((await svc('market', 'generate', ...options, '--out', first)).code).toBe(0)
  await svc('market', 'generate', ...options, '--out', second)
  const names = (await readdir(first)).toSorted()
  expect(names).toContain('rate-history.ndjson')
  for (const name of names) expect(await readFile(join(first, name), 'utf8'), name).toBe(await readFile(join(second, name), 'utf8'))
  const files = names.map((name) => join(first, name))
  const rehearsed = await svc('market', 'import', ...files, '--dry-run', '--json')
  expect(rehearsed.code).toBe(0)
  expect(await storedChanges(market.pool)).toEqual([])
  const taken = await svc('market', 'import', ...files, '--json')
  expect([taken.code, taken.errors]).toEqual([0, ''])
  const counts = (output: string) =>
    JSON.parse(output).feeds.map((feed: Record<string, unknown>) => [feed['kind'], feed['rows'], feed['added'], feed['replaced']])
  expect(counts(rehearsed.output)).toEqual(counts(taken.output))
  await checkHistory(market.pool)
  expect((await storedEvents(market.pool)).filter(({ type }) => type === 'product.added')).toHaveLength(120)
  const versions = await readVersions(market.pool)
  expect((await svc('market', 'import', ...files)).output).toMatch(
    /^rate-history\.ndjson: \d+ past changes, 0 added, \d+ known, 0 first observations replaced$/m,
  )
  expect(await readVersions(market.pool)).toEqual(versions)
}, 60_000)

test('requires --source with refresh --confirm', async () => {
  const { code, errors } = await svc('market', 'refresh', '--confirm')
  expect([code, errors]).toEqual([1, '--confirm applies to a single feed. Pass --source.\n'])
})

test('stops a suspicious feed with exit code 1 and a reason, even in a dry run, and imports it with --confirm', async () => {
  const providers = await write('providers.ndjson', ndjson(provider('harrow')))
  const [all, few] = [await write('products.ndjson', products(40)), await write('products-few.ndjson', products(20))]
  expect((await svc('market', 'import', all, providers)).code).toBe(0)
  const before = [await storedChanges(market.pool), await readVersions(market.pool)]
  const reason = 'The feed would withdraw 20 of 40 products (50.00%); more than 20% at once requires confirmation.'
  const stopped = await svc('market', 'import', providers, few)
  expect([stopped.code, stopped.output]).toEqual([1, ''])
  expect(stopped.errors).toBe(
    `products-few.ndjson: stopped. Nothing was imported.\n  ${reason}\n  If this is correct, import the feed again with --confirm.\nAlready imported: providers.ndjson.\n`,
  )
  const asJson = await svc('market', 'import', few, '--json')
  expect([asJson.code, asJson.errors]).toEqual([1, ''])
  expect(JSON.parse(asJson.output)).toMatchObject({ lines: [reason] })
  const dry = await svc('market', 'import', few, '--dry-run')
  expect(dry.code).toBe(1)
  expect(dry.output).toContain(`  Needs --confirm: ${reason}`)
  expect(dry.output).toContain('  withdrawn p20\n')
  expect([await storedChanges(market.pool), await readVersions(market.pool)]).toEqual(before)
  expect((await svc('market', 'import', few, '--dry-run', '--confirm')).code).toBe(0)
  expect((await svc('market', 'import', few, '--confirm', '--quiet')).code).toBe(0)
  await checkHistory(market.pool)
  expect((await storedEvents(market.pool)).some(({ type }) => type === 'product.withdrawn')).toBe(false)
}, 60_000)

test('a dry run lists the first rows of each kind of change, with the changed fields', async () => {
  const providers = await write('providers.ndjson', ndjson(provider('harrow')))
  await svc('market', 'import', providers, await write('products.ndjson', products(40)))
  const next = Array.from({ length: 45 }, (_, index) => product(`p${String(index + 2).padStart(2, '0')}`, index < 15 ? { rate: '4.60', baseRate: '3.35' } : {}))
  const file = await write('products-next.ndjson', ndjson(...next, product('q', { maxBalance: null })))
  const { output, code } = await svc('market', 'import', file, '--dry-run')
  expect(code).toBe(0)
  const lines = output.split('\n')
  expect(lines[0]).toBe('products-next.ndjson: 46 product rows, 8 added, 15 changed, 0 restored, 2 withdrawn, 23 unchanged (dry run, nothing was changed)')
  expect(lines).toContain('  added     q')
  expect(lines).toContain('  changed   p02: rate 4.50 → 4.60, baseRate 3.25 → 3.35')
  expect(lines).toContain('  withdrawn p00')
  const renamed = Array.from({ length: 40 }, (_, index) => product(`p${String(index).padStart(2, '0')}`, { accountName: 'Renamed', maxBalance: null }))
  const many = await svc('market', 'import', await write('products-renamed.ndjson', ndjson(...renamed)), '--dry-run', '--json')
  const [feed] = JSON.parse(many.output).feeds
  expect(feed).toMatchObject({ changed: 40, dryRun: true })
  expect(feed.changes).toHaveLength(20)
  expect(feed.changes[0]).toEqual({
    change: 'changed',
    key: 'p00',
    fields: [
      { field: 'accountName', from: 'Easy Access Saver', to: 'Renamed' },
      { field: 'maxBalance', from: '85000.00', to: null },
    ],
  })
  expect((await svc('market', 'import', file.replace('next', 'renamed'), '--dry-run')).output).toContain('  … and 20 more changed')
}, 60_000)
