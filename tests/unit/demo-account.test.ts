import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { scopeNames } from '#server/api/contract/access.ts'
import type { Database } from '#server/db/prisma.ts'
import { readEnv } from '#server/env.ts'
import { hashKey } from '#server/keys/key-secret.ts'
import { createKey } from '#server/keys/keys.ts'
import { announce, type Demonstration, seedDemonstration } from '#server/runtime/demo-account.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { endPool, openTestPool, watched } from '../support/test-pool.ts'

type Demo = { email: string; password: string; testKey: string; liveKey: string }

let opened: { database: TestDatabase; pool: Database }[] = []
let pool: Database
let dataDir = ''

/** Switches to a new database without accounts. Each test needs a separate one, because ledger entries cannot be deleted. */
async function takeNewDatabase(): Promise<void> {
  const database = await cloneDatabase()
  pool = watched(openTestPool({ connectionString: database.url, max: 8 }))
  opened.push({ database, pool })
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-demo-'))
  await takeNewDatabase()
})

afterEach(async () => {
  for (const one of opened) {
    await endPool(one.pool)
    await one.database.drop()
  }
  opened = []
  await rm(dataDir, { recursive: true, force: true })
})

const env = () => readEnv({ DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv)
const file = () => join(dataDir, 'demo.json')
const readDemo = async () => JSON.parse(await readFile(file(), 'utf8')) as Demo

/** Creates or updates the demonstration account as the service does at start-up, and returns its credentials. */
async function start(): Promise<Demo & Demonstration> {
  const found = await seedDemonstration(pool, env())
  return { ...(await readDemo()), ...found }
}

async function worksWith(password: string): Promise<boolean> {
  const { rows } = await pool.query<{ password_hash: string }>(`SELECT password_hash FROM account WHERE email = 'demo@example.test'`)
  expect(rows).toHaveLength(1)
  return verify(rows[0]?.password_hash ?? '', password)
}

/** Returns whether each key works, in order. */
async function working(...keys: string[]): Promise<boolean[]> {
  const { rows } = await pool.query<{ hash: Buffer }>(
    'SELECT k.hash FROM api_key k JOIN key_meter m ON m.key_id = k.id WHERE k.revoked_at IS NULL AND m.ends_at IS NULL',
  )
  const known = new Set(rows.map(({ hash }) => hash.toString('hex')))
  return keys.map((key) => known.has(hashKey(key).toString('hex')))
}

test('creates an account with a working password and keys at the first start only', async () => {
  const first = await start()
  expect([first.isNew, first.isRenewed]).toEqual([true, false])
  expect(await worksWith(first.password)).toBe(true)
  expect(await working(first.testKey, first.liveKey)).toEqual([true, true])
  const text = await readFile(file(), 'utf8')
  expect((await start()).isNew).toBe(false)
  expect(await readFile(file(), 'utf8')).toBe(text)
  expect((await pool.query('SELECT id FROM api_key')).rows).toHaveLength(2)
})

const losses: [what: string, lose: () => Promise<unknown>][] = [
  ['is missing', () => rm(file())],
  ['is empty', () => writeFile(file(), '')],
  ['is truncated', async () => writeFile(file(), (await readFile(file(), 'utf8')).slice(0, 60))],
  ['lacks a key', () => writeFile(file(), '{"email":"demo@example.test","password":"x","testKey":"svc_test_x"}')],
]

test.each(losses)('replaces the password and keys when demo.json %s', async (_what, lose) => {
  const before = await start()
  await lose()
  const after = await start()
  expect(after.isRenewed).toBe(true)
  expect([await worksWith(before.password), await worksWith(after.password)]).toEqual([false, true])
  expect(await working(before.testKey, before.liveKey, after.testKey, after.liveKey)).toEqual([false, false, true, true])
  // The account is unchanged and keeps its credits.
  expect((await pool.query('SELECT balance FROM wallet')).rows).toEqual([{ balance: '1000' }])
})

test('keeps keys that users created on the account', async () => {
  await start()
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM account')
  const own = await createKey(pool, { accountId: Number(rows[0]?.id), mode: 'live', scopes: scopeNames, name: 'Mine' })
  await rm(file())
  await start()
  expect(await working(own.key)).toEqual([true])
})

test('replaces a demo.json left over from another database', async () => {
  const before = await start()
  await takeNewDatabase()
  const after = await start()
  expect(after.password).not.toBe(before.password)
  expect(await worksWith(after.password)).toBe(true)
  expect(await working(after.testKey, after.liveKey)).toEqual([true, true])
})

test('recreates demo.json once when two processes find it missing', async () => {
  await start()
  await rm(file())
  await Promise.all([start(), start(), start()])
  const kept = await readDemo()
  expect(await worksWith(kept.password)).toBe(true)
  expect(await working(kept.testKey, kept.liveKey)).toEqual([true, true])
  expect((await pool.query('SELECT id FROM api_key WHERE revoked_at IS NULL')).rows).toHaveLength(2)
})

test('prints the credentials only when they are new, and otherwise the path of demo.json', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const demo = await start()
    const secret = 'a secret of the tests that is long enough'
    announce(env(), secret, { isNew: true, isRenewed: false })
    announce(env(), secret, { isNew: true, isRenewed: true })
    announce(env(), secret, { isNew: false, isRenewed: false })
    const [made = '', renewed = '', later = ''] = written.mock.calls.map(([text]) => String(text))
    for (const text of [made, renewed]) for (const word of [demo.email, demo.password, demo.testKey, demo.liveKey]) expect(text).toContain(word)
    for (const word of [demo.password, demo.testKey, demo.liveKey]) expect(later).not.toContain(word)
    expect(later).toContain(file())
    expect(made).not.toContain('lost')
    expect(renewed).toContain("demo.json is missing, and keys can't be shown again. Created a new password and new keys, and revoked the old keys.")
  } finally {
    written.mockRestore()
  }
})

test('restricts demo.json to its owner, even after a chmod', async () => {
  await start()
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  await chmod(file(), 0o644)
  await start()
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})
