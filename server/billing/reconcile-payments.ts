import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { type BillingDeps, BillingError, type ListedDispute, type ListedPayment, type ListedRefund, type PaymentMode, type Payments } from './billing-deps.ts'
import { verifyLedger } from './ledger.ts'
import { insertAdminNotice } from './notices.store.ts'
import {
  type CheckName,
  type CheckRow,
  claimCheck,
  finishCheck,
  notifyFailure,
  type RecordedRefund,
  readChecks,
  readPaid,
  readRecordedDisputes,
  readRecordedPayments,
  readRecordedRefunds,
  readUnbalanced,
  rescheduleCheck,
} from './reconcile-payments.store.ts'

/**
 * Total refunded for one payment: `pence` according to the refunds that Stripe listed, and `recordedPence` in our records. `isSettled` is false if the event of
 * a refund may still be on the way.
 */
type Refunded = { readonly pence: number; readonly recordedPence: number; readonly isSettled: boolean }

/**
 * Describes how a refund at Stripe differs from our record of it; returns null if it doesn't. A refund without a record is reported only if it failed: any
 * other is part of its payment's total, which is compared separately.
 */
function compareRefund({ status, amountPence, isGone }: ListedRefund, recorded: RecordedRefund | undefined): string | null {
  if (!recorded) return isGone ? null : `${status}, ${amountPence} pence at Stripe; unknown here`
  if (recorded.is_gone === isGone && Number(recorded.amount_pence) === amountPence) return null
  return `${status}, ${amountPence} pence at Stripe; ${recorded.status}, ${recorded.amount_pence} pence here`
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
  async addPage({ pool }: BillingDeps, page: readonly ListedRefund[], settledBy: number): Promise<Difference[]> {
    const { known, gonePence } = await readRecordedRefunds(pool, page)
    const byId = new Map(known.map((one) => [one.id, one]))
    const differences: Difference[] = []
    for (const one of page) {
      const recordedPence = gonePence.get(one.intent ?? '')
      if (one.intent === null || recordedPence === undefined) continue
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

  /** Compares payments that are older than the list, whose earlier refunds were not listed: our records must include at least the listed refunds. */
  compareOlderPayments(seen: ReadonlySet<string>): Difference[] {
    const older = [...this.payments].filter(([intent, { pence, recordedPence, isSettled }]) => !seen.has(intent) && isSettled && recordedPence < pence)
    return older.map(([subject, { pence, recordedPence }]) => ({ subject, problem: describeDifference(pence, recordedPence) }))
  }
}

/** Difference between Stripe and our records; `subject` is the id of the payment, refund, dispute or top-up. */
type Difference = { readonly subject: string; readonly problem: string }

type Reconciliation = {
  readonly days: number
  /** Number of payments, refunds and disputes compared. */
  readonly compared: number
  readonly differences: readonly Difference[]
}

const dayMs = 86_400_000
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

type RecordedPayment = Awaited<ReturnType<typeof readRecordedPayments>>[number]

/** Describes how a payment at Stripe differs from our record of it; returns null if it doesn't. */
function comparePayment(listed: ListedPayment, recorded: RecordedPayment | undefined, mode: PaymentMode): string | null {
  if (!recorded) return listed.topUp !== null && listed.isPaid ? `paid for the top-up ${listed.topUp}, which is unknown here` : null
  if (listed.isLive !== (mode === 'live')) return 'was made in a different Stripe mode (live or test) than this service uses'
  if (listed.isPaid !== recorded.is_paid) return listed.isPaid ? 'paid at Stripe, not credited here' : 'credited here, not paid at Stripe'
  if (!listed.isPaid) return null
  if (recorded.intent !== listed.intent) return `paid for ${recorded.top_up}, already paid by ${recorded.intent}`
  if (Number(recorded.amount_pence) !== listed.amountPence) return `${listed.amountPence} pence at Stripe, ${recorded.amount_pence} here`
  return null
}

async function comparePayments(deps: BillingDeps, mode: PaymentMode, page: ListedPayment[], refunds: RefundSums): Promise<Difference[]> {
  const recorded = await readRecordedPayments(deps.pool, page)
  const byIntent = new Map(recorded.map((one) => [one.intent, one]))
  const byTopUp = new Map(recorded.map((one) => [one.top_up, one]))
  return page.flatMap((one) => {
    const own = byIntent.get(one.intent)
    const problem =
      comparePayment(one, own ?? byTopUp.get(one.topUp ?? ''), mode) ?? (own ? refunds.comparePayment(one.intent, Number(own.refunded_pence)) : null)
    return problem === null ? [] : [{ subject: one.intent, problem }]
  })
}

async function compareDisputes(deps: BillingDeps, page: ListedDispute[]): Promise<Difference[]> {
  const { known, ours } = await readRecordedDisputes(deps.pool, page)
  const byId = new Map(known.map((one) => [one.id, one]))
  return page.flatMap(({ id, intent, amountPence, status }) => {
    const recorded = byId.get(id)
    if (!recorded) return intent !== null && ours.has(intent) ? [{ subject: id, problem: `${status} at Stripe, unknown here` }] : []
    if (recorded.status === status && Number(recorded.amount_pence) === amountPence) return []
    return [{ subject: id, problem: `${status}, ${amountPence} pence at Stripe; ${recorded.status}, ${recorded.amount_pence} pence here` }]
  })
}

/** Finds payments in our records that Stripe does not list. */
async function findMissing(deps: BillingDeps, mode: PaymentMode, times: { since: Date; until: Date }, seen: ReadonlySet<string>): Promise<Difference[]> {
  const missing: Difference[] = []
  for (let after = ''; ; ) {
    const page = await readPaid(deps.pool, mode, times, after, pageSize)
    for (const { intent, top_up: topUp } of page)
      if (!seen.has(intent)) missing.push({ subject: intent, problem: `credited for ${topUp}, not listed by Stripe` })
    after = page.at(-1)?.intent ?? ''
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
 * nothing.
 * @throws BillingError if payments are simulated or unavailable
 */
export async function reconcile(deps: BillingDeps, days: number): Promise<Reconciliation> {
  if (!deps.payments) throw new BillingError('STRIPE_SECRET_KEY is not set: there is nothing to compare with.')
  const { compared, differences } = await compareAll(deps, deps.payments, new Date(clock.now() - days * dayMs))
  const unbalanced = await readUnbalanced(deps.pool, maxDifferences)
  const own = unbalanced.map((one) => ({ subject: one.top_up, problem: `${one.kind}: ${one.expected} credits expected, ${one.entered} in the ledger` }))
  return { days, compared, differences: [...differences, ...own].slice(0, maxDifferences) }
}

const everySeconds = 86_400
const retrySeconds = 3_600
const reconciledDays = 35
const maxLogged = 20

/** Runs a check once a day, in whichever process claims it first. If it fails, notifies the administrators and retries in an hour. */
async function daily({ pool }: BillingDeps, name: CheckName, check: () => Promise<number>): Promise<void> {
  if (!(await claimCheck(pool, name, everySeconds))) return
  try {
    await finishCheck(pool, name, await check())
  } catch (error) {
    await rescheduleCheck(pool, name, everySeconds, retrySeconds)
    await notifyFailure(pool, name)
    throw error
  }
}

/** Compares every balance with the sum of its entries, once a day. Logs differences and notifies the administrators. */
export const checkLedgerDaily = (deps: BillingDeps): Promise<void> =>
  daily(deps, 'ledger', async () => {
    const { accounts, differences } = await verifyLedger(deps.pool)
    if (differences.length === 0) return 0
    deps.log.error(
      { accounts, differences: differences.slice(0, maxLogged) },
      'The ledger does not add up. Run "svc ledger verify" and see docs/operations.md.',
    )
    await insertAdminNotice(deps.pool, 'ledger.differs', { accounts, differences: differences.length })
    return differences.length
  })

/** Compares the ledger with Stripe once a day, unless payments are simulated or unavailable. */
export async function reconcileDaily(deps: BillingDeps): Promise<void> {
  if (deps.payments === null || deps.payments.mode === 'simulated') return
  await daily(deps, 'reconciliation', async () => {
    const { differences } = await reconcile(deps, reconciledDays)
    if (differences.length === 0) return 0
    deps.log.error({ differences: differences.slice(0, maxLogged) }, 'Stripe and the ledger differ. Run "svc billing reconcile" and see docs/operations.md.')
    await insertAdminNotice(deps.pool, 'reconciliation.differs', { differences: differences.length })
    return differences.length
  })
}

/** Result of a ledger check: last run and number of differences; `failedAt` is set while the check can't run. */
export type LedgerCheck = Readonly<CheckRow>

export async function getLedgerChecks(pool: Database): Promise<readonly LedgerCheck[]> {
  return readChecks(pool)
}
