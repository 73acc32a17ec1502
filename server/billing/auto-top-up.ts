import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { creditsFor, faultOfAmount, noAmount, pounds, vatWithin } from '#server/api/contract/top-ups.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import {
  type AutoTopUpRow,
  type AutoTopUpSettings,
  beginAutoTopUp,
  findOpenCharge,
  letRest,
  type Needy,
  type OpenCharge,
  putOffBeginning,
  readAutoTopUp,
  readNeedy,
  readSilentCharges,
  resumeAutoTopUp,
  writeAutoTopUp,
} from './auto-top-up.store.ts'
import { BillingError, type BillingRoom, modeOf } from './billing-room.ts'
import { applyFacts } from './payment-facts.store.ts'
import type { Charged, Payments } from './payments.ts'
import { putOffTopUp } from './retries.store.ts'

export type { AutoTopUpSettings }

export type AutoTopUp = AutoTopUpSettings & {
  /** Spent by automatic top-ups in the running UTC month, those under way included. */
  readonly spentPence: number
  readonly failures: number
  /** When the next one may begin: a minute after one that was paid, an hour or more after one that failed; null: as soon as it is needed. */
  readonly nextTryAt: string | null
  /** Why it switched itself off. */
  readonly offReason: string | null
  readonly isUnderWay: boolean
}

const settingsFromDb = (row: AutoTopUpRow): AutoTopUpSettings => ({
  isOn: row.is_on,
  thresholdCredits: Number(row.threshold_credits),
  amountPence: Number(row.amount_pence),
  ceilingPence: Number(row.ceiling_pence),
})

/** The settings of an account; null: it has never made any. */
export async function autoTopUpOf({ pool }: BillingRoom, accountId: number): Promise<AutoTopUp | null> {
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

const highestThreshold = 100_000
const highestCeilingPence = 10_000_000

type Asker = Pick<AuditEntry, 'address'>

const isWithin = (value: number, least: number, most: number) => Number.isSafeInteger(value) && value >= least && value <= most

/** A top-up has to reach the balance that it is made for, or the next one would follow at once. Switching off is let through with whatever was set before. */
function faultOfThreshold({ isOn, thresholdCredits, amountPence }: AutoTopUpSettings): string | null {
  const most = isOn && faultOfAmount(amountPence) === null ? creditsFor(amountPence) : highestThreshold
  if (isWithin(thresholdCredits, 1, most)) return null
  return `Balance must be 1 to ${most.toLocaleString('en-GB')} credits${most < highestThreshold ? ', as many as one top-up buys' : ''}.`
}

function faultOfCeiling({ amountPence, ceilingPence }: AutoTopUpSettings): string | null {
  if (ceilingPence < 0) return noAmount
  if (isWithin(ceilingPence, amountPence, highestCeilingPence)) return null
  return `The most for a month must be the amount of one top-up or more, and ${pounds(highestCeilingPence)} or less.`
}

/** @throws FieldsError when the settings cannot be used, or there is no saved card to switch it on for. */
export async function setAutoTopUp({ pool, settings }: BillingRoom, accountId: number, wanted: AutoTopUpSettings, asker: Asker): Promise<void> {
  refuseFaults({
    amount: faultOfAmount(wanted.amountPence),
    threshold: faultOfThreshold(wanted),
    ceiling: faultOfCeiling(wanted),
  })
  await inTransaction(pool, async (client) => {
    const row = await readAutoTopUp(client, accountId)
    if (!(await writeAutoTopUp(client, accountId, modeOf(settings), wanted))) {
      throw new BillingError('There is no saved card. Top up once and choose to save the card.')
    }
    const before = row ? settingsFromDb(row) : null
    await writeAudit(client, { accountId, actor: 'account', action: 'auto-top-up.change', before, after: wanted, ...asker })
  })
}

const atOnce = 20
/** Stripe remembers what was done under a key for a day. Until well before that, asking again is safe. */
const repeatableMs = 12 * 3_600_000

/** Enters what became of a charge. False: nobody knows, and nothing is entered. */
async function enter(room: BillingRoom, payments: Payments, topUp: string, charged: Charged): Promise<boolean> {
  if (charged.outcome === 'unknown') {
    room.log.warn({ topUp }, 'It is not known whether a saved card was charged; it is asked after.')
    return false
  }
  const facts = {
    topUp,
    intent: charged.intent,
    outcome: charged.outcome,
    ...(charged.outcome === 'paid' ? { amountPence: charged.amountPence } : {}),
    ...(charged.outcome === 'failed' ? { failure: charged.reason } : {}),
  }
  await applyFacts(room.pool, { event: null, isLive: payments.mode === 'live', at: new Date(clock.now()) }, facts)
  room.log.info({ topUp, outcome: charged.outcome }, 'A saved card was charged for an automatic top-up.')
  return true
}

const orderOf = ({ topUp, account, customer, amount_pence: pence, credits }: OpenCharge) => ({
  topUp,
  account,
  customer,
  amountPence: Number(pence),
  credits: Number(credits),
})

async function charge(room: BillingRoom, payments: Payments, open: OpenCharge): Promise<boolean> {
  const charged: Charged =
    open.method === null
      ? { outcome: 'failed', intent: null, reason: 'There is no saved card.' }
      : await payments.chargeSavedCard({ ...orderOf(open), method: open.method })
  return enter(room, payments, open.topUp, charged)
}

/**
 * Finds out about a charge whose answer was lost: looks for it, and charges again under the same key only while that cannot charge twice, and only what is
 * wanted at this moment. False: nobody knows yet.
 */
async function askAfter(room: BillingRoom, payments: Payments, open: OpenCharge): Promise<boolean> {
  const found = await payments.findCharge({ ...orderOf(open), begunAt: open.begunAt })
  if (found) return enter(room, payments, open.topUp, found)
  if (clock.now() - open.begunAt.getTime() < repeatableMs) {
    if (await resumeAutoTopUp(room.pool, open.topUp)) return charge(room, payments, open)
    room.log.info({ topUp: open.topUp }, 'An automatic top-up that was never charged is not wanted any more.')
    return true
  }
  return enter(room, payments, open.topUp, { outcome: 'failed', intent: null, reason: 'The card could not be charged.' })
}

const unknowable = 'It is not known whether the card was charged. If it was, the credits follow.'

/** Asks after one, and puts it off when nothing comes of it. When nothing came of it for a day it has failed: it would take room under the ceiling for good. */
async function ask(room: BillingRoom, payments: Payments, open: OpenCharge): Promise<void> {
  const { topUp } = open
  try {
    if (await askAfter(room, payments, open)) return await letRest(room.pool, topUp)
  } catch (error) {
    room.log.warn({ err: error, topUp }, 'An automatic top-up could not be asked after; it is tried again.')
  }
  if (!(await putOffTopUp(room.pool, topUp))) return
  await enter(room, payments, topUp, { outcome: 'failed', intent: null, reason: unknowable })
  room.log.error(
    { topUp, customer: open.customer },
    'What became of an automatic top-up could not be found out for a day, and it counts as failed. Look at Stripe for a payment with this top_up: send its event again if it was paid.',
  )
}

/** One that fails does not hold up the others. */
async function attempt({ log }: BillingRoom, topUp: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => log.error({ err: error, topUp }, 'An automatic top-up could not be carried on; it is tried again.'))
}

