import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { PaymentMode } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { type BillingDeps, BillingError, type ListedDispute, type ListedPayment, type ListedRefund, type Payments } from './billing-deps.ts'
import { readUnbalancedTopUps } from './ledger.sql.ts'
import { getRefundedPence } from './post-top-up.ts'

/**
 * Total refunded for one payment: `pence` according to the refunds that Stripe listed, and `recordedPence` according to our records. `isSettled` is false if a
 * refund's event may still be on the way.
 */
type Refunded = { readonly pence: number; readonly recordedPence: number; readonly isSettled: boolean }

type RecordedRefund = Pick<ListedRefund, 'status' | 'amountPence' | 'isGone'>

/**
 * Describes how a refund at Stripe differs from our record of it; returns null if it doesn't. A refund without a record is reported only if it failed: other
 * refunds are part of their payment's total, which is compared separately.
 */
function compareRefund({ status, amountPence, isGone }: ListedRefund, recorded: RecordedRefund | undefined): string | null {
  if (!recorded) return isGone ? null : `${status}, ${amountPence} pence at Stripe; unknown here`
  if (recorded.isGone === isGone && recorded.amountPence === amountPence) return null
  return `${status}, ${amountPence} pence at Stripe; ${recorded.status}, ${recorded.amountPence} pence here`
}

const getIntents = (listed: readonly { readonly intent: string | null }[]): string[] => listed.flatMap(({ intent }) => intent ?? [])

/** Returns the given payments that belong to a top-up. */
async function findOurs(db: Database, intents: string[]): Promise<Set<string>> {
  const topUps = await db.topUp.findMany({ where: { paymentIntentId: { in: intents } }, take: intents.length, select: { paymentIntentId: true } })
  return new Set(topUps.flatMap(({ paymentIntentId }) => paymentIntentId ?? []))
}

const describeDifference = (pence: number, recordedPence: number): string => `${pence} pence refunded at Stripe, ${recordedPence} here`

/** Refunded totals by payment. Payments that are not ours are ignored. */
class RefundSums {
  private readonly payments = new Map<string, Refunded>()

  private add(intent: string, { isGone, amountPence }: ListedRefund, recordedPence: number, isSettled: boolean): void {
    const before = this.payments.get(intent) ?? { pence: 0, isSettled: true }
    this.payments.set(intent, { pence: before.pence + (isGone ? amountPence : 0), recordedPence, isSettled: before.isSettled && isSettled })
  }

  /**
   * Adds a page of refunds listed by Stripe, and returns those that differ from our records. Refunds created at or after `settledBy` (milliseconds since 1970)
   * are not compared yet, because their events may still be on the way.
   */
  async addPage({ pool: db }: BillingDeps, page: readonly ListedRefund[], settledBy: number): Promise<Difference[]> {
    const where = { id: { in: page.map(({ id }) => id) } }
    const select = { id: true, status: true, amountPence: true, isGone: true } as const
    const [recorded, ours, refundedPence] = await Promise.all([
      db.stripeRefund.findMany({ where, take: page.length, select }),
      findOurs(db, getIntents(page)),
      getRefundedPence(db, getIntents(page)),
    ])
    const byId = new Map(recorded.map((one) => [one.id, one]))
    const differences: Difference[] = []
    for (const one of page) {
      if (one.intent === null || !ours.has(one.intent)) continue
      const recordedPence = refundedPence.get(one.intent) ?? 0
      const isSettled = one.createdAt.getTime() < settledBy
      this.add(one.intent, one, recordedPence, isSettled)
      const problem = isSettled ? compareRefund(one, byId.get(one.id)) : null
      if (problem !== null) differences.push({ subject: one.id, problem })
    }
    return differences
  }

  /**
   * Describes how the refunded total of a payment differs from our records. Returns null if it doesn't, or if a refund is too new to be compared. All refunds
   * of the payment must have been listed.
   */
  comparePayment(intent: string, recordedPence: number): string | null {
    const { pence, isSettled } = this.payments.get(intent) ?? { pence: 0, isSettled: true }
    return isSettled && pence !== recordedPence ? describeDifference(pence, recordedPence) : null
  }

