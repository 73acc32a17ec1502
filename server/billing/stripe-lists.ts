import type { Stripe } from 'stripe'
import { idOf } from './events/read-object.ts'
import { isGone } from './events/refund.event.ts'
import type { ListedDispute, ListedPayment, ListedRefund, Lists } from './payments.ts'

const pageSize = 100

type Created = { readonly gte: number }

const timeOf = (created: number): Date => new Date(created * 1_000)

async function* listPayments(stripe: Stripe, created: Created): AsyncIterable<ListedPayment> {
  for await (const payment of stripe.paymentIntents.list({ created, limit: pageSize })) {
    yield {
      intent: payment.id,
      topUp: payment.metadata['top_up'] ?? null,
      amountPence: payment.amount_received,
      isPaid: payment.status === 'succeeded',
      isLive: payment.livemode,
      createdAt: timeOf(payment.created),
    }
  }
}

async function* listRefunds(stripe: Stripe, created: Created): AsyncIterable<ListedRefund> {
  for await (const refund of stripe.refunds.list({ created, limit: pageSize })) {
    const { id, payment_intent: intent, amount: amountPence, status } = refund
    yield { id, intent: idOf(intent), amountPence, status: status ?? 'unknown', isGone: isGone(status), createdAt: timeOf(refund.created) }
  }
}

async function* listDisputes(stripe: Stripe, created: Created): AsyncIterable<ListedDispute> {
  for await (const dispute of stripe.disputes.list({ created, limit: pageSize })) {
    const { id, payment_intent: intent, amount: amountPence, status } = dispute
    yield { id, intent: idOf(intent), amountPence, status, createdAt: timeOf(dispute.created) }
  }
}

/** A list that is asked for when somebody looks into it. */
async function* asked<Item>(open: () => Promise<Stripe>, list: (stripe: Stripe) => AsyncIterable<Item>): AsyncIterable<Item> {
  yield* list(await open())
}

/** Everything that was made at Stripe since a moment. */
export function listSince(open: () => Promise<Stripe>, since: Date): Lists {
  const created = { gte: Math.floor(since.getTime() / 1_000) }
  return {
    payments: asked(open, (stripe) => listPayments(stripe, created)),
    refunds: asked(open, (stripe) => listRefunds(stripe, created)),
    disputes: asked(open, (stripe) => listDisputes(stripe, created)),
  }
}
