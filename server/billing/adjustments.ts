import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import * as store from './adjustments.store.ts'
import type { BillingDeps } from './billing-deps.ts'

/** A proposal that is not decided within this time expires without moving credits. */
const proposalDays = 7
const daySeconds = 86_400
/** Larger amounts are rejected as typing errors. */
const maxCredits = 10_000_000

/** Default ledger note, shown to the account. */
const defaultNote = 'Correction.'

export type AskedAdjustment = {
  /** Idempotency key of the form: submitting it several times moves credits once. */
  readonly key: string
  /** Credits to add; negative to take. */
  readonly credits: number
  /** Note shown with the ledger entry. Empty for the default note. */
  readonly note: string
}

/** Result of an adjustment: entered immediately, or a proposal that another administrator can decide until `endsAt`. */
export type Adjusted = { readonly state: 'entered'; readonly balanceCredits: number } | { readonly state: 'waiting'; readonly endsAt: Date }

const faultMessages = {
  again: 'This form was already submitted. Its credits were not moved again.',
  closed: 'This account is closed. Its credits can no longer be adjusted.',
  short: 'The balance would fall below 0. Take fewer credits.',
} as const satisfies Record<store.AdjustmentFault, string>

const validateCredits = (credits: number): string | null =>
  Number.isSafeInteger(credits) && credits !== 0 && Math.abs(credits) <= maxCredits
    ? null
    : `Credits must be a whole number other than 0, up to ${maxCredits.toLocaleString('en-GB')}.`

/**
 * Adds or takes credits. If this administrator would exceed the daily limit for the account, or if it is the administrator's own account, creates a proposal
 * that another administrator has to decide. @throws FieldsError if nothing was moved or proposed
 */
export async function adjustByHand({ pool, settings }: BillingDeps, by: AdminActor, accountId: number, asked: AskedAdjustment): Promise<Adjusted> {
  refuseFaults({ credits: validateCredits(asked.credits) })
  const [subject, { key: formKey, credits }, note] = [newPublicId('adj'), asked, asked.note.trim() === '' ? defaultNote : asked.note.trim()]
  return inTransaction(pool, async (client) => {
    const wanted = { publicId: subject, formKey, accountId, credits, note, reason: by.reason, adminId: by.adminId }
    const limits = { aloneCredits: settings.fourEyesCredits, withinSeconds: proposalDays * daySeconds }
    const row = await store.insertAdjustment(client, { ...wanted, ...limits })
    const { outcome, balance_after: after, proposal_ends_at: endsAt } = row
    if (outcome === 'waiting' && endsAt !== null) {
      await writeAudit(client, { ...by, accountId, action: 'credits.propose', subject, after: { credits, note, endsAt: endsAt.toISOString() } })
      return { state: 'waiting', endsAt }
    }
    if (outcome !== 'entered') throw new FieldsError({ form: faultMessages[outcome === 'waiting' ? 'again' : outcome] })
    const [before, balanceCredits] = [Number(row.balance_before), Number(after)]
    await writeAudit(client, { ...by, accountId, action: 'credits.adjust', subject, before: { balanceCredits: before }, after: { balanceCredits, note } })
    return { state: 'entered', balanceCredits }
  })
}

const decisionMessages = {
  decided: 'This proposal has already been decided.',
  own: 'You made this proposal. Another administrator has to decide it.',
  self: 'This is your own account. Another administrator has to decide it.',
  ended: `This proposal expired after ${proposalDays} days without a decision. Propose it again.`,
  closed: faultMessages.closed,
  short: 'The balance would now fall below 0. Decline the proposal.',
} as const

