import { unknownCharge } from '#server/api/contract/billing-notices.ts'
import { clock } from '#server/clock.ts'
import type { PaymentMode, Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { applyPaymentChange } from './apply-payment.ts'
import { beginAutoTopUp, resumeAutoTopUp } from './auto-top-up-decisions.ts'
import type { BillingDeps, Charged, Payments } from './billing-deps.ts'
import { addNotice } from './billing-notices.ts'
import { findAutoTopUpCandidates } from './claims.sql.ts'
import { postponeTopUp } from './close-checkouts.ts'
import { firstDue, isDue, isLastAttempt, postponed } from './retries.ts'

/** Relations needed for a charge: the account and its Stripe customer. */
const payer = (mode: PaymentMode) =>
  ({
    account: { select: { publicId: true, paymentCustomers: { where: { mode }, take: 1, select: { customerId: true, paymentMethodId: true } } } },
  }) as const satisfies Prisma.TopUpInclude

/** Automatic top-up whose charge has no outcome yet. */
type OpenCharge = Prisma.TopUpGetPayload<{ include: ReturnType<typeof payer> }>

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns automatic top-ups to check: those without an outcome two minutes after they started, and those still pending at the bank after six hours. */
function findUnresolved(db: Database, mode: PaymentMode): Promise<OpenCharge[]> {
  const since = (ms: number) => ({ lt: new Date(clock.now() - ms) })
  const isUnresolved: Prisma.TopUpWhereInput[] = [
    { state: 'open', createdAt: since(2 * minuteMs) },
    { state: 'pending', createdAt: since(6 * hourMs) },
  ]
  return db.topUp.findMany({
    where: { origin: 'auto', mode, account: { paymentCustomers: { some: { mode } } }, AND: [{ OR: isUnresolved }, isDue()] },
    orderBy: [firstDue, { id: 'asc' }],
    take: batchSize,
    include: payer(mode),
  })
}

const batchSize = 20
/** Time after the first attempt within which a charge can be repeated safely: half of the period in which Stripe remembers idempotency keys. */
const safeRetryMs = 12 * hourMs

/** Records the outcome of a charge. Returns false and records nothing if the outcome is unknown. */
async function recordOutcome(deps: BillingDeps, payments: Payments, topUp: string, charged: Charged): Promise<boolean> {
  if (charged.outcome === 'unknown') {
    deps.log.warn({ topUp }, 'Payment outcome unknown; polling Stripe.')
    return false
  }
  const change = {
    topUp,
    intent: charged.intent,
    outcome: charged.outcome,
    ...(charged.outcome === 'paid' ? { amountPence: charged.amountPence } : {}),
    ...(charged.outcome === 'failed' ? { failure: charged.reason } : {}),
  }
  await applyPaymentChange(deps.pool, { event: null, isLive: payments.mode === 'live', at: new Date(clock.now()) }, change)
  deps.log.info({ topUp, outcome: charged.outcome }, 'Recorded the outcome of an automatic top-up.')
  return true
}

function toOrder({ publicId: topUp, account, amountPence, credits }: OpenCharge) {
  return { topUp, account: account.publicId, customer: account.paymentCustomers[0]?.customerId ?? '', amountPence, credits }
}

async function charge(deps: BillingDeps, payments: Payments, open: OpenCharge): Promise<boolean> {
  const method = open.account.paymentCustomers[0]?.paymentMethodId ?? null
  const charged: Charged =
    method === null ? { outcome: 'failed', intent: null, reason: 'There is no saved card.' } : await payments.chargeSavedCard({ ...toOrder(open), method })
  return recordOutcome(deps, payments, open.publicId, charged)
}

/**
 * Resolves a charge whose response was lost. If Stripe has no record of the charge, repeats it with the same idempotency key, but only as long as this can't
 * charge the card twice, and only if the top-up is still needed. Returns false if the outcome is still unknown.
 */
async function resolveCharge(deps: BillingDeps, payments: Payments, open: OpenCharge): Promise<boolean> {
  const { publicId: topUp, createdAt: begunAt } = open
  const found = await payments.findCharge({ ...toOrder(open), begunAt })
  if (found) return recordOutcome(deps, payments, topUp, found)
  if (clock.now() - begunAt.getTime() < safeRetryMs) {
    if (await resumeAutoTopUp(deps.pool, topUp)) {
      // The card may have been removed or replaced since the charge was found.
      return charge(deps, payments, await deps.pool.topUp.findUniqueOrThrow({ where: { id: open.id }, include: payer(payments.mode) }))
    }
    deps.log.info({ topUp }, 'Cancelled an automatic top-up that was never charged and is no longer needed.')
    return true
  }
  return recordOutcome(deps, payments, topUp, { outcome: 'failed', intent: null, reason: 'The card could not be charged.' })
}

/** Resolves a charge or postpones the next attempt. Marks the top-up as failed after a day without a result, so that it no longer reserves its amount. */
async function resolveOrPostpone(deps: BillingDeps, payments: Payments, open: OpenCharge): Promise<void> {
  const { id, publicId: topUp } = open
  try {
    if (await resolveCharge(deps, payments, open)) {
      // A charge pending at the bank is checked every hour until the bank decides.
      const data = { attempts: 0, notBefore: new Date(clock.now() + hourMs) }
      await deps.pool.topUp.updateMany({ where: { id, state: 'pending' }, data })
      return
    }
  } catch (error) {
    deps.log.warn({ err: error, topUp }, 'Failed to look up the outcome of an automatic top-up; retrying.')
  }
  if (!(await postponeTopUp(deps.pool, open))) return
  await recordOutcome(deps, payments, topUp, { outcome: 'failed', intent: null, reason: unknownCharge })
  deps.log.error(
    { topUp, customer: toOrder(open).customer },
    'An automatic top-up was still unresolved after 24 hours and is now marked as failed. Search Stripe for the payment with this top_up in its metadata; if it was paid, resend its event.',
  )
}

/** Awaits `work` on a top-up. Logs a failure instead of throwing it, so that the other top-ups continue. */
async function attempt({ log }: BillingDeps, topUp: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => log.error({ err: error, topUp }, 'Failed to process an automatic top-up; retrying.'))
}