  /**
   * Compares payments that are older than the listed period. Their earlier refunds were not listed, so our recorded total may be higher than the listed
   * refunds, but not lower.
   */
  compareOlderPayments(seen: ReadonlySet<string>): Difference[] {
    const older = [...this.payments].filter(([intent, { pence, recordedPence, isSettled }]) => !seen.has(intent) && isSettled && recordedPence < pence)
    return older.map(([subject, { pence, recordedPence }]) => ({ subject, problem: describeDifference(pence, recordedPence) }))
  }
}

/** Difference between Stripe and our records; `subject` is the id of the payment, refund, dispute or top-up. */
type Difference = { readonly subject: string; readonly problem: string }

/** Objects younger than this are skipped until the next run, because their events may still be on the way. */
const settledMs = 15 * 60_000
const pageSize = 500
const maxDifferences = 1_000

/** Splits a list into pages. */
async function* paginate<Item>(list: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = []
  for await (const item of list) {
    page.push(item)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Returns our records of these payments, matched by payment or by top-up. */
async function findRecorded(db: Database, page: readonly ListedPayment[]) {
  const topUps = page.flatMap(({ topUp }) => topUp ?? [])
  const where = { OR: [{ paymentIntentId: { in: getIntents(page) } }, { publicId: { in: topUps } }] }
  return db.topUp.findMany({ where, take: 2 * page.length, select: { publicId: true, paymentIntentId: true, amountPence: true, state: true } })
}

type RecordedPayment = Awaited<ReturnType<typeof findRecorded>>[number]

/** Describes how a payment at Stripe differs from our record of it; returns null if it doesn't. */
function comparePayment(listed: ListedPayment, recorded: RecordedPayment | undefined, mode: PaymentMode): string | null {
  if (!recorded) return listed.topUp !== null && listed.isPaid ? `paid for the top-up ${listed.topUp}, which is unknown here` : null
  if (listed.isLive !== (mode === 'live')) return 'was made in a different Stripe mode (live or test) than this service uses'
  if (listed.isPaid !== (recorded.state === 'paid')) return listed.isPaid ? 'paid at Stripe, not credited here' : 'credited here, not paid at Stripe'
  if (!listed.isPaid) return null
  const { publicId, paymentIntentId, amountPence } = recorded
  if (paymentIntentId !== listed.intent) return `paid for ${publicId}, already paid by ${paymentIntentId}`
  if (amountPence !== listed.amountPence) return `${listed.amountPence} pence at Stripe, ${amountPence} here`
  return null
}

async function comparePayments(deps: BillingDeps, mode: PaymentMode, page: ListedPayment[], refunds: RefundSums): Promise<Difference[]> {
  const [recorded, refundedPence] = await Promise.all([findRecorded(deps.pool, page), getRefundedPence(deps.pool, getIntents(page))])
  const byIntent = new Map(recorded.map((one) => [one.paymentIntentId, one]))
  const byTopUp = new Map(recorded.map((one) => [one.publicId, one]))
  return page.flatMap((one) => {
    const own = byIntent.get(one.intent)
    const problem =
      comparePayment(one, own ?? byTopUp.get(one.topUp ?? ''), mode) ?? (own ? refunds.comparePayment(one.intent, refundedPence.get(one.intent) ?? 0) : null)
    return problem === null ? [] : [{ subject: one.intent, problem }]
  })
}

async function compareDisputes(deps: BillingDeps, page: ListedDispute[]): Promise<Difference[]> {
  const where = { id: { in: page.map(({ id }) => id) } }
  const select = { id: true, status: true, amountPence: true } as const
  const [found, ours] = await Promise.all([deps.pool.stripeDispute.findMany({ where, take: page.length, select }), findOurs(deps.pool, getIntents(page))])
  const byId = new Map(found.map((one) => [one.id, one]))
  return page.flatMap(({ id, intent, amountPence, status }) => {
    const recorded = byId.get(id)
    if (!recorded) return intent !== null && ours.has(intent) ? [{ subject: id, problem: `${status} at Stripe, unknown here` }] : []
    if (recorded.status === status && recorded.amountPence === amountPence) return []
    return [{ subject: id, problem: `${status}, ${amountPence} pence at Stripe; ${recorded.status}, ${recorded.amountPence} pence here` }]
  })
}

type Period = { readonly since: Date; readonly until: Date }

/** Returns a page of payments, ordered by id, for top-ups that were started and recorded as paid within a period. */
function listPaid(db: Database, mode: PaymentMode, { since, until }: Period, after: string) {
  const where = { state: 'paid', mode, createdAt: { gte: since }, paidAt: { lt: until }, paymentIntentId: { gt: after } } as const
  return db.topUp.findMany({ where, orderBy: { paymentIntentId: 'asc' }, take: pageSize, select: { paymentIntentId: true, publicId: true } })
}

/** Finds payments in our records that Stripe does not list. */
async function findMissing(deps: BillingDeps, mode: PaymentMode, period: Period, seen: ReadonlySet<string>): Promise<Difference[]> {
  const missing: Difference[] = []
  for (let after = ''; ; ) {
    const page = await listPaid(deps.pool, mode, period, after)
    for (const { paymentIntentId, publicId } of page) {
      after = paymentIntentId ?? after
      if (!seen.has(after)) missing.push({ subject: after, problem: `credited for ${publicId}, not listed by Stripe` })
    }
    if (page.length < pageSize || missing.length > maxDifferences) return missing
  }
}

async function compareAll(deps: BillingDeps, payments: Payments, since: Date) {
  const lists = payments.list(since)
  if (!lists) throw new BillingError('Payments are simulated: there is nothing to compare with. Set STRIPE_SECRET_KEY.')
  const differences: Difference[] = []
  const seen = new Set<string>()
  const refunds = new RefundSums()
  let compared = 0
  const settledBy = clock.now() - settledMs
  const isSettled = ({ createdAt }: { createdAt: Date }) => createdAt.getTime() < settledBy
  // List refunds first, so that all refunds of the payments listed later are known.
  for await (const page of paginate(lists.refunds)) {
    compared += page.length
    differences.push(...(await refunds.addPage(deps, page, settledBy)))
  }
  for await (const page of paginate(lists.payments)) {
    compared += page.length
    for (const one of page) seen.add(one.intent)
    differences.push(...(await comparePayments(deps, payments.mode, page.filter(isSettled), refunds)))
  }
  differences.push(...refunds.compareOlderPayments(seen))
  for await (const page of paginate(lists.disputes)) {
    compared += page.length
    differences.push(...(await compareDisputes(deps, page.filter(isSettled))))
  }
  // A payment is never older than its top-up, so the payments for all top-ups started at or after `since` have been listed.
  differences.push(...(await findMissing(deps, payments.mode, { since, until: new Date(settledBy) }, seen)))
  return { compared, differences }
}

/**
 * Compares the payments, refunds and disputes created at Stripe in the last `days` days with our records, and the top-ups with their ledger entries. Changes
 * nothing. `compared` is the number of payments, refunds and disputes compared.
 * @throws BillingError if payments are simulated or unavailable
 */
export async function reconcile(deps: BillingDeps, days: number) {
  if (!deps.payments) throw new BillingError('STRIPE_SECRET_KEY is not set: there is nothing to compare with.')
  const { compared, differences } = await compareAll(deps, deps.payments, new Date(clock.now() - days * dayMs))
  const unbalanced = await readUnbalancedTopUps(deps.pool, maxDifferences)
  const own = unbalanced.map((one) => ({ subject: one.topUp, problem: `${one.kind}: ${one.expected} credits expected, ${one.entered} in the ledger` }))
  return { days, compared, differences: [...differences, ...own].slice(0, maxDifferences) }
}
