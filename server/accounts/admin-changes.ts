import type { Pool } from 'pg'
import type { Plan } from '#server/api/contract/plans.ts'
import { AccountError } from './account-error.ts'
import { lockAccount } from './accounts.store.ts'
import type { AdminActor } from './audit.store.ts'
import { approval, blocking, changeAccount, type Decide, declining, type OwnLimits, onPlan, unblocking, withLimits } from './change-account.ts'

/** What administrators change about an account. Whatever is so already is refused: each of these writes one line, or changes nothing. */

async function change(pool: Pool, by: AdminActor, id: number, decide: Decide, already: string): Promise<void> {
  if (id === by.adminId) throw new AccountError('Another administrator decides about your own account.')
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

/** Lets the live keys of an account work from the next call on, and tells it. @throws AccountError */
export const approveAsAdmin = (pool: Pool, by: AdminActor, id: number): Promise<void> => change(pool, by, id, approval, 'This account is approved already.')

/** Ends the review of an account with a no, for a reason that it is told by mail and in the portal. @throws AccountError */
export const declineAsAdmin = (pool: Pool, by: AdminActor, id: number, told: string): Promise<void> =>
  change(pool, by, id, declining(told), 'This account was refused already.')

/** Refuses every key from the next call on. `told` is shown to every caller, why it was done to the desk alone. @throws AccountError */
export function blockAsAdmin(pool: Pool, by: AdminActor, id: number, told: string | null): Promise<void> {
  if (id === by.adminId) throw new AccountError('You cannot block your own account.')
  const decide: Decide = (account) => (account.state === 'blocked' ? null : blocking(told, by.reason)(account))
  return change(pool, by, id, decide, 'This account is blocked already.')
}

/** @throws AccountError */
export const unblockAsAdmin = (pool: Pool, by: AdminActor, id: number): Promise<void> => change(pool, by, id, unblocking, 'This account is not blocked.')

/** @throws AccountError */
export const changePlanAsAdmin = (pool: Pool, by: AdminActor, id: number, plan: Plan): Promise<void> =>
  change(pool, by, id, onPlan(plan), 'This account is on that plan already.')

/** Gives an account limits of its own; null goes back to the plan's. @throws AccountError */
export const changeLimitsAsAdmin = (pool: Pool, by: AdminActor, id: number, own: OwnLimits): Promise<void> =>
  change(pool, by, id, withLimits(own), 'These are its limits already.')
