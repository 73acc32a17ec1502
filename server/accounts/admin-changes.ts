import type { Pool } from 'pg'
import type { Plan } from '#server/api/contract/plans.ts'
import { AccountError } from './account-error.ts'
import { lockAccount } from './accounts.store.ts'
import type { AdminActor } from './audit.store.ts'
import { approval, blocking, changeAccount, type Decide, declining, type OwnLimits, onPlan, unblocking, withLimits } from './change-account.ts'

/** Account changes by administrators. Each writes one audit entry, or fails if there is nothing to change. */

async function change(pool: Pool, by: AdminActor, id: number, decide: Decide, unchangedMessage: string): Promise<void> {
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
export const approveAsAdmin = (pool: Pool, by: AdminActor, id: number): Promise<void> => change(pool, by, id, approval, 'This account is already approved.')

/** Declines an account in review. The reason is emailed and shown in the portal. @throws AccountError */
export const declineAsAdmin = (pool: Pool, by: AdminActor, id: number, shownReason: string): Promise<void> =>
  change(pool, by, id, declining(shownReason), 'This account has already been declined.')

/** Rejects every key from the next call. `shownReason` is shown to callers; the reason of the admin action is visible to administrators only. @throws AccountError */
export function blockAsAdmin(pool: Pool, by: AdminActor, id: number, shownReason: string | null): Promise<void> {
  if (id === by.adminId) throw new AccountError("You can't block your own account.")
  const decide: Decide = (account) => (account.state === 'blocked' ? null : blocking(shownReason, by.reason)(account))
  return change(pool, by, id, decide, 'This account is already blocked.')
}

/** @throws AccountError */
export const unblockAsAdmin = (pool: Pool, by: AdminActor, id: number): Promise<void> => change(pool, by, id, unblocking, "This account isn't blocked.")

/** @throws AccountError */
export const changePlanAsAdmin = (pool: Pool, by: AdminActor, id: number, plan: Plan): Promise<void> =>
  change(pool, by, id, onPlan(plan), 'This account is already on that plan.')

/** Sets custom limits for an account; null restores the plan's limit. @throws AccountError */
export const changeLimitsAsAdmin = (pool: Pool, by: AdminActor, id: number, own: OwnLimits): Promise<void> =>
  change(pool, by, id, withLimits(own), 'The account already has these limits.')
