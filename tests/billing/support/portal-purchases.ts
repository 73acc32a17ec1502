import { expect } from 'vitest'
import type { Member, PortalStage } from '../../portal/support/portal-stage.ts'
import type { Page } from '../../portal/support/visitor.ts'
import { type Charge, eventOf, type Session, type StripeEvent, sign } from './stripe-objects.ts'
import type { StripeServer } from './stripe-server.ts'

/** Purchases on the pages of the portal, with Stripe on this machine. */
export class PortalPurchases {
  private readonly stage: PortalStage
  private readonly stripe: () => StripeServer

  /** @param stripe asked for with each purchase, because it is opened after the tests are declared. */
  constructor(stage: PortalStage, stripe: () => StripeServer) {
    this.stage = stage
    this.stripe = stripe
  }

  sessionsOf({ publicId }: Member): Session[] {
    return [...this.stripe().sessions.values()].filter(({ metadata }) => metadata['account'] === publicId)
  }

  lastSessionOf(member: Member): Session {
    return this.sessionsOf(member).at(-1) ?? expect.unreachable('Nothing was opened.')
  }

  /** Where a press led: to the address of a checkout, or to a page that said something. */
  ledTo({ url }: Session): (page: Page) => string {
    return ({ path, text }) => (path === url ? path : text)
  }

  /** Lets an event arrive, and gives the status that it was answered with. */
  async send(event: StripeEvent): Promise<number> {
    const { body, signature } = sign(event)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await fetch(`${this.stage.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status
  }

  topUpPage({ visitor }: Member, amount?: string): Promise<Page> {
    return visitor.open(`/portal/billing/top-up${amount === undefined ? '' : `?amount=${amount}`}`)
  }

  /** Buys on the page, pays at Stripe, and lets the event arrive. */
  async buy(member: Member, pounds: number, fields: Record<string, string> = {}): Promise<Charge> {
    await member.visitor.press(await this.topUpPage(member, String(pounds)), `Pay £${pounds}`, fields)
    const { session, charge } = this.stripe().pay(this.lastSessionOf(member).id)
    expect(await this.send(eventOf('checkout.session.completed', session))).toBe(200)
    return charge
  }
}
