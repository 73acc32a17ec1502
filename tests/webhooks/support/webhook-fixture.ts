import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { EventType, NewWebhook } from '#server/api/contract/webhooks.ts'
import { adjustCredits, verifyLedger } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { createLog } from '#server/observability/log.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { getDeliveries } from '#server/webhooks/deliveries.ts'
import { DeliveryWorker, type WorkerOptions } from '#server/webhooks/delivery-worker.ts'
import { getWebhook } from '#server/webhooks/endpoints.ts'
import { type EventSource, fanOut, fanOutToOwners, resumeHeld } from '#server/webhooks/fan-out.ts'
import { createWebhook } from '#server/webhooks/manage-endpoints.ts'
import type { OutgoingEvent, Reach, WebhookDeps, WebhookSettings } from '#server/webhooks/webhook-deps.ts'
import { type AccountOptions, makeAccount, type TestAccount } from '../../support/accounts.ts'
import { ownDatabase } from '../../support/own-database.ts'
import { firstSeq } from './made-events.ts'
import { Receiver } from './receiver.ts'

export type Endpoint = { readonly id: string; readonly secret: string; readonly account: TestAccount }

export const minuteMs = 60_000

const depsSettings: WebhookSettings = { secret: 'a secret of the tests that is long enough', developmentFeatures: true, allowsPrivate: true }

/** Allows every address and resolves every name to this machine. */
const everywhere: Reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }

const everything = { providers: [], accountTypes: [], minChangeBp: null, description: '' } as const

/** Test fixture: webhooks on a separate database, with a fake clock and a local receiver. Verifies the ledger at the end. */
export class WebhookFixture {
  private readonly database = ownDatabase({ max: 8 })
  private readonly events: OutgoingEvent[] = []
  private opened: Receiver | undefined
  readonly log: { level: number; msg: string }[] = []
  nowMs = Date.UTC(2026, 10, 23, 9)

  constructor() {
    const realNow = clock.now
    beforeAll(async () => {
      this.opened = await Receiver.open()
    })
    beforeEach(async () => {
      // Deletes all endpoints, because those of earlier tests use the same receiver and must not be sent anything.
      await this.pool.query("UPDATE webhook_endpoint SET state = 'deleted'")
      await this.pool.query('UPDATE webhook_progress SET after_seq = greatest(after_seq, $1)', [this.events.at(-1)?.seq ?? 0])
      clock.now = () => this.nowMs
      this.receiver.got.length = 0
      this.receiver.next.length = 0
      this.receiver.usual = 200
    })
    afterEach(() => {
      clock.now = realNow
      expect(this.log).toEqual([])
    })
    afterAll(async () => {
      expect((await verifyLedger(this.pool)).differences).toEqual([])
      await this.opened?.close()
    })
  }

  /** Returns the time of the fake clock. */
  get now(): Date {
    return new Date(this.nowMs)
  }

  get pool(): Database {
    return this.database.pool
  }

  get url(): string {
    return this.database.url
  }

  get receiver(): Receiver {
    if (!this.opened) throw new Error('The receiver is not open yet. Use it inside a test.')
    return this.opened
  }

