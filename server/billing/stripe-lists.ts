import type { Stripe } from 'stripe'
import type { ListedDispute, ListedPayment, ListedRefund, PaymentLists } from './billing-deps.ts'
import { isGone } from './events/refund.event.ts'
import { toId } from './payment-change.ts'

const pageSize = 100

type Created = { readonly gte: number }

const toDate = (created: number): Date => new Date(created * 1_000)

async function* listPayments(stripe: Stripe, created: Created): AsyncIterable<ListedPayment> {
  for await (const payment of stripe.paymentIntents.list({ created, limit: pageSize })) {
    yield {
      intent: payment.id,
      topUp: payment.metadata['top_up'] ?? null,
      amountPence: payment.amount_received,
      isPaid: payment.status === 'succeeded',
      isLive: payment.livemode,
      createdAt: toDate(payment.created),
    }
  }
}

async function* listRefunds(stripe: Stripe, created: Created): AsyncIterable<ListedRefund> {
  for await (const refund of stripe.refunds.list({ created, limit: pageSize })) {
    const { id, payment_intent: intent, amount: amountPence, status } = refund
    yield { id, intent: toId(intent), amountPence, status: status ?? 'unknown', isGone: isGone(status), createdAt: toDate(refund.created) }
  }
}

async function* listDisputes(stripe: Stripe, created: Created): AsyncIterable<ListedDispute> {
  for await (const dispute of stripe.disputes.list({ created, limit: pageSize })) {
    const { id, payment_intent: intent, amount: amountPence, status } = dispute
    yield { id, intent: toId(intent), amountPence, status, createdAt: toDate(dispute.created) }
  }
}

/** Defers opening the client and the list until the first item is read. */
async function* lazyList<Item>(open: () => Promise<Stripe>, list: (stripe: Stripe) => AsyncIterable<Item>): AsyncIterable<Item> {
  yield* list(await open())
}

/** Lists everything created at Stripe since a given time. */
export function listSince(open: () => Promise<Stripe>, since: Date): PaymentLists {
  const created = { gte: Math.floor(since.getTime() / 1_000) }
  return {
    payments: lazyList(open, (stripe) => listPayments(stripe, created)),
    refunds: lazyList(open, (stripe) => listRefunds(stripe, created)),
    disputes: lazyList(open, (stripe) => listDisputes(stripe, created)),
  }
}
