import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { type AccountOptions, type ApiAnswer, call, type KeyOptions, makeAccount, makeKey, readBody, type TestAccount } from '../../support/accounts.ts'
import { borrowService } from '../../support/borrowed-service.ts'
import { cloneDatabase } from '../../support/database.ts'
import { readLedger } from '../../support/read-ledger.ts'
import { type Mount, type ServiceProcess, startProcess } from '../../support/service-process.ts'
import { endPool, openTestPool, watched } from '../../support/test-pool.ts'

export type { ApiAnswer, TestAccount }

type Opened = {
  readonly databaseUrl: string
  readonly pool: Database
  readonly service: Pick<ServiceProcess, 'api' | 'origin' | 'log'>
  readonly agent: Agent
  readonly leave: () => Promise<void>
}

export type Caller = { readonly account: TestAccount; readonly key: string; readonly keyId: string }

const decoders: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

/** Decodes a body that may be compressed. */
function plainBody(body: Buffer, encoding: string | undefined): string {
  const decode = decoders[encoding ?? '']
  // A response to HEAD has a Content-Encoding but no body to decode.
  return (decode && body.length > 0 ? decode(body) : body).toString()
}

type Place = Pick<Opened, 'service' | 'databaseUrl' | 'leave'>

/** Starts a dedicated service with custom settings on a fresh copy of the database. */
async function ownService(mount: Mount, env: Record<string, string>): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-stage-'))
  const database = await cloneDatabase()
  const service = await startProcess({ databaseUrl: database.url, mount, dataDir, env })
  const leave = async () => {
    await service.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { service, databaseUrl: database.url, leave }
}

/** Uses a running service shared with other test files. Its database may contain their accounts. */
async function sharedService(mount: Mount): Promise<Place> {
  const { giveBack, ...rest } = await borrowService(mount)
  return { ...rest, leave: giveBack }
}

/** Test server: a service process, its database, and helpers to talk to both. */
export class Fixture {
  readonly mount: Mount
  private opened: Opened | null = null

  constructor(mount: Mount) {
    this.mount = mount
  }

  /** Uses the shared service, or starts a dedicated one if settings are given, even empty ones. */
  async open(env?: Record<string, string>): Promise<void> {
    const place = await (env ? ownService(this.mount, env) : sharedService(this.mount))
    const pool = watched(openTestPool({ connectionString: place.databaseUrl, max: 4 }))
    this.opened = { ...place, pool, agent: new Agent({ keepAlive: true, maxSockets: 16 }) }
  }

  async close(): Promise<void> {
    if (!this.opened) return
    const { pool, agent, leave } = this.opened
    agent.destroy()
    await endPool(pool)
    await leave()
  }

  private get here(): Opened {
    if (!this.opened) throw new Error('The test server is not open yet. Use it inside a test.')
    return this.opened
  }

  get pool(): Database {
    return this.here.pool
  }

  get databaseUrl(): string {
    return this.here.databaseUrl
  }

  get service(): Opened['service'] {
    return this.here.service
  }

