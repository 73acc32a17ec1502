import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { isOwnAccount } from '#server/accounts/permissions.ts'
import { dayMs } from '#server/api/contract/dates.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import type { BillingDeps, BillingSettings } from './billing-deps.ts'
import { enterCredits } from './ledger.sql.ts'

/** A proposal that is not decided within this time expires without moving credits. */
const proposalDays = 7
/** Larger amounts are rejected as likely typos. */
const maxCredits = 10_000_000

/** Default ledger note, shown to the account. */
const defaultNote = 'Correction.'

export type AskedAdjustment = {
  /** Idempotency key of the form: submitting it several times moves the credits only once. */
  readonly key: string
  /** Credits to add; negative to deduct. */
  readonly credits: number
  /** Note shown with the ledger entry. Empty for the default note. */
  readonly note: string
}

/** Result of an adjustment: entered immediately, or a proposal that another administrator can approve or decline until `endsAt`. */
export type Adjusted = { readonly state: 'entered'; readonly balanceCredits: number } | { readonly state: 'waiting'; readonly endsAt: Date }

/** Reasons why no credits were moved: the form was submitted before, the account is closed, or the balance would fall below zero. */
const faultMessages = {
  again: 'This form was already submitted. The credits were not adjusted again.',
  closed: 'This account is closed. Its credits can no longer be adjusted.',
  short: 'The balance would fall below 0. Deduct fewer credits.',
} as const

const validateCredits = (credits: number): string | null =>
  Number.isSafeInteger(credits) && credits !== 0 && Math.abs(credits) <= maxCredits
    ? null
    : `Credits must be a whole number other than 0, up to ${maxCredits.toLocaleString('en-GB')}.`

/** Locks the wallet of an account and returns its balance; null if the account is closed. Until the lock is released, charges and account closure wait. */
async function lockBalance(tx: Transaction, accountId: number): Promise<number | null> {
  await lockRows(tx, 'wallet', [accountId])
  const wallet = await tx.wallet.findFirst({ where: { accountId, account: { closedAt: null } }, select: { balance: true } })
  return wallet && Number(wallet.balance)
}

/** Checks that credits can be adjusted manually. Only refunds, disputes and webhook charges may take a balance below zero. */
function findFault(balanceCredits: number | null, credits: number): 'closed' | 'short' | null {
  if (balanceCredits === null) return 'closed'
  return credits < 0 && balanceCredits + credits < 0 ? 'short' : null
}

/**
 * Returns the total of an administrator's unapproved credit adjustments to an account in the last day. Additions and deductions both count as positive amounts.
 */
export async function getMovedCredits(db: Db, accountId: number, adminId: number): Promise<number> {
  const where = { accountId, proposedBy: adminId, endsAt: null, proposedAt: { gt: new Date(clock.now() - dayMs) } }
  const sum = async (credits: Prisma.IntFilter) => (await db.creditAdjustment.aggregate({ where: { ...where, credits }, _sum: { credits: true } }))._sum.credits
  return ((await sum({ gt: 0 })) ?? 0) - ((await sum({ lt: 0 })) ?? 0)
}

/**
 * Returns true if a second administrator must approve: the administrator has access to the account as a customer, or the adjustment would exceed the daily limit
 * per administrator and account.
 */
async function needsApproval(tx: Transaction, { fourEyesCredits }: BillingSettings, { adminId }: AdminActor, accountId: number, credits: number) {
  return (await isOwnAccount(tx, adminId, accountId)) || (await getMovedCredits(tx, accountId, adminId)) + Math.abs(credits) > fourEyesCredits
}

/** Adds credits to a locked wallet and returns the new balance. */
async function enterAdjustment(tx: Transaction, accountId: number, credits: number, note: string, reference: string): Promise<number> {
  const balance = await enterCredits(tx, { accountId, kind: 'adjustment', credits, actor: 'operator', reason: note, reference })
  if (balance === null) throw new Error(`Account ${accountId} has no wallet.`)
  return balance
}

/**
 * Adds or deducts credits. If this administrator would exceed the daily limit for the account, or has access to it as a customer, creates a
 * proposal that another administrator has to approve or decline. @throws FieldsError if nothing was moved or proposed
 */
