import type { Pool } from 'pg'
import type { Plan } from '#server/api/contract/plans.ts'
import { type ListedRow, type ListFilter, readAccounts, standings } from './account-list.store.ts'

export { standings }

const pageSize = 50

/** Row of the account list. */
export type ListedAccount = {
  readonly id: string
  readonly email: string
  readonly isAdmin: boolean
  readonly plan: Plan
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly isConfirmed: boolean
  readonly createdAt: Date
  readonly balanceCredits: number
}

const fromDb = (row: ListedRow): ListedAccount => ({
  id: row.public_id,
  email: row.email,
  isAdmin: row.role === 'admin',
  plan: row.plan,
  state: row.state,
  isDeclined: row.declined_at !== null,
  isConfirmed: row.email_verified_at !== null,
  createdAt: row.created_at,
  balanceCredits: Number(row.balance),
})

/** Returns one page of 50 open accounts, newest first. `next` is the id to pass as `below` for the next page, or null. */
export async function accountList(pool: Pool, filter: ListFilter, below: string | null): Promise<{ accounts: ListedAccount[]; next: string | null }> {
  const rows = await readAccounts(pool, filter, below, pageSize + 1)
  const accounts = rows.slice(0, pageSize).map(fromDb)
  return { accounts, next: rows.length > pageSize ? (accounts.at(-1)?.id ?? null) : null }
}