  deps(settings: Partial<WebhookSettings> = {}): WebhookDeps {
    const lines = this.log
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()))
        done()
      },
    })
    const sample = async (type: EventType) => ({ data: `{"sampleOf":"${type}"}`, dataWithLogos: `{"sampleOf":"${type}","logos":true}` })
    return { pool: this.pool, log: createLog('warn', destination), settings: { ...depsSettings, ...settings }, sample }
  }

  /** Creates an account with webhooks enabled. */
  async account(options: AccountOptions = {}): Promise<TestAccount> {
    const account = await makeAccount(this.pool, { credits: 1_000, plan: 'hobby', ...options })
    await switchWebhooks(this.deps(), account.email, true)
    return account
  }

  owner({ id }: TestAccount) {
    return { accountId: id, actor: 'account', address: null } as const
  }

  async endpoint(account: TestAccount, wanted: Partial<NewWebhook> = {}): Promise<Endpoint> {
    const given = { ...everything, url: this.receiver.url(), types: ['rate.changed'], ...wanted } as NewWebhook
    return { ...(await createWebhook(this.deps(), this.owner(account), given)), account }
  }

  /** Creates market events, one per argument, without fanning them out. */
  happen(...facts: Partial<OutgoingEvent>[]): OutgoingEvent[] {
    const made = facts.map((fact, at): OutgoingEvent => {
      const seq = firstSeq + this.events.length + at
      const about = { providerSlug: 'harrow', accountType: 'easy-access', rateChangeBp: 25, createdAt: new Date(this.nowMs).toISOString() }
      const written = { data: `{"seq":${seq}}`, dataWithLogos: `{"seq":${seq},"logos":true}` }
      return { seq, mode: 'live', id: `evt_${seq}`, type: 'rate.changed', ...about, ...written, ...fact }
    })
    this.events.push(...made)
    return made
  }

  /** Creates market events and fans them out. */
  async emit(...facts: Partial<OutgoingEvent>[]): Promise<OutgoingEvent[]> {
    const made = this.happen(...facts)
    await fanOut(this.pool, this.source, { now: this.now })
    return made
  }

  /** Creates and fans out one event. */
  async one(fact: Partial<OutgoingEvent> = {}): Promise<OutgoingEvent> {
    const [event] = await this.emit(fact)
    if (!event) throw new Error('No event was created.')
    return event
  }

  readonly source: EventSource = async (after, limit) => {
    const events = this.events.filter(({ seq }) => seq > after).slice(0, limit)
    return { events, last: events.at(-1)?.seq ?? after }
  }

  /** Creates a worker with a longer timeout than in production, so that a busy machine doesn't turn deliveries into failures. */
  worker(options: Partial<WorkerOptions> = {}, settings: Partial<WebhookSettings> = {}): DeliveryWorker {
    const defaults = { reach: everywhere, timeoutMs: 20_000, now: () => this.nowMs, databaseNow: () => this.now }
    return new DeliveryWorker(this.deps(settings), { ...defaults, ...options })
  }

  /** Sends everything that is due. */
  drain(options: Partial<WorkerOptions> = {}, settings: Partial<WebhookSettings> = {}): Promise<void> {
    return this.worker(options, settings).drain()
  }

  /** Advances the clock and sends everything due. Returns the number of requests. */
  async after(ms: number): Promise<number> {
    const before = this.receiver.got.length
    this.nowMs += ms
    await this.drain()
    return this.receiver.got.length - before
  }

  /** Adds or removes credits and runs the resume job. */
  async credit({ id }: TestAccount, credits: number): Promise<void> {
    await adjustCredits(this.pool, id, credits, 'For testing.')
    await resumeHeld(this.pool, this.now)
  }

  /** Fans out account events and sends them, even to held endpoints. Returns the number of requests. */
  async notifyOwners(): Promise<number> {
    await fanOutToOwners(this.pool, 'https://api.example.test', { now: this.now })
    return this.resume()
  }

  /** Runs the resume job and sends everything due. Returns the number of requests. */
  async resume(): Promise<number> {
    await resumeHeld(this.pool, this.now)
    return this.after(0)
  }

  state({ id, account }: Endpoint) {
    return getWebhook(this.deps(), account.id, id)
  }

  async deliveries({ id, account }: Endpoint) {
    return (await getDeliveries(this.deps(), account.id, id, { state: null, type: null, cursor: null })).deliveries
  }

  async delivery(endpoint: Endpoint) {
    const [newest] = await this.deliveries(endpoint)
    if (!newest) throw new Error('There is no delivery.')
    return newest
  }

  async balance({ id }: TestAccount): Promise<number> {
    const { rows } = await this.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [id])
    return Number(rows[0]?.balance)
  }

  /** Returns an account's ledger entries for webhooks: credits and delivery id. */
  async charges({ id }: TestAccount): Promise<[credits: number, reference: string][]> {
    const { rows } = await this.pool.query<{ credits: number; reference: string }>(
      `SELECT credits::int, reference FROM ledger_entry WHERE account_id = $1 AND kind = 'webhook' ORDER BY id`,
      [id],
    )
    return rows.map(({ credits, reference }) => [credits, reference])
  }

  async notices({ email }: TestAccount): Promise<string[]> {
    const { rows } = await this.pool.query<{ notice: string }>(
      `SELECT data ->> 'notice' AS notice FROM email WHERE recipient = $1 AND kind = 'webhook' ORDER BY id`,
      [email],
    )
    return rows.map(({ notice }) => notice)
  }
}