/** Postpones a top-up that failed to start. Returns true after the last attempt, which turns automatic top-ups off and notifies the account. */
async function postponeStart(db: Database, accountId: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const found = await tx.autoTopUp.findUnique({ where: { accountId }, select: { attempts: true } })
    if (!found) return false
    const { attempts } = found
    const isLast = isLastAttempt(attempts)
    const data = { ...postponed(attempts), isOn: !isLast, offReason: isLast ? 'A problem on our side stopped automatic top-ups for a day.' : null }
    const { count } = await tx.autoTopUp.updateMany({ where: { accountId, isOn: true, currentId: null, attempts }, data })
    if (count === 0 || !isLast) return false
    await addNotice(tx, accountId, 'auto_top_up.stopped', { cause: 'fault' })
    return true
  })
}

/** Starts a top-up if the account still needs one. Postpones it on failure, so that the other top-ups continue. */
async function start({ pool: db, log, settings }: BillingDeps, { mode }: Payments, accountId: number): Promise<OpenCharge | null> {
  const publicId = newPublicId('top')
  try {
    const isBegun = await beginAutoTopUp(db, { accountId, mode, publicId, vatBasisPoints: settings.vat?.basisPoints ?? null })
    return isBegun ? await db.topUp.findFirst({ where: { publicId, state: 'open' }, include: payer(mode) }) : null
  } catch (error) {
    const isLast = await postponeStart(db, accountId)
    const fields = { err: error, accountId }
    if (isLast)
      log.error(fields, 'Automatic top-ups still failed to start after a day of retries and are now off. Fix the error, then ask the customer to turn them on.')
    else log.error(fields, 'Failed to start an automatic top-up; retrying.')
    return null
  }
}

/** Starts the automatic top-ups that are needed now and charges the saved cards. */
export async function beginAutoTopUps(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool: db, payments } = deps
  if (!payments) return
  for (const accountId of await findAutoTopUpCandidates(db, payments.mode, batchSize)) {
    if (signal.aborted) return
    const open = await start(deps, payments, accountId)
    if (open) await attempt(deps, open.publicId, charge(deps, payments, open))
  }
}

/** Resolves automatic top-ups left without an outcome because a process died, a response was lost or an event never arrived. */
export async function resolveAutoTopUps(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool: db, payments } = deps
  if (!payments) return
  for (const open of await findUnresolved(db, payments.mode)) {
    if (signal.aborted) return
    await attempt(deps, open.publicId, resolveOrPostpone(deps, payments, open))
  }
}
