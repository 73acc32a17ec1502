import { accountById } from '#server/accounts/accounts.ts'
import { getLimits, type Plan } from '#server/api/contract/access.ts'
import type { AdminAccount } from '#server/api/contract/admin-views.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Database } from '#server/db/prisma.ts'
import { isWellFormed } from '#server/keys/key-secret.ts'
import { getHolder } from '#server/keys/keys.ts'
import { findRequestAccount } from '#server/metering/requests.ts'
import { type AdminAccountRow, type ListedRow, type ListFilter, readAccounts, readAdminAccount, readByEmail, standings } from './accounts.store.ts'

export { standings }

const pageSize = 50

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
export async function accountList(pool: Database, filter: ListFilter, below: string | null): Promise<{ accounts: ListedAccount[]; next: string | null }> {
  const rows = await readAccounts(pool, filter, below, pageSize + 1)
  const accounts = rows.slice(0, pageSize).map(fromDb)
  return { accounts, next: rows.length > pageSize ? (accounts.at(-1)?.id ?? null) : null }
}

/** Result of a search: one account, with the request that was searched for if any, or a filter for the account list. Contains no full key or email address. */
type Found =
  | { readonly account: string; readonly request: string | null }
  /** Public ids of several accounts. */
  | { readonly ids: readonly string[] }
  /** Email prefix up to the `@`, or `@` and a domain. */
  | { readonly email: string }
  /** The last four characters of a key. */
  | { readonly hint: string }

const noMatches = () => new FieldsError({ search: 'No matches. Enter an email address, an account id, a key or a request id.' })

const asAccount = (account: string | null, request: string | null = null): Found => {
  if (account === null) throw noMatches()
  return { account, request }
}

async function known(pool: Database, publicId: string): Promise<string | null> {
  try {
    await accountById(pool, publicId)
    return publicId
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}

/** Maximum number of accounts that a search by full email returns. */
const maxFound = 20

async function byEmail(pool: Database, text: string): Promise<Found> {
  const email = text.toLowerCase()
  if (email.lastIndexOf('@') < 1) return { email }
  const [one = null, ...others] = await readByEmail(pool, email, maxFound)
  return one !== null && others.length > 0 ? { ids: [one, ...others] } : asAccount(one)
}

const hintForm = /^(?:svc_(?:test|live|partner)_)?(?:…|\.\.\.)?([0-9A-Za-z]{4})$/

/**
 * Finds an account by anything a customer may quote to support: an email address, an account id, a request id, a key or its displayed hint. A full key is
 * only hashed, never stored or passed on. @throws FieldsError
 */
export async function findAccount(pool: Database, typed: string): Promise<Found> {
  const text = typed.trim()
  if (text === '') throw new FieldsError({ search: 'Enter an email address, an account id, a key or a request id.' })
  if (/^acc_[0-9A-Za-z]{1,60}$/.test(text)) return asAccount(await known(pool, text))
  if (/^req_[0-9a-f]{32}$/.test(text)) return asAccount((await findRequestAccount(pool, text))?.publicId ?? null, text)
  if (/^key_[0-9A-Za-z]{1,60}$/.test(text) || isWellFormed(text) || isWellFormed(text, 'partner')) return asAccount(await getHolder(pool, text))
  const [, hint] = hintForm.exec(text) ?? []
  if (hint !== undefined) return { hint }
  // The text looks like a key but matched none. It must not be searched for as an email prefix, because that would put it in the URL.
  if (/^svc_/.test(text) || /\s/.test(text)) throw noMatches()
  return byEmail(pool, text)
}

const accountFromDb = (row: AdminAccountRow): AdminAccount => ({
  id: row.public_id,
  email: row.email,
  name: row.name,
  isAdmin: row.role === 'admin',
  plan: row.plan,
  state: row.state,
  isDeclined: row.declined_at !== null,
  isConfirmed: row.email_verified_at !== null,
  isClosed: row.closed_at !== null,
  approvedAt: row.approved_at,
  declinedAt: row.declined_at,
  declineReason: row.decline_reason,
  blockReason: row.block_reason,
  blockReasonPrivate: row.block_reason_private,
  limits: getLimits(row.plan, { perMinute: row.custom_per_minute, perDay: row.custom_per_day }),
  ownPerMinute: row.custom_per_minute,
  ownPerDay: row.custom_per_day,
  confirmedAt: row.email_verified_at,
  licence: row.accepted_licence,
  createdAt: row.created_at,
  hasPassword: row.has_password,
  hasSecondFactor: row.has_second_factor,
  issuers: row.issuers,
  balanceCredits: Number(row.balance),
  capCredits: row.month_cap === null ? null : Number(row.month_cap),
})

/** Returns the account record for the admin pages. @throws RefusedError not_found */
export async function loadAdminAccount(pool: Database, accountId: number): Promise<AdminAccount> {
  const row = await readAdminAccount(pool, accountId)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'Account not found.'))
  return accountFromDb(row)
}
