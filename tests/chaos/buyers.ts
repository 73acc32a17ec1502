/** Customers who buy credits at the local Stripe server. Its signed events arrive repeatedly and in any order. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/prisma.ts'
import { getEvent, newId, type StripeEvent, sign } from '../billing/support/stripe-objects.ts'
import type { StripeServer } from '../billing/support/stripe-server.ts'
import { getData, Visitor } from '../portal/support/visitor.ts'
import type { TestAccount } from '../support/accounts.ts'
import { type Actor, inTime, Turns } from './actor.ts'
import { LoadKind } from './load-kind.ts'
import { signIn } from './portal-people.ts'
import { pick } from './scenario.ts'

type Site = { readonly pool: Database; readonly stripe: StripeServer; readonly portal: string; readonly origins: readonly string[] }

const chance = (share: number) => Math.random() < share
const failed = 500
const tooMany = 429
const againMs = 400

export class Buyer implements Actor {
  readonly load = new LoadKind('top-ups')
  readonly faults: string[] = []
  private readonly site: Site
  private readonly account: TestAccount
  private readonly visitor: Visitor
  private readonly turns: Turns
  private isSignedIn = false
  private balance: number
  private purchases = 0
  private isDone = false
  private isLimited = false

  constructor(site: Site, account: TestAccount, balance: number) {
    this.site = site
    this.account = account
    this.balance = balance
    this.visitor = new Visitor(site.portal)
    this.turns = new Turns(() => this.next(), { pauseMs: 12_000 })
  }

  private async next(): Promise<void> {
    if (!this.isSignedIn) this.isSignedIn = await signIn(this.visitor, this.account)
    else if (!this.isLimited) await this.buy()
  }

  /** Starts a purchase, retrying with the same key until a checkout opens. All attempts count as the same purchase. */
  private async begin(): Promise<string | null> {
    const purchase = { key: newId('key'), amountPence: 500 + 10 * this.purchases, savesCard: false }
    for (let tries = 0; tries < 200 && !this.isDone; tries++) {
      const sentAt = performance.now()
      const answer = await inTime(() => this.visitor.call('billing.startTopUp', 'mutation', purchase))
      const isAnswered = answer !== null && answer.status < failed
      this.load.note(sentAt, isAnswered)
      if (answer?.status === 200) return (getData(answer) as { url: string }).url
      if (isAnswered) {
        this.noteRejection(answer.status, answer.body)
        return null
      }
      await sleep(againMs)
    }
    return null
  }

  private noteRejection(status: number, body: unknown): void {
    // Repeated attempts count towards the account's hourly limit of purchases, so the last ones may be over it.
    if (status === tooMany) this.isLimited = true
    else this.faults.push(`a top-up was rejected with ${status}: ${JSON.stringify(body).slice(0, 300)}`)
  }

  private async buy(): Promise<void> {
    this.purchases++
    const url = await this.begin()
    if (url === null) return
    const { stripe } = this.site
    const session = [...stripe.sessions.values()].find((one) => one.url === url)
    if (!session) {
      this.faults.push(`Stripe did not create the checkout ${url}`)
      return
    }
    const { payment, charge } = stripe.pay(session.id)
    const events = [getEvent('checkout.session.completed', session), getEvent('payment_intent.succeeded', payment)]
    let credits = session.amount_total / 10
    if (chance(0.3)) {
      const pence = 10 * (1 + Math.floor(Math.random() * 30))
      events.push(getEvent('charge.refunded', stripe.refund(charge, pence)))
      credits -= pence / 10
    }
    const again = events.filter(() => chance(0.5)).map((event) => (chance(0.5) ? event : { ...event, id: newId('evt') }))
    this.balance += credits
    await Promise.all([...events, ...again].toSorted(() => Math.random() - 0.5).map((event) => this.deliver(event)))
  }

  /** Delivers an event as Stripe would, retrying until it is accepted, even after the buyers have stopped. */
  private async deliver(event: StripeEvent): Promise<void> {
    for (const end = performance.now() + 120_000; performance.now() < end; ) {
      const { body, signature } = sign(event)
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      const sentAt = performance.now()
      const answer = await inTime((signal) => fetch(`${pick(this.site.origins)}/api/stripe/webhook`, { method: 'POST', headers, body, signal }))
      await answer?.body?.cancel().catch(() => undefined)
      // A process whose clock is wrong rejects the signature as stale; Stripe retries.
      this.load.note(sentAt, answer !== null && answer.status < failed)
      if (answer?.status === 200) return
      await sleep(againMs)
    }
    this.faults.push(`${event.type} was not accepted for two minutes`)
  }

  async stop(): Promise<void> {
    this.isDone = true
    await this.turns.stop()
  }

  async check(): Promise<string[]> {
    const { rows } = await this.site.pool.query<{ balance: number }>('SELECT balance::int FROM wallet WHERE account_id = $1', [this.account.id])
    const faults = this.site.stripe.faults.map((fault) => `Stripe rejected a request: ${fault}`)
    if (rows[0]?.balance !== this.balance) faults.push(`${this.account.email} should have a balance of ${this.balance}, but has ${rows[0]?.balance}`)
    if (this.purchases === 0) faults.push('no purchase was made')
    return faults
  }
}
