import type { Form } from './form.ts'
import { type Charge, type Dispute, newId, nowSeconds, type Payment, type Refund, type Session } from './stripe-objects.ts'

/** Payment methods whose charges succeed, are declined, require authentication, or stay in processing. */
export const cards = { pays: 'pm_pays', declines: 'pm_declines', asks: 'pm_asks', processes: 'pm_processes' } as const

/** Objects stored at Stripe, and methods for changes that customers, banks or Stripe itself make. */
export class StripeLedger {
  readonly sessions = new Map<string, Session>()
  readonly payments = new Map<string, Payment>()
  readonly charges = new Map<string, Charge>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  readonly customers = new Map<string, { id: string; email: string; metadata: Form }>()
  /** Tax ids that customers entered at a checkout, by customer. */
  readonly taxIds = new Map<string, string[]>()

  protected addPayment(amount: number, customer: string, metadata: Record<string, string>, method: string): Payment {
    const [id, chargeId] = [newId('pi'), newId('ch')]
    const charge: Charge = {
      id: chargeId,
      object: 'charge',
      amount,
      amount_refunded: 0,
      currency: 'gbp',
      payment_intent: id,
      metadata,
      receipt_url: `https://receipt.stripe.test/${chargeId}`,
      livemode: false,
    }
    const payment: Payment = {
      id,
      object: 'payment_intent',
      amount,
      amount_received: amount,
      currency: 'gbp',
      customer,
      created: nowSeconds(),
      metadata,
      status: 'succeeded',
      payment_method: method,
      latest_charge: chargeId,
      last_payment_error: null,
      livemode: false,
    }
    this.charges.set(chargeId, charge)
    this.payments.set(id, payment)
    return payment
  }

  /** Pays on the checkout page, as the customer. */
  pay(sessionId: string): { session: Session; payment: Payment; charge: Charge } {
    const session = this.sessions.get(sessionId)
    if (!session) throw new Error(`There is no checkout ${sessionId}.`)
    if (session.status === 'expired') throw new Error(`Checkout ${sessionId} is closed.`)
    const paid = session.payment_intent === null ? this.addPayment(session.amount_total, session.customer ?? '', session.metadata, cards.pays) : undefined
    const payment = paid ?? this.payments.get(session.payment_intent ?? '')
    const charge = this.charges.get(payment?.latest_charge ?? '')
    if (!payment || !charge) throw new Error('The payment has no charge.')
    session.payment_intent = payment.id
    session.payment_status = 'paid'
    session.status = 'complete'
    return { session, payment, charge }
  }

  /** Refunds part of a charge, in pence, and adds the refund to `refunds`. */
  refund(charge: Charge, pence: number): Charge {
    charge.amount_refunded += pence
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount: pence,
      currency: 'gbp',
      created: nowSeconds(),
      payment_intent: charge.payment_intent,
      charge: charge.id,
      status: 'succeeded',
    }
    this.refunds.set(refund.id, refund)
    return charge
  }

  /** Returns the newest refund of a charge. */
  getRefund({ id }: Charge): Refund {
    const refund = [...this.refunds.values()].findLast(({ charge }) => charge === id)
    if (!refund) throw new Error(`Charge ${id} was not refunded.`)
    return refund
  }

  /** Fails a refund, as if the bank had rejected it and returned the money to us. */
  failRefund(refund: Refund, status: 'failed' | 'canceled' = 'failed'): Refund {
    const charge = this.charges.get(refund.charge)
    if (charge) charge.amount_refunded -= refund.amount
    refund.status = status
    return refund
  }

  dispute(charge: Charge, pence = charge.amount, status = 'needs_response'): Dispute {
    const dispute: Dispute = {
      id: newId('dp'),
      object: 'dispute',
      amount: pence,
      currency: 'gbp',
      created: nowSeconds(),
      payment_intent: charge.payment_intent,
      charge: charge.id,
      status,
    }
    this.disputes.set(dispute.id, dispute)
    return dispute
  }
}
