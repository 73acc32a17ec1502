import type { Pool } from 'pg'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import * as store from './adjustments.store.ts'
import type { BillingRoom } from './billing-room.ts'

/** A proposal that nobody decided within this time has ended, and moves nothing. */
const proposalDays = 7
const daySeconds = 86_400
/** More than this in one go is a slip of the hand. */
const mostCredits = 10_000_000

/** What an account reads in its ledger when nothing else was written for it: its title says as much already. */
const plainNote = 'Correction.'

export type AskedAdjustment = {
  /** Of the form as it was shown: however often it is sent, it moves credits once. */
  readonly key: string
  /** To add; below zero, to take. */
  readonly credits: number
  /** What the account reads beside the entry. Empty: that it is a correction. */
  readonly note: string
}

/** Moved at once, or waiting for another administrator until `endsAt`. */
export type Adjusted = { readonly state: 'entered'; readonly balanceCredits: number } | { readonly state: 'waiting'; readonly endsAt: Date }

const faultWords = {
  again: 'This form was sent before. Nothing was moved a second time.',
  closed: 'This account is closed. Its credits are not moved any more.',
  short: 'The balance would fall below 0. Take fewer credits.',
} as const satisfies Record<store.AdjustmentFault, string>

const faultOf = (credits: number): string | null =>
  Number.isSafeInteger(credits) && credits !== 0 && Math.abs(credits) <= mostCredits
    ? null
    : `Credits must be a whole number other than 0, up to ${mostCredits.toLocaleString('en-GB')}.`

/**
 * Adds or takes credits of an account. When that and what the same administrator moved for the account within a day comes to more than one may move alone,
 * it becomes a proposal, which another one decides; so does whatever they move for their own account. @throws FieldsError when nothing was moved or proposed, and why
 */
export async function adjustByHand({ pool, settings }: BillingRoom, by: AdminActor, accountId: number, asked: AskedAdjustment): Promise<Adjusted> {
  refuseFaults({ credits: faultOf(asked.credits) })
  const [subject, { key: formKey, credits }, note] = [newPublicId('adj'), asked, asked.note.trim() === '' ? plainNote : asked.note.trim()]
  return inTransaction(pool, async (client) => {
    const wanted = { publicId: subject, formKey, accountId, credits, note, reason: by.reason, adminId: by.adminId }
    const limits = { aloneCredits: settings.fourEyesCredits, withinSeconds: proposalDays * daySeconds }
    const row = await store.insertAdjustment(client, { ...wanted, ...limits })
    const { outcome, balance_after: after, proposal_ends_at: endsAt } = row
    if (outcome === 'waiting' && endsAt !== null) {
      await writeAudit(client, { ...by, accountId, action: 'credits.propose', subject, after: { credits, note, endsAt: endsAt.toISOString() } })
      return { state: 'waiting', endsAt }
    }
    if (outcome !== 'entered') throw new FieldsError({ form: faultWords[outcome === 'waiting' ? 'again' : outcome] })
    const [before, balanceCredits] = [Number(row.balance_before), Number(after)]
    await writeAudit(client, { ...by, accountId, action: 'credits.adjust', subject, before: { balanceCredits: before }, after: { balanceCredits, note } })
    return { state: 'entered', balanceCredits }
  })
}

const decidedWords = {
  decided: 'This proposal was decided before. Nothing was changed.',
  own: 'You proposed this. Another administrator decides it.',
  self: 'This is about your own account. Another administrator decides it.',
  ended: `Nobody decided this proposal within ${proposalDays} days. It has ended: propose it again.`,
  closed: faultWords.closed,
  short: 'The balance would fall below 0 by now. Decline the proposal.',
} as const

/** Approves or declines a proposal of another administrator, once. Returns the balance when credits were moved. @throws FieldsError; RefusedError not_found */
export async function decideProposal({ pool }: Pick<BillingRoom, 'pool'>, by: AdminActor, id: string, isApproved: boolean): Promise<number | null> {
  return inTransaction(pool, async (client) => {
    const row = await store.decideAdjustment(client, id, by.adminId, isApproved, by.reason)
    if (row.outcome === 'unknown') throw new RefusedError(refuse('not_found', {}, 'There is no such proposal.'))
    if (row.outcome !== 'entered' && row.outcome !== 'declined') throw new FieldsError({ form: decidedWords[row.outcome] })
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

/** An adjustment as the desk reads it. Whom it is about and who decides is told by public id, and by email to be known by. */
export type Adjustment = {
  readonly id: string
  readonly account: string
  readonly accountEmail: string
  readonly isClosed: boolean
  /** What the account has now. */
  readonly balanceCredits: number
  readonly credits: number
  readonly note: string
  readonly reason: string
  /** `ended`: nobody decided it in time. */
  readonly state: 'waiting' | 'entered' | 'declined' | 'ended'
  readonly proposedBy: string
  readonly proposedByEmail: string
  readonly proposedAt: Date
  /** Null: it needed no second administrator. */
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
const shownOfAccount = 20
const mostCounted = 1_000

/** Proposals that wait, counted up to 1,000, and since when the oldest does. */
export const waitingProposals = (pool: Pool): Promise<{ count: number; oldest: Date | null }> => store.countWaiting(pool, mostCounted)

/** Proposals that wait, oldest first, 50 a page; `next` is the place behind which the next page begins. */
export async function proposalsWaiting(pool: Pool, after: string | null): Promise<{ proposals: Adjustment[]; next: string | null }> {
  const rows = await store.readWaiting(pool, after, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { proposals: shown.map(fromDb), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null }
}

/** What an administrator has to know before adjusting: how the account stands, and what may still be moved today without a second one. */
export type AdjustmentTerms = {
  readonly email: string
  readonly balanceCredits: number
  readonly isClosed: boolean
  /** Whether it is the administrator's own, for which nothing is moved alone. */
  readonly isOwn: boolean
  readonly aloneCredits: number
  readonly movedTodayCredits: number
  readonly adjustments: readonly Adjustment[]
}

export async function adjustmentTerms({ pool, settings }: BillingRoom, accountId: number, adminId: number): Promise<AdjustmentTerms> {
  const [row, rows] = await Promise.all([store.readTerms(pool, accountId, adminId), store.readAdjustments(pool, accountId, shownOfAccount)])
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const stand = {
    email: row.email,
    balanceCredits: Number(row.balance),
    isClosed: row.is_closed,
    isOwn: accountId === adminId,
    movedTodayCredits: Number(row.moved),
  }
  return { ...stand, aloneCredits: settings.fourEyesCredits, adjustments: rows.map(fromDb) }
}
