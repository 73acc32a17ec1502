import { type MemberOrigin, writeAudit } from '#server/accounts/audit.ts'
import { requireMember } from '#server/accounts/permissions.ts'
import { BillingDetails, billingFaults, isEmpty, isSameDetails, toBillingDetails } from '#server/api/contract/billing-details.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { TopUp } from '#server/db/generated/client.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { markCustomersStale } from './customers.ts'

const columns = { name: true, line1: true, line2: true, city: true, postcode: true, country: true, vatNumber: true } as const

/** Maximum number of open checkouts per account. */
export const maxOpen = 20

/** Returns the billing details stored with a top-up; null if its account had none. */
export const readBilledTo = ({ billedTo }: Pick<TopUp, 'billedTo'>): BillingDetails | null => (billedTo === null ? null : BillingDetails.parse(billedTo))

/** Returns the billing details of an account; null if it has none. */
export const findBillingDetails = (db: Db, accountId: number): Promise<BillingDetails | null> =>
  db.billingDetails.findUnique({ where: { accountId }, select: columns })

async function write(tx: Transaction, accountId: number, details: BillingDetails | null): Promise<void> {
  if (details === null) await tx.billingDetails.deleteMany({ where: { accountId } })
  else await tx.billingDetails.upsert({ where: { accountId }, create: { accountId, ...details }, update: details, select: { accountId: true } })
}

/**
 * Expires open checkouts that have different details, because their invoices would mix old and new. A job closes them at Stripe before it updates the customer
 * there.
 */
async function expireCheckouts(tx: Transaction, accountId: number, details: BillingDetails | null): Promise<void> {
  const open = await tx.topUp.findMany({ where: { accountId, state: 'open', origin: 'checkout' }, take: maxOpen, select: { id: true, billedTo: true } })
  const outdated = open.filter((one) => !isSameDetails(readBilledTo(one), details)).map(({ id }) => id)
  await tx.topUp.updateMany({ where: { id: { in: outdated }, state: 'open' }, data: { state: 'expired' } })
}

/**
 * Sets the billing details of an account, which apply to payments that start afterwards; empty details remove them. Stripe's customer is updated by a job, and
 * before the next checkout. @throws FieldsError
 */
export async function setBillingDetails({ pool: db }: { readonly pool: Database }, accountId: number, typed: BillingDetails, by: MemberOrigin): Promise<void> {
  const details = isEmpty(typed) ? null : toBillingDetails(typed)
  if (details !== null) refuseFaults(billingFaults(details))
  await inTransaction(db, async (tx) => {
    // Locks the account, as a purchase does.
    await requireMember(tx, accountId, by.memberId ?? null, 'billing.setDetails')
    const before = await findBillingDetails(tx, accountId)
    if (isSameDetails(before, details)) return
    await write(tx, accountId, details)
    await expireCheckouts(tx, accountId, details)
    await markCustomersStale(tx, accountId)
    // Omits the details: a closed account's history is kept after its personal data is deleted.
    const shown = (one: BillingDetails | null) => ({ hasDetails: one !== null, hasVatNumber: (one?.vatNumber ?? '') !== '' })
    await writeAudit(tx, { ...by, accountId, actor: 'account', action: 'billing-details.change', before: shown(before), after: shown(details) })
  })
}
