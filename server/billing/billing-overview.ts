import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { requireMember } from '#server/accounts/permissions.ts'
import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { nextMonthsFirst } from '#server/api/contract/formats.ts'
import { smallestTopUpPence, topUpPresetsPence } from '#server/api/contract/price-kinds.ts'
import { clock } from '#server/clock.ts'
import type { TopUpState } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { sendResumption } from '#server/db/queues.sql.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { getAutoTopUp } from './auto-top-up-settings.ts'
import { type BillingDeps, getPaymentMode } from './billing-deps.ts'
import { readMonthSpent, readMovements } from './ledger.sql.ts'
import { getAlertThresholds } from './low-balance-alerts.ts'
import { toTopUp } from './top-ups.ts'

const toCredits = (credits: bigint | null): number | null => (credits === null ? null : Number(credits))

/** Returns an account's monthly spend cap, which covers all its live keys together. Months are in UTC. */
async function getSpendCap(db: Database, accountId: number, monthCap: bigint | null) {
  return {
    /** Null for no cap. */
    capCredits: toCredits(monthCap),
    /** Credits charged this month, minus reversals. */
    spentCredits: await readMonthSpent(db, accountId),
    /** Date of the next reset, such as `1 December 2026`. */
    renewsOn: nextMonthsFirst(clock.now()),
  }
}

const maxCapCredits = 100_000_000

/**
 * Sets the monthly spend cap of an account; null removes it. Applies from the next call on. `beforeRaise` is called before a cap is raised or removed,
 * and can prevent it by throwing. @throws FieldsError if the cap is invalid
 */
export async function setCap(
  { pool: db }: { readonly pool: Database },
  accountId: number,
  capCredits: number | null,
  asker: Actor,
  beforeRaise: () => void = () => undefined,
): Promise<void> {
  const isValid = capCredits === null || (Number.isSafeInteger(capCredits) && capCredits >= 0 && capCredits <= maxCapCredits)
  refuseFaults({ capCredits: isValid ? null : `Cap must be a whole number of credits from 0 to ${maxCapCredits.toLocaleString('en-GB')}, or empty.` })
  await inTransaction(db, async (tx) => {
    // The statement that charges a call locks the wallet too, so the cap applies from the next call on.
    await lockRows(tx, 'wallet', [accountId])
    if (asker.actor === 'account') await requireMember(tx, accountId, asker.memberId ?? null, 'billing.setCap')
    const { monthCap } = await tx.wallet.findUniqueOrThrow({ where: { accountId }, select: { monthCap: true } })
    const before = toCredits(monthCap)
    if (before !== null && (capCredits === null || capCredits > before)) beforeRaise()
    await tx.wallet.update({ where: { accountId }, data: { monthCap: capCredits }, select: { accountId: true } })
    if (before !== capCredits) await sendResumption(tx)
    await writeAudit(tx, { accountId, action: 'cap.change', before: { capCredits: before }, after: { capCredits }, ...asker })
  })
}

async function findCard({ pool: db, settings }: BillingDeps, accountId: number) {
  const mode = getPaymentMode(settings)
  if (mode === null) return null
  const where = { accountId, mode, paymentMethodId: { not: null } }
  const card = await db.paymentCustomer.findFirst({ where, select: { cardBrand: true, cardLast4: true, cardExpires: true } })
  return card && { brand: card.cardBrand ?? 'card', last4: card.cardLast4 ?? '', expires: card.cardExpires ?? '' }
}

/** Returns the latest entry that deducted credits and left the balance below zero, with the credits it deducted. */
async function findDebt(db: Database, accountId: number) {
  const where = { accountId, credits: { lt: 0 }, balanceAfter: { lt: 0 } }
  const entry = await db.ledgerEntry.findFirst({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], select: { kind: true, credits: true, at: true } })
  return entry && { kind: entry.kind, credits: -Number(entry.credits), at: entry.at.toISOString() }
}

