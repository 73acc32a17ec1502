import { DbNull } from '@prisma/client/runtime/client'
import { type AuditAction, internalActions } from '#server/api/contract/audit-actions.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { readMemberLabels } from './member-labels.ts'

/** Origin of a change: who made it and from where. Admin actions also carry a reason. */
export type Actor =
  | {
      /** `account` is the account itself, `operator` the command line. A change by an API key has the public id of the key. */
      readonly actor: 'account' | 'operator' | 'service' | `key_${string}`
      /** IP address of the requester. */
      readonly address?: string | null
      /** Login of the member who made the change; null or missing for the account's own login. */
      readonly memberId?: number | null
    }
  | AdminActor

/** Origin of a change that a member of the account made, without the actor. */
export type MemberOrigin = { readonly address?: string | null; readonly memberId?: number | null }

/** Admin action. `adminId` is the administrator's account; the reason is visible to administrators only. */
export type AdminActor = { readonly actor: 'admin'; readonly adminId: number; readonly reason: string; readonly address: string | null }

/**
 * A change to an account. `before` and `after` contain no secrets (a password change records only that it happened), and no email or name, because entries
 * outlive the account.
 */
export type AuditEntry = Actor & {
  /** Null if the entry concerns no account. */
  readonly accountId: number | null
  readonly action: AuditAction
  /** Public id of the changed object, if it is not the account. */
  readonly subject?: string | null
  readonly before?: object | null
  readonly after?: object | null
}

/** Adds an entry. Pass the transaction in which the change is made, so that the change and its entry are committed together. */
export async function writeAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { accountId, actor, action, subject = null, before, after, address = null } = entry
  const by = entry.actor === 'admin' ? { actorAccountId: entry.adminId, reason: entry.reason } : { memberId: entry.memberId ?? null }
  const data = { accountId, actor, action, subject, before: before ?? DbNull, after: after ?? DbNull, address, ...by }
  await tx.auditEntry.create({ data, select: { id: true } })
}

/** Columns of an entry that the account itself may see. */
const shown = {
  id: true,
  at: true,
  actor: true,
  action: true,
  subject: true,
  before: true,
  after: true,
  address: true,
  memberId: true,
} as const

/** Prefixes of actions on the account's own login. */
const personalActions = [
  'sign-up',
  'name.',
  'sign-in.',
  'reauthentication.',
  'session.',
  'password.',
  'email.',
  'provider.',
  'second-factor.',
  'recovery-codes.',
  'time-zone.',
]

const pageSize = 50

/**
 * Returns a page of 50 entries, newest first, as the account sees them: admin actions without IP address and details. `next` is the id to pass as `beforeId`,
 * or null. `isOwnSignIn` is false for members with another login, who don't see how the account's own login was used.
 */
export async function getAudit(db: Database, accountId: number, isOwnSignIn: boolean, beforeId: string | null) {
  const older = beforeId === null ? {} : { id: { lt: BigInt(beforeId) } }
  const hidden = isOwnSignIn ? [] : personalActions.map((start) => ({ action: { startsWith: start } }))
  const where = { accountId, action: { notIn: [...internalActions] }, NOT: hidden, ...older }
  const entries = await db.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: pageSize + 1, select: shown })
  const toMember = await readMemberLabels(
    db,
    accountId,
    entries.map(({ memberId }) => memberId),
  )
  const lines = entries.slice(0, pageSize).map(({ memberId, ...entry }) => {
    const details = entry.actor === 'admin' ? { before: null, after: null, address: null } : {}
    return { ...entry, ...details, id: String(entry.id), member: memberId === null ? null : toMember(memberId) }
  })
  return { lines, next: entries.length > pageSize ? (lines.at(-1)?.id ?? null) : null }
}
