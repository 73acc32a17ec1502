import { getLimits, type Plan } from '#server/api/contract/access.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { sendJobs } from '#server/db/queues.sql.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Actor, type AdminActor, type AuditEntry, writeAudit } from './audit.ts'
import { isOwnAccount } from './permissions.ts'
import { accountRecipients } from './recipients.ts'

/** Thrown if an account can't be created or changed as requested. The message says what to do. */
export class AccountError extends Error {
  override name = 'AccountError'
}

export type OwnLimits = { readonly perMinute: number | null; readonly perDay: number | null }

/** Columns of an account that determine which changes are allowed. */
const changeable = {
  id: true,
  email: true,
  emailVerifiedAt: true,
  plan: true,
  state: true,
  approvedAt: true,
  declinedAt: true,
  customPerMinute: true,
  customPerDay: true,
} as const satisfies Prisma.AccountSelect

export type ChangeableAccount = Prisma.AccountGetPayload<{ select: typeof changeable }>

/**
 * Locks an account and its wallet until the transaction ends: the wallet first, as in every transaction that changes both. Rows that reference the account,
 * such as ledger entries, can still be inserted. Returns null for a closed account.
 */
export async function lockAccount(tx: Transaction, id: number): Promise<ChangeableAccount | null> {
  await lockRows(tx, 'wallet', [id])
  await lockRows(tx, 'account', [id])
  return tx.account.findFirst({ where: { id, closedAt: null }, select: changeable })
}

/** Change to an account, with the contents of its audit entry and an optional email. */
type Decision = {
  readonly action: AuditEntry['action']
  readonly change: Prisma.AccountUncheckedUpdateInput & Partial<Pick<ChangeableAccount, 'plan' | 'customPerMinute' | 'customPerDay'>>
  readonly before: object
  readonly after: object
  readonly message?:
    | { readonly kind: 'account-approved' | 'account-unblocked' }
    | { readonly kind: 'account-declined'; readonly data: { readonly reason: string } }
    | { readonly kind: 'account-blocked'; readonly data: { readonly reason: string | null } }
}

/** Determines the change to make to an account. Returns a message instead if no change is needed. @throws AccountError if the change is not allowed. */
export type Decide = (account: ChangeableAccount) => Decision | string

/** Locks the wallet of an account, then the account itself, and returns the account. @throws AccountError if there is none. */
type Lock = (tx: Transaction) => Promise<ChangeableAccount>

/** Changes a locked account and the limits in its wallet. Incrementing the wallet's version makes every process reload the account. */
async function updateAccount(tx: Transaction, account: ChangeableAccount, change: Decision['change']): Promise<void> {
  const { plan, customPerMinute, customPerDay } = { ...account, ...change }
  const { perMinute, perDay } = getLimits(plan, { perMinute: customPerMinute, perDay: customPerDay })
  const wallet = { update: { version: { increment: 1 }, minuteLimit: perMinute, dayLimit: perDay } }
  await tx.account.update({ where: { id: account.id }, data: { ...change, wallet }, select: { id: true } })
}

/**
 * Changes an account, writes the audit entry and enqueues the email, in one transaction that locks the wallet and the account. The change applies in every
 * process from the next call on. Returns null; if no change is needed, writes nothing and returns the message. @throws AccountError
 */
export async function changeAccount(db: Database, by: Actor, lock: Lock, decide: Decide): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const account = await lock(tx)
    const decision = decide(account)
    if (typeof decision === 'string') return decision
    const { action, before, after, message } = decision
    await updateAccount(tx, account, decision.change)
    // Revokes the application keys that this person approved in other accounts.
    if (decision.change.state === 'blocked') await sendJobs(tx, ['identity.tidy'])
    await writeAudit(tx, { ...by, accountId: account.id, action, before, after })
    // Only enqueues the email; its template is in server/email.
    if (message && account.emailVerifiedAt !== null)
      await tx.email.createMany({ data: (await accountRecipients(tx, account.id, 'account')).map((recipient) => ({ ...message, recipient })) })
    return null
  })
}

