import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { BillingDeps, BillingSettings } from '#server/billing/billing-deps.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { type EventAnswer, receiveEvent } from '#server/billing/receive-stripe-event.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import type { Database } from '#server/db/prisma.ts'
import { createLog } from '#server/observability/log.ts'
import { type AccountOptions, makeAccount, type TestAccount } from '../../support/accounts.ts'
import { ownDatabase } from '../../support/own-database.ts'
import { type Charge, getEvent, newId, type Payment, type Session, type StripeEvent, sign, webhookSecret } from './stripe-objects.ts'
import { StripeServer, testKey } from './stripe-server.ts'

export type LogLine = { readonly level: number; readonly msg: string; readonly reason?: string; readonly [name: string]: unknown }

export type Entry = { kind: string; credits: number; balance_after: number; actor: string; reason: string; reference: string | null }

const publicUrl = 'https://api.example.test'

export const getSettings = (stripe: StripeServer, changes: Partial<BillingSettings> = {}): BillingSettings => ({
  stripeKey: testKey,
  webhookSecret,
  stripeBase: stripe.base,
  vat: null,
  fourEyesCredits: 1_000,
  developmentFeatures: true,
  publicUrl,
  secret: 'a secret of the tests that is long enough',
  ...changes,
})

/** Top-up with an open checkout. */
export type Started = { readonly account: TestAccount; readonly topUp: string; readonly session: Session }
export type Paid = Started & { readonly payment: Payment; readonly charge: Charge }

/** Billing on a separate database with a local test Stripe server. At the end, the ledger must balance, and Stripe must not have rejected any request. */
export class BillingFixture {
  private readonly database = ownDatabase({ max: 8 })
  private opened: StripeServer | undefined
  readonly log: LogLine[] = []

  constructor() {
    beforeAll(async () => {
      this.opened = await StripeServer.open()
    })
    beforeEach(() => {
      this.log.length = 0
    })
    afterAll(async () => {
      expect((await verifyLedger(this.pool)).differences).toEqual([])
      expect(this.stripe.faults).toEqual([])
      await this.opened?.close()
    })
  }

  get pool(): Database {
    return this.database.pool
  }

  get url(): string {
    return this.database.url
  }

  get stripe(): StripeServer {
    if (!this.opened) throw new Error('The Stripe server is not running yet. Use it inside a test.')
    return this.opened
  }

  deps(changes: Partial<BillingSettings> = {}): BillingDeps {
    const lines = this.log
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as LogLine)
        done()
      },
    })
    return openBilling(getSettings(this.stripe, changes), this.pool, createLog('info', destination))
  }

  account(options: AccountOptions = {}): Promise<TestAccount> {
    return makeAccount(this.pool, { credits: 0, ...options })
  }

  /** Sends an event as Stripe would. */
  send(event: StripeEvent, deps = this.deps()): Promise<EventAnswer> {
    const { body, signature } = sign(event)
    return receiveEvent(deps, Buffer.from(body), signature)
  }

  async start(account: TestAccount, amountPence = 2_000, { deps = this.deps(), savesCard = false } = {}): Promise<Started> {
    const { topUp, url } = await startTopUp(deps, account.id, { key: newId('key'), amountPence, savesCard })
    const session = [...this.stripe.sessions.values()].find((one) => one.url === url)
    if (!session) throw new Error(`No checkout was opened at ${url}.`)
    return { account, topUp: topUp.id, session }
  }

  /** Starts a top-up, pays it, and delivers its event. */
  async topUp(account: TestAccount, amountPence = 2_000, options: { deps?: BillingDeps; savesCard?: boolean } = {}): Promise<Paid> {
    const started = await this.start(account, amountPence, options)
    const paid = this.stripe.pay(started.session.id)
    await this.send(getEvent('checkout.session.completed', paid.session), options.deps)
    return { ...started, ...paid }
  }

  async balance({ id }: TestAccount): Promise<number> {
    const { rows } = await this.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [id])
    return Number(rows[0]?.balance)
  }

  /** Returns the ledger entries of an account, oldest first. */
  async entries({ id }: TestAccount): Promise<Entry[]> {
    const { rows } = await this.pool.query<Entry>(
      'SELECT kind, credits::int, balance_after::int, actor, reason, reference FROM ledger_entry WHERE account_id = $1 ORDER BY id',
      [id],
    )
    return rows
  }

  /** Returns the ledger entries as pairs of kind and credits. */
  async moves(account: TestAccount): Promise<[string, number][]> {
    return (await this.entries(account)).map(({ kind, credits }) => [kind, credits])
  }

  async notices({ id }: TestAccount): Promise<{ kind: string; data: Record<string, unknown> }[]> {
    const { rows } = await this.pool.query<{ kind: string; data: Record<string, unknown> }>(
      'SELECT kind, data FROM billing_notice WHERE account_id = $1 ORDER BY id',
      [id],
    )
    return rows
  }
}
