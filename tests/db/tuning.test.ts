import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnServer, startOwnServer } from '../chaos/own-server.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { startProcess } from '../support/service-process.ts'

/** Settings for this test: the machine has less memory than a database server, and no certificate. tests/security/database-tls.test.ts covers TLS. */
const own = new Set(['shared_buffers', 'effective_cache_size', 'maintenance_work_mem', 'ssl', 'ssl_cert_file', 'ssl_key_file'])

const shipped = readFileSync(join(import.meta.dirname, '../../deploy/postgresql.conf'), 'utf8')
const all = Object.fromEntries([...shipped.matchAll(/^([a-z_]+) = '?([^'\n]+)'?$/gm)].map(([, name = '', value = '']) => [name, value]))

const settings = Object.fromEntries(Object.entries(all).filter(([name]) => !own.has(name)))

let server: OwnServer
beforeAll(async () => {
  server = await startOwnServer({ settings })
}, 60_000)
afterAll(() => server?.[Symbol.asyncDispose]())

test('PostgreSQL accepts deploy/postgresql.conf, and the service works with it', async () => {
  expect(Object.keys(settings).length).toBeGreaterThan(20)
  const { rows } = await server.pool.query<{ name: string; value: string; known: boolean }>(
    'SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY ($1)',
    [Object.keys(all)],
  )
  const found = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(all).toSorted())
  expect(Object.fromEntries(Object.keys(settings).map((name) => [name, found[name]]))).toEqual(settings)
  const service = await startProcess({ databaseUrl: server.url, mount: 'lean', dataDir: 'unused' })
  const { key } = await makeKey(server.pool, await makeAccount(server.pool))
  expect((await call(service.api, '/reference/products', key)).status).toBe(200)
  await service.stop()
})

test('wallets and meters are vacuumed by their number of dead rows, not by the size of the table', async () => {
  const { rows } = await server.pool.query<{ name: string; options: string[] }>(
    "SELECT relname AS name, reloptions AS options FROM pg_class WHERE relname IN ('wallet', 'key_meter') AND relkind = 'r' ORDER BY 1",
  )
  expect(rows.map(({ name }) => name)).toEqual(['key_meter', 'wallet'])
  for (const { options } of rows) expect(options).toContain('autovacuum_vacuum_threshold=5000')
})