/** Approves an account. Its live keys work from the next call. Emails the outcome, as promised to accounts in review. */
export const approval: Decide = ({ state, approvedAt }) => {
  if (state === 'blocked') throw new AccountError('This account is blocked. Unblock it first.')
  if (state === 'open') return 'This account is already approved.'
  const change = { state: 'open', approvedAt: approvedAt ?? new Date(clock.now()), declinedAt: null, declineReason: null } as const
  return { action: 'account.approve', change, before: { state }, after: { state: 'open' }, message: { kind: 'account-approved' } }
}

/** Declines an account in review. The reason is emailed and shown in the portal. The account stays in review, so that it can still be approved later. */
export const declining =
  (reason: string): Decide =>
  ({ state, declinedAt }) => {
    if (state !== 'review') throw new AccountError('This account is not in review.')
    if (declinedAt !== null) return 'This account has already been declined.'
    const after = { state, declineReason: reason }
    const change = { declineReason: reason, declinedAt: new Date(clock.now()) }
    return { action: 'account.decline', change, before: { state }, after, message: { kind: 'account-declined', data: { reason } } }
  }

/** Blocks an account. Callers see the reason `shown`, which is also emailed; only administrators see `unshown`. Both can be null. */
export const blocking =
  (shown: string | null, unshown: string | null): Decide =>
  ({ state }) => {
    const change = { state: 'blocked', blockReason: shown, blockReasonPrivate: unshown } as const
    const after = { state: 'blocked', ...(shown === null ? {} : { blockReason: shown }) }
    const decision = { action: 'account.block', change, before: { state }, after } as const
    // A repeated block sends no second email.
    return state === 'blocked' ? decision : { ...decision, message: { kind: 'account-blocked', data: { reason: shown } } }
  }

export const unblocking: Decide = ({ state, approvedAt }) => {
  if (state !== 'blocked') throw new AccountError("This account isn't blocked.")
  const after = approvedAt === null ? ('review' as const) : ('open' as const)
  const change = { state: after, blockReason: null, blockReasonPrivate: null } as const
  return { action: 'account.unblock', change, before: { state }, after: { state: after }, message: { kind: 'account-unblocked' } }
}

export const onPlan =
  (plan: Plan): Decide =>
  (account) =>
    account.plan === plan
      ? 'This account is already on that plan.'
      : { action: 'plan.change', change: { plan }, before: { plan: account.plan }, after: { plan } }

/** Sets custom limits for an account; null restores the plan's limit. */
export const withLimits =
  (own: Partial<OwnLimits>): Decide =>
  (account) => {
    const before = { perMinute: account.customPerMinute, perDay: account.customPerDay }
    const after = { ...before, ...own }
    if (after.perMinute === before.perMinute && after.perDay === before.perDay) return 'The account already has these limits.'
    return { action: 'limits.change', change: { customPerMinute: after.perMinute, customPerDay: after.perDay }, before, after }
  }

/** Changes an account as an administrator. @throws AccountError if the administrator has access to it as a customer, it is closed, or no change is needed. */
export async function changeAsAdmin(db: Database, by: AdminActor, id: number, decide: Decide): Promise<void> {
  const lock = async (tx: Transaction) => {
    const account = await lockAccount(tx, id)
    if (await isOwnAccount(tx, by.adminId, id)) throw new AccountError("You can't change your own account. Ask another administrator.")
    if (!account) throw new AccountError('This account is closed.')
    return account
  }
  const unchanged = await changeAccount(db, by, lock, decide)
  if (unchanged !== null) throw new AccountError(unchanged)
}

/** Blocks an account as an administrator. Callers see `shownReason`; only administrators see `by.reason`. @throws AccountError */
export async function blockAsAdmin(db: Database, by: AdminActor, id: number, shownReason: string | null): Promise<void> {
  if (await isOwnAccount(db, by.adminId, id)) throw new AccountError("You can't block your own account.")
  const decide: Decide = (account) => (account.state === 'blocked' ? 'This account is already blocked.' : blocking(shownReason, by.reason)(account))
  return changeAsAdmin(db, by, id, decide)
}