/** Begins one if the account is to have it. One that cannot be begun is put off, and does not hold up the others. */
async function begin(room: BillingRoom, { mode }: Payments, needy: Needy): Promise<OpenCharge | undefined> {
  const [accountId, amountPence] = [Number(needy.account_id), Number(needy.amount_pence)]
  const vatBasisPoints = room.settings.vat?.basisPoints ?? null
  const publicId = newPublicId('top')
  try {
    const price = { amountPence, credits: creditsFor(amountPence), vatBasisPoints, vatPence: vatWithin(amountPence, vatBasisPoints) }
    return (await beginAutoTopUp(room.pool, { accountId, mode, publicId, ...price })) ? await findOpenCharge(room.pool, mode, publicId) : undefined
  } catch (error) {
    const isLast = await putOffBeginning(room.pool, accountId)
    const facts = { err: error, accountId }
    if (isLast)
      room.log.error(facts, 'No automatic top-up could be begun for a day, and they are off. Mend what the error says, and tell the account to switch them on.')
    else room.log.error(facts, 'An automatic top-up could not be begun; it is tried again.')
    return undefined
  }
}

/** Begins the automatic top-ups that are needed now and charges the saved cards. */
export async function beginAutoTopUps(room: BillingRoom, signal: AbortSignal): Promise<void> {
  const { pool, payments } = room
  if (!payments) return
  for (const needy of await readNeedy(pool, payments.mode, atOnce)) {
    if (signal.aborted) return
    const open = await begin(room, payments, needy)
    if (open) await attempt(room, open.topUp, charge(room, payments, open))
  }
}

/** Asks after automatic top-ups that were left without an outcome: the process died, the answer was lost, or the event never came. */
export async function askAfterAutoTopUps(room: BillingRoom, signal: AbortSignal): Promise<void> {
  const { pool, payments } = room
  if (!payments) return
  for (const open of await readSilentCharges(pool, payments.mode, atOnce)) {
    if (signal.aborted) return
    await attempt(room, open.topUp, ask(room, payments, open))
  }
}
