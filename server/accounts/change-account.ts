import { getLimits, type Plan } from '#server/api/contract/access.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AccountChange, type AccountRow, enqueueReviewEmail, lockAccount, updateAccount } from './accounts.store.ts'
import { type Actor, type AdminActor, insertAudit } from './audit.store.ts'

/** Thrown if an account can't be created or changed as requested. The message says what to do. */
export class AccountError extends Error {
  override name = 'AccountError'
}

export type OwnLimits = { readonly perMinute: number | null; readonly perDay: number | null }

/** Change to an account, with the contents of its audit entry and an optional email. */
type Decision = {
  readonly action: string
  readonly change: Omit<AccountChange, 'limits'>
  readonly before: object
  readonly after: object
  readonly message?: { readonly kind: 'account-approved' } | { readonly kind: 'account-declined'; readonly facts: { readonly reason: string } }
}

/** Decides how to change an account; null if no change is needed. @throws AccountError if the change is not allowed. */
export type Decide = (account: AccountRow) => Decision | null

/** Locks the wallet of an account, then the account itself, and returns the account. @throws AccountError if there is none. */
type Hold = (client: Transaction) => Promise<AccountRow>

/**
 * Changes an account, writes the audit entry and enqueues the email, in one transaction that locks the wallet and the account. The change applies in every
 * process from the next call on. Returns false and writes nothing if no change is needed. @throws AccountError
 */
export async function changeAccount(pool: Database, by: Actor, hold: Hold, decide: Decide): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const account = await hold(client)
    const decision = decide(account)
    if (decision === null) return false
    const { action, before, after, message } = decision
    const wanted = { ownPerMinute: account.own_per_minute, ownPerDay: account.own_per_day, ...decision.change }
    const limits = getLimits(wanted.plan ?? account.plan, { perMinute: wanted.ownPerMinute, perDay: wanted.ownPerDay })
    await updateAccount(client, account.id, { ...wanted, limits })
    await insertAudit(client, { ...by, accountId: Number(account.id), action, before, after })
    if (message) await enqueueReviewEmail(client, account.id, message.kind, 'facts' in message ? message.facts : {})
    return true
  })
}

export const approval: Decide = ({ state }) => {
  if (state === 'blocked') throw new AccountError('This account is blocked. Unblock it first.')
  if (state === 'open') return null
  // Accounts in review were promised an email with the outcome.
  return { action: 'account.approve', change: { state: 'open' }, before: { state }, after: { state: 'open' }, message: { kind: 'account-approved' } }
}

/** Declines an account in review. It stays in review, so that it can still be approved later. */
const declining =
  (reason: string): Decide =>
  ({ state, declined_at: declinedAt }) => {
    if (state !== 'review') throw new AccountError('This account is not in review.')
    if (declinedAt !== null) return null
    const after = { state, declineReason: reason }
    return { action: 'account.decline', change: { declineReason: reason }, before: { state }, after, message: { kind: 'account-declined', facts: { reason } } }
  }

/** Blocks an account. Callers see the reason `shown`; only administrators see `unshown`. Both can be null. */
export const blocking =
  (shown: string | null, unshown: string | null): Decide =>
  ({ state }) => {
    const change = { state: 'blocked', blockReason: shown, blockReasonPrivate: unshown } as const
    return { action: 'account.block', change, before: { state }, after: { state: 'blocked', ...(shown === null ? {} : { blockReason: shown }) } }
  }

export const unblocking: Decide = ({ state, approved_at: approvedAt }) => {
  if (state !== 'blocked') throw new AccountError("This account isn't blocked.")
  const after = approvedAt === null ? ('review' as const) : ('open' as const)
  return { action: 'account.unblock', change: { state: after }, before: { state }, after: { state: after } }
}

export const onPlan =
  (plan: Plan): Decide =>
  (account) =>
    account.plan === plan ? null : { action: 'plan.change', change: { plan }, before: { plan: account.plan }, after: { plan } }

export const withLimits =
  (own: Partial<OwnLimits>): Decide =>
  (account) => {
    const before = { perMinute: account.own_per_minute, perDay: account.own_per_day }
    const after = { ...before, ...own }
    if (after.perMinute === before.perMinute && after.perDay === before.perDay) return null
    return { action: 'limits.change', change: { ownPerMinute: after.perMinute, ownPerDay: after.perDay }, before, after }
  }

/** Changes an account as an administrator. @throws AccountError if it is the administrator's own, is closed, or needs no change (`unchangedMessage`). */
async function change(pool: Database, by: AdminActor, id: number, decide: Decide, unchangedMessage: string): Promise<void> {
  if (id === by.adminId) throw new AccountError("You can't change your own account. Ask another administrator.")
  const isChanged = await changeAccount(
    pool,
    by,
    async (client) => {
      const account = await lockAccount(client, id)
      if (!account) throw new AccountError('This account is closed.')
      return account
    },
    decide,
  )
  if (!isChanged) throw new AccountError(unchangedMessage)
}

/** Approves an account and emails its owner. Its live keys work from the next call. @throws AccountError */
export const approveAsAdmin = (pool: Database, by: AdminActor, id: number): Promise<void> => change(pool, by, id, approval, 'This account is already approved.')

/** Declines an account in review. The reason is emailed and shown in the portal. @throws AccountError */
export const declineAsAdmin = (pool: Database, by: AdminActor, id: number, shownReason: string): Promise<void> =>
  change(pool, by, id, declining(shownReason), 'This account has already been declined.')

/**
 * Blocks an account: its keys are rejected from the next call. Callers see `shownReason`; only administrators see `by.reason`.
 * @throws AccountError
 */
export function blockAsAdmin(pool: Database, by: AdminActor, id: number, shownReason: string | null): Promise<void> {
  if (id === by.adminId) throw new AccountError("You can't block your own account.")
  const decide: Decide = (account) => (account.state === 'blocked' ? null : blocking(shownReason, by.reason)(account))
  return change(pool, by, id, decide, 'This account is already blocked.')
}

/** @throws AccountError */
export const unblockAsAdmin = (pool: Database, by: AdminActor, id: number): Promise<void> => change(pool, by, id, unblocking, "This account isn't blocked.")

/** @throws AccountError */
export const changePlanAsAdmin = (pool: Database, by: AdminActor, id: number, plan: Plan): Promise<void> =>
  change(pool, by, id, onPlan(plan), 'This account is already on that plan.')

/** Sets custom limits for an account; null restores the plan's limit. @throws AccountError */
export const changeLimitsAsAdmin = (pool: Database, by: AdminActor, id: number, own: OwnLimits): Promise<void> =>
  change(pool, by, id, withLimits(own), 'The account already has these limits.')
