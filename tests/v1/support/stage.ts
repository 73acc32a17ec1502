import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ledgerOf, verifyLedger } from '#server/billing/ledger.ts'
import { borrowService } from '../../support/borrowed-service.ts'
import { cloneDatabase } from '../../support/database.ts'
import { endPool, watched } from '../../support/own-database.ts'
import { type Mount, type ServiceProcess, startProcess } from '../../support/service-process.ts'
import { type AccountOptions, type ApiAnswer, call, type KeyOptions, makeAccount, makeKey, readBody, type TestAccount } from '../../support/world.ts'

export type { ApiAnswer, TestAccount }

type Opened = {
  readonly databaseUrl: string
  readonly pool: Pool
  readonly service: Pick<ServiceProcess, 'api' | 'origin' | 'log'>
  readonly agent: Agent
  readonly leave: () => Promise<void>
}

export type Caller = { readonly account: TestAccount; readonly key: string; readonly keyId: string }

const decoders: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

/** The text of a body that may have come compressed. */
function plainBody(body: Buffer, encoding: string | undefined): string {
  const decode = decoders[encoding ?? '']
  // The answer to HEAD names an encoding and has nothing to decode.
  return (decode && body.length > 0 ? decode(body) : body).toString()
}

type Place = Pick<Opened, 'service' | 'databaseUrl' | 'leave'>

/** A service of its own, with settings of its own, on a copy of the database that nobody had before. */
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

/** A service as other test files have it before and after, with whatever accounts they left. */
async function sharedService(mount: Mount): Promise<Place> {
  const { giveBack, ...rest } = await borrowService(mount)
  return { ...rest, leave: giveBack }
}

/** One service process, its database, and what a test needs to talk to both. */
export class Stage {
  readonly mount: Mount
  private opened: Opened | null = null

  constructor(mount: Mount) {
    this.mount = mount
  }

  /** Borrows a service; with settings, be they none, it starts one for itself. */
  async open(env?: Record<string, string>): Promise<void> {
    const place = await (env ? ownService(this.mount, env) : sharedService(this.mount))
    const pool = watched(new Pool({ connectionString: place.databaseUrl, max: 4 }))
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
    if (!this.opened) throw new Error('The stage is not open yet: use it inside of a test.')
    return this.opened
  }

  get pool(): Pool {
    return this.here.pool
  }

  get databaseUrl(): string {
    return this.here.databaseUrl
  }

  get service(): Opened['service'] {
    return this.here.service
  }

  /** The rows of a statement on the database of this stage. */
  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows
  }

  account(options: AccountOptions = {}): Promise<TestAccount> {
    return makeAccount(this.pool, options)
  }

  async keyOf(account: TestAccount, options: KeyOptions = {}): Promise<Caller> {
    const { id, key } = await makeKey(this.pool, account, options)
    return { account, key, keyId: id }
  }

  /** A live key with all scopes, of an account of its own: Enterprise with 100 credits unless told otherwise. */
  async live(options: AccountOptions = {}, key: KeyOptions = {}): Promise<Caller> {
    return this.keyOf(await this.account(options), key)
  }

  /** A test key with all scopes, of an account of its own. */
  async test(options: AccountOptions = {}, key: KeyOptions = {}): Promise<Caller> {
    return this.keyOf(await this.account(options), { mode: 'test', ...key })
  }

  /** Calls as any client would. `path` begins behind `/v1`. */
  get(path: string, key: string | null, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return call(this.service.api, path, key, { headers })
  }

  send(method: string, path: string, key: string | null, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return call(this.service.api, path, key, { method, headers })
  }

  /** Sends target and headers exactly as given, without the care that fetch takes of them. `target` is the whole path. */
  raw(method: string, target: string, headers: Record<string, string | string[]> = {}, body?: string): Promise<ApiAnswer> {
    const { hostname, port } = new URL(this.service.origin)
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path: target, headers, agent: this.here.agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = plainBody(Buffer.concat(chunks), response.headers['content-encoding'])
          const received = Object.entries(response.headersDistinct).flatMap(([name, values]) => (values ?? []).map((value): [string, string] => [name, value]))
          resolve({ status: response.statusCode ?? 0, headers: new Headers(received), text, body: readBody(text) })
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

  /** The entries of an account without their times. */
  async ledger(account: TestAccount): Promise<{ kind: string; credits: number; balanceAfter: number }[]> {
    return (await ledgerOf(this.pool, account.id)).map(({ kind, credits, balanceAfter }) => ({ kind, credits, balanceAfter }))
  }

  /** A listed product of a dataset, the first by its key. */
  async productKey(dataset: 'live' | 'sample' = 'live'): Promise<string> {
    const [row] = await this.sql<{ source_key: string }>('SELECT source_key FROM product WHERE dataset = $1 ORDER BY source_key LIMIT 1', [dataset])
    return row?.source_key ?? ''
  }
}

/** What holds after any number of calls: true books, no paid error, no paid test call. */
async function checkBooks(stage: Stage): Promise<void> {
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
  const wrong = await stage.sql(
    'SELECT r.* FROM request_log r JOIN api_key k ON k.id = r.key_id WHERE r.credits > 0 AND (r.status <> 200 OR r.error <> 0 OR k.mode = $1)',
    ['test'],
  )
  expect(wrong).toEqual([])
}

/** Lines of the log that report trouble: warnings, errors, and anything that is no line of the log at all. */
function troubleIn(log: string): string[] {
  const isTrouble = (line: string) => {
    const parsed = line.startsWith('{') ? (JSON.parse(line) as { level: number }) : null
    return parsed === null || parsed.level >= 40
  }
  return log.split('\n').filter((line) => line !== '' && isTrouble(line))
}

export type StageOptions = {
  /** Settings of its own. With them each mount is a process that no other file meets. */
  readonly env?: Record<string, string>
  /** Trouble that the tests provoke on purpose: lines of the log that match are expected. */
  readonly expectedTrouble?: RegExp
}

/**
 * Defines the same tests for both mounts. Their processes and databases are those of other files as well, before and after, unless settings or expected
 * trouble make them special. At the end of each the books have to balance and its log has to be quiet.
 */
export function onEachMount(define: (stage: Stage) => void, { env, expectedTrouble }: StageOptions = {}): void {
  describe.each(['lean', 'next'] as const)('%s', (mount) => {
    const stage = new Stage(mount)
    beforeAll(() => stage.open(expectedTrouble ? { ...env } : env))
    afterAll(() => stage.close())
    define(stage)
    test('afterwards the books balance and the log is quiet', async () => {
      await checkBooks(stage)
      expect(troubleIn(stage.service.log()).filter((line) => !expectedTrouble?.test(line))).toEqual([])
    })
  })
}
