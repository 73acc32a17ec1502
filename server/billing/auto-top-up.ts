import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { creditsFor, faultOfAmount, noAmount, pounds, vatWithin } from '#server/api/contract/prices.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import {
  type AutoTopUpRow,
  type AutoTopUpSettings,
  beginAutoTopUp,
  type Candidate,
  findOpenCharge,
  type OpenCharge,
  postponePending,
  postponeStart,
  readAutoTopUp,
  readCandidates,
  readUnresolvedCharges,
  resumeAutoTopUp,
  writeAutoTopUp,
} from './auto-top-up.store.ts'
import type { Charged, Payments } from './billing-deps.ts'
import { type BillingDeps, BillingError, getPaymentMode } from './billing-deps.ts'
import { postponeTopUp } from './retries.store.ts'
import { applyPaymentChange } from './top-ups.store.ts'

export type { AutoTopUpSettings }

export type AutoTopUp = AutoTopUpSettings & {
  /** Amount spent by automatic top-ups in the current UTC month, including those in progress. */
  readonly spentPence: number
  readonly failures: number
  /** Earliest time of the next top-up: a minute after a paid one, an hour or more after a failed one; null if it can start as soon as it is needed. */
  readonly nextTryAt: string | null
  /** Reason why the service turned automatic top-ups off; null if it didn't. */
  readonly offReason: string | null
  readonly isUnderWay: boolean
}

const settingsFromDb = (row: AutoTopUpRow): AutoTopUpSettings => ({
  isOn: row.is_on,
  thresholdCredits: Number(row.threshold_credits),
  amountPence: Number(row.amount_pence),
  ceilingPence: Number(row.ceiling_pence),
})

/** Returns the settings and state of an account's automatic top-ups; null if the account has never set them. */
export async function getAutoTopUp({ pool }: BillingDeps, accountId: number): Promise<AutoTopUp | null> {
  const row = await readAutoTopUp(pool, accountId)
  return row === undefined
    ? null
    : {
        ...settingsFromDb(row),
        spentPence: Number(row.month_pence),
        failures: row.failures,
        nextTryAt: row.not_before?.toISOString() ?? null,
        offReason: row.off_reason,
        isUnderWay: row.is_under_way,
      }
}

const maxThresholdCredits = 100_000
const maxCeilingPence = 10_000_000

type Asker = Pick<AuditEntry, 'address'>

const isWithin = (value: number, min: number, max: number) => Number.isSafeInteger(value) && value >= min && value <= max

/**
 * Validates the threshold. One top-up must buy at least as many credits, or the next one would follow immediately. Turning automatic top-ups off is always
 * allowed.
 */
function validateThreshold({ isOn, thresholdCredits, amountPence }: AutoTopUpSettings): string | null {
  const max = isOn && faultOfAmount(amountPence) === null ? creditsFor(amountPence) : maxThresholdCredits
  if (isWithin(thresholdCredits, 1, max)) return null
  return `Balance must be from 1 to ${max.toLocaleString('en-GB')} credits${max < maxThresholdCredits ? ', the most that one top-up buys' : ''}.`
}

function validateCeiling({ amountPence, ceilingPence }: AutoTopUpSettings): string | null {
  if (ceilingPence < 0) return noAmount
  if (isWithin(ceilingPence, amountPence, maxCeilingPence)) return null
  return `The monthly limit must be at least the amount of one top-up and at most ${pounds(maxCeilingPence)}.`
}

/** @throws FieldsError if the settings are invalid, or if they turn on automatic top-ups without a saved card */
export async function setAutoTopUp({ pool, settings }: BillingDeps, accountId: number, wanted: AutoTopUpSettings, asker: Asker): Promise<void> {
  refuseFaults({
    amount: faultOfAmount(wanted.amountPence),
    threshold: validateThreshold(wanted),
    ceiling: validateCeiling(wanted),
  })
  await inTransaction(pool, async (client) => {
    const row = await readAutoTopUp(client, accountId)
    if (!(await writeAutoTopUp(client, accountId, getPaymentMode(settings), wanted))) {
      throw new BillingError('There is no saved card. Top up once and choose to save the card.')
    }
    const before = row ? settingsFromDb(row) : null
    await writeAudit(client, { accountId, actor: 'account', action: 'auto-top-up.change', before, after: wanted, ...asker })
  })
}

const batchSize = 20
/** Time after the first attempt within which a charge can be repeated safely: half as long as Stripe remembers idempotency keys. */
const safeRetryMs = 12 * 3_600_000

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

