import { expect } from 'vitest'
import type { Member, PortalFixture } from '../../portal/support/portal-fixture.ts'
import type { Page } from '../../portal/support/visitor.ts'
import { type Charge, getEvent, type Session, type StripeEvent, sign } from './stripe-objects.ts'
import type { StripeServer } from './stripe-server.ts'

/** Purchases on the portal pages, with a test Stripe server on this machine. */
export class PortalPurchases {
  private readonly fixture: PortalFixture
  private readonly stripe: () => StripeServer

  /** @param stripe returns the Stripe server. Called for each purchase, because the server starts after the tests are declared. */
  constructor(fixture: PortalFixture, stripe: () => StripeServer) {
    this.fixture = fixture
    this.stripe = stripe
  }

  getSessions({ publicId }: Member): Session[] {
    return [...this.stripe().sessions.values()].filter(({ metadata }) => metadata['account'] === publicId)
  }

  getLastSession(member: Member): Session {
    return this.getSessions(member).at(-1) ?? expect.unreachable('No checkout was opened.')
  }

  /** Returns a function that describes the result of a submission: the checkout URL if it redirected there, otherwise the text of the resulting page. */
  ledTo({ url }: Session): (page: Page) => string {
    return ({ path, text }) => (path === url ? path : text)
  }

  /** Delivers an event. Returns the status of the response. */
  async send(event: StripeEvent): Promise<number> {
    const { body, signature } = sign(event)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await fetch(`${this.fixture.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status
  }

  topUpPage({ visitor }: Member, amount?: string): Promise<Page> {
    return visitor.open(`/portal/billing/top-up${amount === undefined ? '' : `?amount=${amount}`}`)
  }

  /** Buys credits on the top-up page, pays at Stripe, and delivers the event. */
  async buy(member: Member, pounds: number, fields: Record<string, string> = {}): Promise<Charge> {
    await member.visitor.submitForm(await this.topUpPage(member, String(pounds)), `Pay £${pounds}`, fields)
    const { session, charge } = this.stripe().pay(this.getLastSession(member).id)
    expect(await this.send(getEvent('checkout.session.completed', session))).toBe(200)
    return charge
  }
}
