import { holdWallet } from '#server/accounts/accounts.ts'
import { type MemberOrigin, writeAudit } from '#server/accounts/audit.ts'
import { requireMember } from '#server/accounts/permissions.ts'
import { monthNumber } from '#server/api/contract/dates.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { creditsFor, faultOfAmount, noAmount, pounds } from '#server/api/contract/price-kinds.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type BillingDeps, BillingError, getPaymentMode } from './billing-deps.ts'

export type AutoTopUpSettings = { isOn: boolean; thresholdCredits: number; amountPence: number; ceilingPence: number }

const settingsColumns = { isOn: true, thresholdCredits: true, amountPence: true, ceilingPence: true } as const

/** State of automatic top-ups. `offReason` is null if the service didn't turn them off. */
const stateColumns = { month: true, monthPence: true, failures: true, notBefore: true, offReason: true, currentId: true } as const

/** Returns the settings and state of an account's automatic top-ups; null if the account has never set them. */
export async function getAutoTopUp({ pool: db }: BillingDeps, accountId: number) {
  const found = await db.autoTopUp.findUnique({ where: { accountId }, select: { ...settingsColumns, ...stateColumns } })
  if (!found) return null
  const { month, monthPence, notBefore, currentId, ...rest } = found
  return {
    ...rest,
    /** Amount spent by automatic top-ups in the current UTC month, including those in progress. */
    spentPence: month === monthNumber(clock.now()) ? monthPence : 0,
    /** Earliest time of the next top-up: a minute after a paid one, an hour or more after a failed one; null if it can start as soon as it is needed. */
    nextTryAt: notBefore?.toISOString() ?? null,
    isUnderWay: currentId !== null,
  }
}

const maxThresholdCredits = 100_000
const maxCeilingPence = 10_000_000

const isWithin = (value: number, min: number, max: number) => Number.isSafeInteger(value) && value >= min && value <= max

/**
 * Validates the threshold. One top-up must buy at least that many credits, or another would follow immediately. Turning automatic top-ups off is always
 * allowed.
 */
function validateThreshold({ isOn, thresholdCredits, amountPence }: AutoTopUpSettings): string | null {
  const max = isOn && faultOfAmount(amountPence) === null ? creditsFor(amountPence) : maxThresholdCredits
  if (isWithin(thresholdCredits, 1, max)) return null
  return `Threshold must be from 1 to ${max.toLocaleString('en-GB')} credits${max < maxThresholdCredits ? ', the most that one top-up can buy' : ''}.`
}

function validateCeiling({ amountPence, ceilingPence }: AutoTopUpSettings): string | null {
  if (ceilingPence < 0) return noAmount
  if (isWithin(ceilingPence, amountPence, maxCeilingPence)) return null
  return `The monthly limit must be at least the amount of one top-up and at most ${pounds(maxCeilingPence)}.`
}

/**
 * Configures automatic top-ups. Turning them on resets failures, but not the month's spend.
 * @throws FieldsError if the settings are invalid, or if they turn on automatic top-ups without a saved card
 */
export async function setAutoTopUp({ pool: db, settings }: BillingDeps, accountId: number, wanted: AutoTopUpSettings, by: MemberOrigin): Promise<void> {
  refuseFaults({
    amountPence: faultOfAmount(wanted.amountPence),
    thresholdCredits: validateThreshold(wanted),
    ceilingPence: validateCeiling(wanted),
  })
  const mode = getPaymentMode(settings)
  const { isOn, thresholdCredits, amountPence, ceilingPence } = wanted
  const data = { isOn, thresholdCredits, amountPence, ceilingPence }
  await inTransaction(db, async (tx) => {
    // While the wallet is locked, the card can't be removed and no top-up can start.
    await holdWallet(tx, accountId)
    await requireMember(tx, accountId, by.memberId ?? null, 'billing.setAutoTopUp')
    const hasCard = mode !== null && (await tx.paymentCustomer.count({ where: { accountId, mode, paymentMethodId: { not: null } } })) > 0
    if (isOn && !hasCard) throw new BillingError("You don't have a saved card. Top up once and save your card.")
    const before = await tx.autoTopUp.findUnique({ where: { accountId }, select: settingsColumns })
    const update = { ...data, ceilingNotified: 0, offReason: null, ...(isOn ? { failures: 0, attempts: 0, notBefore: null } : {}) }
    await tx.autoTopUp.upsert({ where: { accountId }, create: { accountId, ...data }, update, select: { accountId: true } })
    await writeAudit(tx, { ...by, accountId, actor: 'account', action: 'auto-top-up.change', before, after: wanted })
  })
}
