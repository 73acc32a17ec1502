import { Writable } from 'node:stream'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { EventType } from '#server/api/contract/events.ts'
import type { NewWebhook } from '#server/api/contract/webhooks.ts'
import { adjustCredits, verifyLedger } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import { createLog } from '#server/observability/log.ts'
import { fanOutToOwners } from '#server/webhooks/account-events.ts'
import { deliveriesOf } from '#server/webhooks/deliveries.ts'
import { createWebhook, switchWebhooks, webhookOf } from '#server/webhooks/endpoints.ts'
import { type EventSource, fanOut } from '#server/webhooks/fan-out.ts'
import { resumeHeld } from '#server/webhooks/resume.ts'
import type { OutgoingEvent, Reach, WebhookRoom, WebhookSettings } from '#server/webhooks/webhook-room.ts'
import { DeliveryWorker, type WorkerOptions } from '#server/webhooks/worker.ts'
import { ownDatabase } from '../../support/own-database.ts'
import { type AccountOptions, makeAccount, type TestAccount } from '../../support/world.ts'
import { firstSeq } from './made-events.ts'
import { Receiver } from './receiver.ts'

export type Endpoint = { readonly id: string; readonly secret: string; readonly account: TestAccount }

export const minuteMs = 60_000

const roomSettings: WebhookSettings = { secret: 'a secret of the tests that is long enough', developmentFeatures: true, allowsPrivate: true }

/** Every address may be called, and every name is this machine. */
const everywhere: Reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }

const everything = { providers: [], accountTypes: [], minChangeBp: null, description: '' } as const

/** Webhooks on a database of its own, with a clock that stands still until it is moved, and a receiver on this machine. The books balance at the end. */
export class WebhookStage {
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
      // Endpoints of earlier tests share the receiver.
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

  /** The time of the stage, as statements are told it. */
  get now(): Date {
    return new Date(this.nowMs)
  }

  get pool(): Pool {
    return this.database.pool
  }

  get url(): string {
    return this.database.url
  }

  get receiver(): Receiver {
    if (!this.opened) throw new Error('The receiver is there from the first test on.')
    return this.opened
  }

  room(settings: Partial<WebhookSettings> = {}): WebhookRoom {
    const lines = this.log
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()))
        done()
      },
    })
    const sample = async (type: EventType) => ({ data: `{"sampleOf":"${type}"}`, dataWithLogos: `{"sampleOf":"${type}","logos":true}` })
    return { pool: this.pool, log: createLog('warn', destination), settings: { ...roomSettings, ...settings }, sample }
  }

  /** An account that has webhooks. */
  async account(options: AccountOptions = {}): Promise<TestAccount> {
    const account = await makeAccount(this.pool, { credits: 1_000, plan: 'hobby', ...options })
    await switchWebhooks(this.room(), account.email, true)
    return account
  }

  owner({ id }: TestAccount) {
    return { accountId: id, actor: 'account', address: null } as const
  }

  async endpoint(account: TestAccount, wanted: Partial<NewWebhook> = {}): Promise<Endpoint> {
    const given = { ...everything, url: this.receiver.url(), types: ['rate.changed'], ...wanted } as NewWebhook
    return { ...(await createWebhook(this.room(), this.owner(account), given)), account }
  }

  /** Something happens in the market: as many events as there are facts about them. */
  happen(...facts: Partial<OutgoingEvent>[]): OutgoingEvent[] {
    const made = facts.map((fact, at): OutgoingEvent => {
      const seq = firstSeq + this.events.length + at
      const about = { providerSlug: 'harrow', accountType: 'easy-access', rateChangeBp: 25, createdAt: new Date(this.nowMs).toISOString() }
      const written = { data: `{"seq":${seq}}`, dataWithLogos: `{"seq":${seq},"logos":true}` }
      return { seq, id: `evt_${seq}`, type: 'rate.changed', ...about, ...written, ...fact }
    })
    this.events.push(...made)
    return made
  }

  /** The same, and it is handed on. */
  async emit(...facts: Partial<OutgoingEvent>[]): Promise<OutgoingEvent[]> {
    const made = this.happen(...facts)
    await fanOut(this.pool, this.source, { now: this.now })
    return made
  }

  /** One event. */
  async one(fact: Partial<OutgoingEvent> = {}): Promise<OutgoingEvent> {
    const [event] = await this.emit(fact)
    if (!event) throw new Error('Nothing was made.')
    return event
  }

  readonly source: EventSource = async (after, limit) => {
    const events = this.events.filter(({ seq }) => seq > after).slice(0, limit)
    return { events, last: events.at(-1)?.seq ?? after }
  }

  worker(options: Partial<WorkerOptions> = {}, settings: Partial<WebhookSettings> = {}): DeliveryWorker {
    return new DeliveryWorker(this.room(settings), { reach: everywhere, now: () => this.nowMs, databaseNow: () => this.now, ...options })
  }

  /** Sends everything that is due. */
  drain(options: Partial<WorkerOptions> = {}, settings: Partial<WebhookSettings> = {}): Promise<void> {
    return this.worker(options, settings).drain()
  }

  /** Lets time go by and sends what has become due; how many posts that were. */
  async after(ms: number): Promise<number> {
    const before = this.receiver.got.length
    this.nowMs += ms
    await this.drain()
    return this.receiver.got.length - before
  }

  /** Credits come in, or are spent elsewhere, and the worker's job sees it. */
  async credit({ id }: TestAccount, credits: number): Promise<void> {
    await adjustCredits(this.pool, id, credits, 'Of the tests.')
    await resumeHeld(this.pool, this.now)
  }

  /** Hands on what happened to accounts and sends it, though an endpoint waits for credits; how many posts that were. */
  async tellOwners(): Promise<number> {
    await fanOutToOwners(this.pool, 'https://api.example.test', { now: this.now })
    return this.resume()
  }

  /** Looks who may go on, and sends everything that is due. */
  async resume(): Promise<number> {
    await resumeHeld(this.pool, this.now)
    return this.after(0)
  }

  state({ id, account }: Endpoint) {
    return webhookOf(this.room(), account.id, id)
  }

  async deliveries({ id, account }: Endpoint) {
    return (await deliveriesOf(this.room(), account.id, id, { state: null, type: null, cursor: null })).deliveries
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

  /** What webhooks cost an account so far: one entry each, with the delivery that it is for. */
  async charges({ id }: TestAccount): Promise<[credits: number, reference: string][]> {
    const { rows } = await this.pool.query<{ credits: number; reference: string }>(
      `SELECT credits::int, reference FROM ledger_entry WHERE account_id = $1 AND kind = 'webhook' ORDER BY id`,
      [id],
    )
    return rows.map(({ credits, reference }) => [credits, reference])
  }

  /** Mails that were asked for to an account, by what they tell. */
  async notices({ email }: TestAccount): Promise<string[]> {
    const { rows } = await this.pool.query<{ notice: string }>(
      `SELECT facts ->> 'notice' AS notice FROM mail WHERE recipient = $1 AND kind = 'webhook' ORDER BY id`,
      [email],
    )
    return rows.map(({ notice }) => notice)
  }
}