/** Returns the billing overview of an account. The number of days that the balance will last is part of `account.overview`. */
export async function getBillingOverview(deps: BillingDeps, accountId: number) {
  const { pool: db } = deps
  const { balance, monthCap } = await db.wallet.findUniqueOrThrow({ where: { accountId }, select: { balance: true, monthCap: true } })
  const [debt, card, autoTopUp, alertThresholds, spendCap] = await Promise.all([
    balance < 0 ? findDebt(db, accountId) : null,
    findCard(deps, accountId),
    getAutoTopUp(deps, accountId),
    getAlertThresholds(db, accountId),
    getSpendCap(db, accountId, monthCap),
  ])
  const vat = deps.settings.vat
  return {
    balanceCredits: Number(balance),
    debt,
    spendCap,
    /** Payment mode; null if payments are unavailable on this service. */
    mode: getPaymentMode(deps.settings),
    card,
    autoTopUp,
    alertThresholds,
    smallestTopUpPence,
    presetsPence: topUpPresetsPence,
    /** VAT percentage included in prices; null if none is shown. */
    vatPercent: vat ? vat.basisPoints / 100 : null,
  }
}

/**
 * Returns a top-up and the balance of its account, for the page that waits for the payment; null if the account has no such top-up. Reads the top-up first
 * and then the balance, so that the balance includes the credits of a paid top-up.
 */
export async function getTopUp({ pool: db }: BillingDeps, accountId: number, id: string) {
  const row = await db.topUp.findFirst({ where: { accountId, publicId: id } })
  if (!row) return null
  const wallet = await db.wallet.findUnique({ where: { accountId }, select: { balance: true } })
  return { ...toTopUp(row), balanceCredits: Number(wallet?.balance ?? 0) }
}

const pageSize = 50

/** Returns the account's newest checkout that can still be paid, with the URL of its payment page; null if there is none. */
async function findUnpaid({ pool: db, settings }: BillingDeps, accountId: number) {
  const mode = getPaymentMode(settings)
  if (mode === null) return null
  const isOpen = { state: 'open', origin: 'checkout', expiresAt: { gt: new Date(clock.now()) }, checkoutUrl: { not: null } } as const
  const row = await db.topUp.findFirst({ where: { accountId, mode, ...isOpen }, orderBy: { id: 'desc' } })
  return row && { ...toTopUp(row), url: row.checkoutUrl ?? '' }
}

/**
 * Returns a page of 50 top-ups, newest first, without those that were never paid. `cursor` is the previous page's `nextCursor`, or null. The first page also has
 * the checkout that can still be paid, if `mayPay`.
 */
export async function listTopUps(deps: BillingDeps, accountId: number, cursor: string | null, mayPay: boolean) {
  const { pool: db } = deps
  const where = { accountId, state: { in: ['pending', 'paid', 'failed'] as TopUpState[] }, ...(cursor === null ? {} : { id: { lt: Number(cursor) } }) }
  const rows = await db.topUp.findMany({ where, orderBy: { id: 'desc' }, take: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const unpaid = mayPay && cursor === null ? await findUnpaid(deps, accountId) : null
  return { topUps: shown.map(toTopUp), unpaid, nextCursor: rows.length > pageSize ? String(shown.at(-1)?.id) : null }
}

const daysShown = 30

/**
 * Returns the balance at the end of each of the last 30 UTC days (or now, for today), and the credits moved, added and topped up on that day, oldest first. Computed
 * backwards from the current balance, so that the last day matches it.
 */
export async function listBalanceDays({ pool: db }: Pick<BillingDeps, 'pool'>, accountId: number) {
  const days = Array.from({ length: daysShown }, (_, back) => isoDay(clock.now() - back * dayMs))
  const rows = await readMovements(db, accountId, days.at(-1) ?? '')
  const movedOn = new Map(rows.map((row) => [row.day, row]))
  let balanceCredits = Number(rows[0]?.balance ?? 0)
  const newestFirst = days.map((day) => {
    const row = movedOn.get(day)
    const movedCredits = Number(row?.credits ?? 0)
    const end = { day, balanceCredits, movedCredits, addedCredits: Number(row?.added ?? 0), toppedUpCredits: Number(row?.toppedUp ?? 0) }
    balanceCredits -= movedCredits
    return end
  })
  return newestFirst.reverse()
}