  /** Runs a statement on the database of this test server. */
  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows
  }

  account(options: AccountOptions = {}): Promise<TestAccount> {
    return makeAccount(this.pool, options)
  }

  async getKey(account: TestAccount, options: KeyOptions = {}): Promise<Caller> {
    const { id, key } = await makeKey(this.pool, account, options)
    return { account, key, keyId: id }
  }

  /** Creates an account and a live key with all scopes. By default, the account is on the Enterprise plan and has 100 credits. */
  async live(options: AccountOptions = {}, key: KeyOptions = {}): Promise<Caller> {
    return this.getKey(await this.account(options), key)
  }

  /** Creates an account and a test key with all scopes. */
  async test(options: AccountOptions = {}, key: KeyOptions = {}): Promise<Caller> {
    return this.getKey(await this.account(options), { mode: 'test', ...key })
  }

  /** Makes a call. `path` is relative to `/v1`. */
  get(path: string, key: string | null, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return call(this.service.api, path, key, { headers })
  }

  send(method: string, path: string, key: string | null, headers: Record<string, string> = {}, body: string | null = null): Promise<ApiAnswer> {
    return call(this.service.api, path, key, { method, headers, body })
  }

  /** Sends the target and headers exactly as given, without the normalisation that fetch does. `target` is the full path. Decodes compressed bodies. */
  async raw(method: string, target: string, headers: Record<string, string | string[]> = {}, body?: string): Promise<ApiAnswer> {
    const { status, headers: received, bytes } = await this.bytes(method, target, headers, body)
    const text = plainBody(bytes, received.get('content-encoding') ?? undefined)
    return { status, headers: received, text, body: readBody(text) }
  }

  /** Sends a request like `raw`, and returns the body as it was sent. */
  bytes(
    method: string,
    target: string,
    headers: Record<string, string | string[]> = {},
    body?: string,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> {
    const { hostname, port } = new URL(this.service.origin)
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path: target, headers, agent: this.here.agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const received = Object.entries(response.headersDistinct).flatMap(([name, values]) => (values ?? []).map((value): [string, string] => [name, value]))
          resolve({ status: response.statusCode ?? 0, headers: new Headers(received), bytes: Buffer.concat(chunks) })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async balance(account: TestAccount): Promise<number> {
    const [row] = await this.sql<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [account.id])
    return Number(row?.balance)
  }

  /** Returns the ledger entries of an account without their times. */
  async ledger(account: TestAccount): Promise<{ kind: string; credits: number; balanceAfter: number }[]> {
    return readLedger(this.pool, account.id)
  }

  /** Returns the source key of a dataset's first product, in key order. */
  async productKey(dataset: 'live' | 'sample' = 'live'): Promise<string> {
    const [row] = await this.sql<{ source_key: string }>('SELECT source_key FROM product WHERE dataset = $1 ORDER BY source_key LIMIT 1', [dataset])
    return row?.source_key ?? ''
  }
}

/** Checks the invariants after any calls: the ledger is consistent, and neither errors nor test calls were charged. */
async function checkLedger(fixture: Fixture): Promise<void> {
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
  const wrong = await fixture.sql(
    'SELECT r.* FROM request_log r JOIN api_key k ON k.id = r.key_id WHERE r.credits > 0 AND (r.status <> 200 OR r.error <> 0 OR k.mode = $1)',
    ['test'],
  )
  expect(wrong).toEqual([])
}

/** Returns log lines with warnings and errors, and lines that are not in the log format. */
function troubleIn(log: string): string[] {
  const isTrouble = (line: string) => {
    const parsed = line.startsWith('{') ? (JSON.parse(line) as { level: number }) : null
    return parsed === null || parsed.level >= 40
  }
  return log.split('\n').filter((line) => line !== '' && isTrouble(line))
}

export type FixtureOptions = {
  /** Custom settings. If given, each mount runs in a dedicated process that no other file uses. */
  readonly env?: Record<string, string>
  /** Expected log lines, for warnings and errors that the tests cause on purpose. */
  readonly expectedTrouble?: RegExp
}

/**
 * Defines the same tests for both mounts. Processes and databases are shared with other files, unless custom settings or expected log lines are given. After
 * each mount's tests, the ledger must balance and the log must have no unexpected lines.
 */
export function onEachMount(define: (fixture: Fixture) => void, { env, expectedTrouble }: FixtureOptions = {}): void {
  describe.each(['lean', 'next'] as const)('%s', (mount) => {
    const fixture = new Fixture(mount)
    beforeAll(() => fixture.open(expectedTrouble ? { ...env } : env))
    afterAll(() => fixture.close())
    define(fixture)
    test('leaves a ledger that balances and a log without unexpected lines', async () => {
      await checkLedger(fixture)
      expect(troubleIn(fixture.service.log()).filter((line) => !expectedTrouble?.test(line))).toEqual([])
    })
  })
}