const toOrder = ({ topUp, account, customer, amount_pence: pence, credits }: OpenCharge) => ({
  topUp,
  account,
  customer,
  amountPence: Number(pence),
  credits: Number(credits),
})

async function charge(deps: BillingDeps, payments: Payments, open: OpenCharge): Promise<boolean> {
  const charged: Charged =
    open.method === null
      ? { outcome: 'failed', intent: null, reason: 'There is no saved card.' }
      : await payments.chargeSavedCard({ ...toOrder(open), method: open.method })
  return recordOutcome(deps, payments, open.topUp, charged)
}

/**
 * Resolves a charge whose response was lost. If Stripe doesn't know the charge, repeats it with the same idempotency key, but only while that can't charge
 * twice, and only if the top-up is still needed. Returns false if the outcome is still unknown.
 */
async function resolveCharge(deps: BillingDeps, payments: Payments, open: OpenCharge): Promise<boolean> {
  const found = await payments.findCharge({ ...toOrder(open), begunAt: open.begunAt })
  if (found) return recordOutcome(deps, payments, open.topUp, found)
  if (clock.now() - open.begunAt.getTime() < safeRetryMs) {
    if (await resumeAutoTopUp(deps.pool, open.topUp)) return charge(deps, payments, open)
    deps.log.info({ topUp: open.topUp }, 'Cancelled an automatic top-up that was never charged and is no longer needed.')
    return true
  }
  return recordOutcome(deps, payments, open.topUp, { outcome: 'failed', intent: null, reason: 'The card could not be charged.' })
}

const unresolved = 'We could not find out whether the card was charged. If it was, the credits will follow.'

/** Resolves a charge or postpones the next attempt. Marks the top-up as failed after a day without a result, so that it no longer reserves its amount. */
async function resolveOrPostpone(deps: BillingDeps, payments: Payments, open: OpenCharge): Promise<void> {
  const { topUp } = open
  try {
    if (await resolveCharge(deps, payments, open)) return await postponePending(deps.pool, topUp)
  } catch (error) {
    deps.log.warn({ err: error, topUp }, 'Failed to look up the outcome of an automatic top-up; retrying.')
  }
  if (!(await postponeTopUp(deps.pool, topUp))) return
  await recordOutcome(deps, payments, topUp, { outcome: 'failed', intent: null, reason: unresolved })
  deps.log.error(
    { topUp, customer: open.customer },
    'An automatic top-up was still unresolved after 24 hours and is now marked as failed. Search Stripe for the payment with this top_up in its metadata; if it was paid, resend its event.',
  )
}

/** Waits for `work` on a top-up. Logs a failure instead of throwing, so that the other top-ups continue. */
async function attempt({ log }: BillingDeps, topUp: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => log.error({ err: error, topUp }, 'Failed to process an automatic top-up; retrying.'))
}

/** Starts a top-up if the account still needs one. Postpones it on failure, so that the other top-ups continue. */
async function start(deps: BillingDeps, { mode }: Payments, candidate: Candidate): Promise<OpenCharge | undefined> {
  const [accountId, amountPence] = [Number(candidate.account_id), Number(candidate.amount_pence)]
  const vatBasisPoints = deps.settings.vat?.basisPoints ?? null
  const publicId = newPublicId('top')
  try {
    const price = { amountPence, credits: creditsFor(amountPence), vatBasisPoints, vatPence: vatWithin(amountPence, vatBasisPoints) }
    return (await beginAutoTopUp(deps.pool, { accountId, mode, publicId, ...price })) ? await findOpenCharge(deps.pool, mode, publicId) : undefined
  } catch (error) {
    const isLast = await postponeStart(deps.pool, accountId)
    const fields = { err: error, accountId }
    if (isLast)
      deps.log.error(
        fields,
        'Automatic top-ups still failed to start after a day of retries and are now off. Fix the error, then ask the customer to turn them on.',
      )
    else deps.log.error(fields, 'Failed to start an automatic top-up; retrying.')
    return undefined
  }
}

/** Starts the automatic top-ups that are needed now and charges the saved cards. */
export async function beginAutoTopUps(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool, payments } = deps
  if (!payments) return
  for (const candidate of await readCandidates(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    const open = await start(deps, payments, candidate)
    if (open) await attempt(deps, open.topUp, charge(deps, payments, open))
  }
}

/** Resolves automatic top-ups left without an outcome because a process died, a response was lost or an event never arrived. */
export async function resolveAutoTopUps(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool, payments } = deps
  if (!payments) return
  for (const open of await readUnresolvedCharges(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    await attempt(deps, open.topUp, resolveOrPostpone(deps, payments, open))
  }
}
