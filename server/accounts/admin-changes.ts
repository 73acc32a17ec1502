import type { Pool } from 'pg'
import type { Plan } from '#server/api/contract/plans.ts'
import { AccountError } from './account-error.ts'
import { lockAccount } from './accounts.store.ts'
import type { AdminActor } from './audit.store.ts'
import { approval, blocking, changeAccount, type Decide, declining, type OwnLimits, onPlan, unblocking, withLimits } from './change-account.ts'

/** Changes an account as an administrator and writes one audit entry. Rejects changes that would have no effect. @throws AccountError */

async function change(pool: Pool, by: AdminActor, id: number, decide: Decide, already: string): Promise<void> {
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
  if (!isChanged) throw new AccountError(already)
}

/** Approves an account: its live keys work from the next call on, and it is notified by email. @throws AccountError */
export const approveAsAdmin = (pool: Pool, by: AdminActor, id: number): Promise<void> => change(pool, by, id, approval, 'This account is already approved.')

/** Declines an account. The reason is shown by email and in the portal. @throws AccountError */
export const declineAsAdmin = (pool: Pool, by: AdminActor, id: number, told: string): Promise<void> =>
  change(pool, by, id, declining(told), 'This account has already been declined.')

/** Blocks an account: all its keys are refused from the next call on. `told` is shown to callers; `by.reason` only to administrators. @throws AccountError */
export function blockAsAdmin(pool: Pool, by: AdminActor, id: number, told: string | null): Promise<void> {
  if (id === by.adminId) throw new AccountError("You can't block your own account.")
  const decide: Decide = (account) => (account.state === 'blocked' ? null : blocking(told, by.reason)(account))
  return change(pool, by, id, decide, 'This account is already blocked.')
}

/** @throws AccountError */
export const unblockAsAdmin = (pool: Pool, by: AdminActor, id: number): Promise<void> => change(pool, by, id, unblocking, "This account isn't blocked.")

/** @throws AccountError */
export const changePlanAsAdmin = (pool: Pool, by: AdminActor, id: number, plan: Plan): Promise<void> =>
  change(pool, by, id, onPlan(plan), 'This account is already on that plan.')

/** Sets custom limits on an account; null restores the plan's limit. @throws AccountError */
export const changeLimitsAsAdmin = (pool: Pool, by: AdminActor, id: number, own: OwnLimits): Promise<void> =>
  change(pool, by, id, withLimits(own), 'The account already has these limits.')