/** Approves or declines another administrator's proposal. Returns the new balance; null if declined. @throws FieldsError; RefusedError not_found */
export async function decideProposal({ pool }: Pick<BillingDeps, 'pool'>, by: AdminActor, id: string, isApproved: boolean): Promise<number | null> {
  return inTransaction(pool, async (client) => {
    const row = await store.decideAdjustment(client, id, by.adminId, isApproved, by.reason)
    if (row.outcome === 'unknown') throw new RefusedError(refuse('not_found', {}, 'Proposal not found.'))
    if (row.outcome !== 'entered' && row.outcome !== 'declined') throw new FieldsError({ form: decisionMessages[row.outcome] })
    const [line, credits] = [{ ...by, accountId: Number(row.account_id_), subject: id }, Number(row.credits_)]
    if (row.outcome === 'declined') {
      await writeAudit(client, { ...line, action: 'credits.decline', before: { state: 'waiting', credits }, after: { state: 'declined' } })
      return null
    }
    const [before, balanceCredits] = [Number(row.balance_before), Number(row.balance_after)]
    await writeAudit(client, { ...line, action: 'credits.approve', before: { balanceCredits: before }, after: { balanceCredits } })
    return balanceCredits
  })
}

/** Adjustment as administrators see it, with public ids and email addresses of the account and the administrators. */
export type Adjustment = {
  readonly id: string
  readonly account: string
  readonly accountEmail: string
  readonly isClosed: boolean
  /** Current balance of the account. */
  readonly balanceCredits: number
  readonly credits: number
  readonly note: string
  readonly reason: string
  /** `ended` means that the proposal expired without a decision. */
  readonly state: 'waiting' | 'entered' | 'declined' | 'ended'
  readonly proposedBy: string
  readonly proposedByEmail: string
  readonly proposedAt: Date
  /** Null if no second administrator was needed. */
  readonly endsAt: Date | null
  readonly decidedBy: string | null
  readonly decidedByEmail: string | null
  readonly decidedAt: Date | null
  readonly decisionReason: string | null
}

const fromDb = (row: store.AdjustmentRow): Adjustment => ({
  id: row.public_id,
  account: row.account,
  accountEmail: row.account_email,
  isClosed: row.is_closed,
  balanceCredits: Number(row.balance),
  credits: Number(row.credits),
  note: row.note,
  reason: row.reason,
  state: row.is_over ? 'ended' : row.state,
  proposedBy: row.proposed_by,
  proposedByEmail: row.proposed_email,
  proposedAt: row.proposed_at,
  endsAt: row.ends_at,
  decidedBy: row.decided_by,
  decidedByEmail: row.decided_email,
  decidedAt: row.decided_at,
  decisionReason: row.decision_reason,
})

const pageSize = 50
const maxPerAccount = 20
const maxCounted = 1_000

/** Counts the open proposals, up to 1,000, and returns when the oldest was made. */
export const countOpenProposals = (pool: Database): Promise<{ count: number; oldest: Date | null }> => store.countWaiting(pool, maxCounted)

/** Returns a page of 50 open proposals, oldest first; pass `next` as `after` to get the next page. */
export async function listOpenProposals(pool: Database, after: string | null): Promise<{ proposals: Adjustment[]; next: string | null }> {
  const rows = await store.readWaiting(pool, after, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { proposals: shown.map(fromDb), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null }
}

/** Data for the adjustment form: the account's state, its adjustments, and the credits that the administrator has moved and may move without approval. */
export type AdjustmentTerms = {
  readonly email: string
  readonly balanceCredits: number
  readonly isClosed: boolean
  /** True for the administrator's own account, for which every adjustment needs approval. */
  readonly isOwn: boolean
  readonly aloneCredits: number
  readonly movedTodayCredits: number
  readonly adjustments: readonly Adjustment[]
}

export async function getAdjustmentTerms({ pool, settings }: BillingDeps, accountId: number, adminId: number): Promise<AdjustmentTerms> {
  const [row, rows] = await Promise.all([store.readTerms(pool, accountId, adminId), store.readAdjustments(pool, accountId, maxPerAccount)])
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const account = {
    email: row.email,
    balanceCredits: Number(row.balance),
    isClosed: row.is_closed,
    isOwn: accountId === adminId,
    movedTodayCredits: Number(row.moved),
  }
  return { ...account, aloneCredits: settings.fourEyesCredits, adjustments: rows.map(fromDb) }
}