export async function adjustByHand({ pool: db, settings }: BillingDeps, by: AdminActor, accountId: number, asked: AskedAdjustment): Promise<Adjusted> {
  refuseFaults({ credits: validateCredits(asked.credits) })
  const [subject, { key: formKey, credits }, note] = [newPublicId('adj'), asked, asked.note.trim() === '' ? defaultNote : asked.note.trim()]
  return inTransaction(db, async (tx) => {
    const before = await lockBalance(tx, accountId)
    const fault = (await tx.creditAdjustment.count({ where: { formKey } })) > 0 ? 'again' : findFault(before, credits)
    if (fault !== null) throw new FieldsError({ form: faultMessages[fault] })
    const now = clock.now()
    const endsAt = (await needsApproval(tx, settings, by, accountId, credits)) ? new Date(now + proposalDays * dayMs) : null
    const state = endsAt === null ? 'entered' : 'waiting'
    const data = {
      publicId: subject,
      formKey,
      accountId,
      credits,
      note,
      reason: by.reason,
      state,
      proposedBy: by.adminId,
      proposedAt: new Date(now),
      endsAt,
    } as const
    const { count } = await tx.creditAdjustment.createMany({ data: [data], skipDuplicates: true })
    if (count === 0) throw new FieldsError({ form: faultMessages.again })
    if (endsAt !== null) {
      await writeAudit(tx, { ...by, accountId, action: 'credits.propose', subject, after: { credits, note, endsAt: endsAt.toISOString() } })
      return { state: 'waiting', endsAt }
    }
    const balanceCredits = await enterAdjustment(tx, accountId, credits, note, subject)
    await writeAudit(tx, { ...by, accountId, action: 'credits.adjust', subject, before: { balanceCredits: before }, after: { balanceCredits, note } })
    return { state: 'entered', balanceCredits }
  })
}

const decisionMessages = {
  decided: 'This proposal has already been approved or declined.',
  own: 'You made this proposal. Another administrator must approve or decline it.',
  self: 'This is your own account. Another administrator must approve or decline it.',
  ended: `This proposal expired after ${proposalDays} days without a decision. Propose it again.`,
  closed: faultMessages.closed,
  short: 'The balance would now fall below 0. Decline the proposal.',
} as const

const proposal = { accountId: true, credits: true, note: true, state: true, proposedBy: true, endsAt: true } as const satisfies Prisma.CreditAdjustmentSelect

type Proposal = Prisma.CreditAdjustmentGetPayload<{ select: typeof proposal }>

/** Returns the reason why an administrator can't decide a proposal; null if there is none. */
function findDecisionFault({ state, proposedBy, endsAt }: Proposal, adminId: number, isOwn: boolean): keyof typeof decisionMessages | null {
  if (state !== 'waiting') return 'decided'
  if (proposedBy === adminId) return 'own'
  if (isOwn) return 'self'
  return endsAt !== null && endsAt.getTime() <= clock.now() ? 'ended' : null
}

/** Approves or declines another administrator's proposal. Returns the new balance; null if declined. @throws FieldsError; RefusedError not_found */
export async function decideProposal({ pool: db }: Pick<BillingDeps, 'pool'>, by: AdminActor, id: string, isApproved: boolean): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    const target = await tx.creditAdjustment.findUnique({ where: { publicId: id }, select: { accountId: true } })
    if (!target) throw new RefusedError(refuse('not_found', {}, 'Proposal not found.'))
    // Decisions on proposals for the same account are serialised here.
    const before = await lockBalance(tx, target.accountId)
    const found = await tx.creditAdjustment.findUniqueOrThrow({ where: { publicId: id }, select: proposal })
    const { accountId, credits, note } = found
    const fault = findDecisionFault(found, by.adminId, await isOwnAccount(tx, by.adminId, accountId)) ?? (isApproved ? findFault(before, credits) : null)
    if (fault !== null) throw new FieldsError({ form: decisionMessages[fault] })
    const state = isApproved ? 'entered' : 'declined'
    const decision = { state, decidedBy: by.adminId, decidedAt: new Date(clock.now()), decisionReason: by.reason } as const
    await tx.creditAdjustment.update({ where: { publicId: id }, data: decision, select: { id: true } })
    const line = { ...by, accountId, subject: id }
    if (!isApproved) {
      await writeAudit(tx, { ...line, action: 'credits.decline', before: { state: 'waiting', credits }, after: { state } })
      return null
    }
    const balanceCredits = await enterAdjustment(tx, accountId, credits, note, id)
    await writeAudit(tx, { ...line, action: 'credits.approve', before: { balanceCredits: before }, after: { balanceCredits } })
    return balanceCredits
  })
}
