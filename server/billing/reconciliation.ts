import { clock } from '#server/clock.ts'
import { BillingError, type BillingRoom } from './billing-room.ts'
import type { ListedDispute, ListedPayment, PaymentMode, Payments } from './payments.ts'
import { RefundSums } from './reconcile-refunds.ts'
import { readBooked, readBookedDisputes, readPaid, readUnbalanced } from './reconciliation.store.ts'

/** Something that Stripe and the books say differently, in words; `subject` is the payment, refund, dispute or top-up. */
export type Difference = { readonly subject: string; readonly problem: string }

export type Reconciliation = {
  readonly days: number
  /** Payments, refunds and disputes that were compared. */
  readonly compared: number
  readonly differences: readonly Difference[]
}

const dayMs = 86_400_000
/** Events may be under way; what is younger is looked at the next time. */
const settledMs = 15 * 60_000
const pageSize = 500
const mostDifferences = 1_000

/** The items of a list in pages. */
async function* pagesOf<Item>(list: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = []
  for await (const item of list) {
    page.push(item)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

type Booked = Awaited<ReturnType<typeof readBooked>>[number]

/** What is wrong with one payment, or null. */
function faultOf(listed: ListedPayment, booked: Booked | undefined, mode: PaymentMode): string | null {
  if (!booked) return listed.topUp !== null && listed.isPaid ? `paid for the top-up ${listed.topUp}, which the books do not have` : null
  if (listed.isLive !== (mode === 'live')) return 'is of another mode than this service'
  if (listed.isPaid !== booked.is_paid) return listed.isPaid ? 'paid at Stripe, not credited here' : 'credited here, not paid at Stripe'
  if (!listed.isPaid) return null
  if (booked.intent !== listed.intent) return `paid for ${booked.top_up}, which ${booked.intent} had paid already`
  if (Number(booked.amount_pence) !== listed.amountPence) return `${listed.amountPence} pence at Stripe, ${booked.amount_pence} here`
  return null
}

async function comparePayments(room: BillingRoom, mode: PaymentMode, page: ListedPayment[], refunds: RefundSums): Promise<Difference[]> {
  const booked = await readBooked(room.pool, page)
  const byIntent = new Map(booked.map((one) => [one.intent, one]))
  const byTopUp = new Map(booked.map((one) => [one.top_up, one]))
  return page.flatMap((one) => {
    const own = byIntent.get(one.intent)
    const problem = faultOf(one, own ?? byTopUp.get(one.topUp ?? ''), mode) ?? (own ? refunds.faultOf(one.intent, Number(own.refunded_pence)) : null)
    return problem === null ? [] : [{ subject: one.intent, problem }]
  })
}

async function compareDisputes(room: BillingRoom, page: ListedDispute[]): Promise<Difference[]> {
  const { known, ours } = await readBookedDisputes(room.pool, page)
  const byId = new Map(known.map((one) => [one.id, one]))
  return page.flatMap(({ id, intent, amountPence, status }) => {
    const booked = byId.get(id)
    if (!booked) return intent !== null && ours.has(intent) ? [{ subject: id, problem: `${status} at Stripe, unknown here` }] : []
    if (booked.status === status && Number(booked.amount_pence) === amountPence) return []
    return [{ subject: id, problem: `${status}, ${amountPence} pence at Stripe; ${booked.status}, ${booked.amount_pence} pence here` }]
  })
}

/** Payments that our books have and Stripe does not list. */
async function findMissing(room: BillingRoom, mode: PaymentMode, times: { since: Date; until: Date }, seen: ReadonlySet<string>): Promise<Difference[]> {
  const missing: Difference[] = []
  for (let after = ''; ; ) {
    const page = await readPaid(room.pool, mode, times, after, pageSize)
    for (const { intent, top_up: topUp } of page)
      if (!seen.has(intent)) missing.push({ subject: intent, problem: `credited for ${topUp}, not listed by Stripe` })
    after = page.at(-1)?.intent ?? ''
    if (page.length < pageSize || missing.length > mostDifferences) return missing
  }
}

async function compareAll(room: BillingRoom, payments: Payments, since: Date) {
  const lists = payments.list(since)
  if (!lists) throw new BillingError('Payments are simulated: there is nothing to compare with. Set STRIPE_SECRET_KEY.')
  const differences: Difference[] = []
  const seen = new Set<string>()
  const refunds = new RefundSums()
  let compared = 0
  const settledBy = clock.now() - settledMs
  const isSettled = ({ createdAt }: { createdAt: Date }) => createdAt.getTime() < settledBy
  // Refunds first: whatever was refunded of a payment that is listed behind them has been seen by then.
  for await (const page of pagesOf(lists.refunds)) {
    compared += page.length
    differences.push(...(await refunds.take(room, page, settledBy)))
  }
  for await (const page of pagesOf(lists.payments)) {
    compared += page.length
    for (const one of page) seen.add(one.intent)
    differences.push(...(await comparePayments(room, payments.mode, page.filter(isSettled), refunds)))
  }
  differences.push(...refunds.faultsBeyond(seen))
  for await (const page of pagesOf(lists.disputes)) {
    compared += page.length
    differences.push(...(await compareDisputes(room, page.filter(isSettled))))
  }
  // A payment is never older than its top-up, so whatever was begun since then has been listed.
  differences.push(...(await findMissing(room, payments.mode, { since, until: new Date(settledBy) }, seen)))
  return { compared, differences }
}

/**
 * Compares the payments, refunds and disputes that were made at Stripe in the last days with the books, each by its own time, and the books with themselves. It changes nothing.
 * @throws BillingError when there is no Stripe to compare with.
 */
export async function reconcile(room: BillingRoom, days: number): Promise<Reconciliation> {
  if (!room.payments) throw new BillingError('STRIPE_SECRET_KEY is not set: there is nothing to compare with.')
  const { compared, differences } = await compareAll(room, room.payments, new Date(clock.now() - days * dayMs))
  const unbalanced = await readUnbalanced(room.pool, mostDifferences)
  const own = unbalanced.map((one) => ({ subject: one.top_up, problem: `${one.kind}: ${one.expected} credits expected, ${one.entered} in the ledger` }))
  return { days, compared, differences: [...differences, ...own].slice(0, mostDifferences) }
}
