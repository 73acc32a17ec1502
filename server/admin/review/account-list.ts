import { getLimits } from '#server/api/contract/access.ts'
import { getAccountState } from '#server/api/contract/account-state.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { isWellFormed } from '#server/keys/key-secret.ts'
import { getHolder } from '#server/keys/keys.ts'
import { findRequestAccount } from '#server/metering/requests.ts'
import { escapeLike, findAccountIds, type ListFilter, standings } from './review.sql.ts'

export { standings }

const pageSize = 50

const listed = {
  publicId: true,
  email: true,
  role: true,
  plan: true,
  state: true,
  declinedAt: true,
  emailVerifiedAt: true,
  closedAt: true,
  createdAt: true,
  wallet: { select: { balance: true } },
} as const satisfies Prisma.AccountSelect

const toListed = (row: Prisma.AccountGetPayload<{ select: typeof listed }>) => ({
  id: row.publicId,
  email: row.email,
  isAdmin: row.role === 'admin',
  plan: row.plan,
  standing: getAccountState(row),
  createdAt: row.createdAt,
  balanceCredits: Number(row.wallet?.balance ?? 0),
})

/** Returns one page of 50 open accounts, newest first. `next` is the id to pass as `below` for the next page, or null. */
export async function accountList(db: Database, filter: ListFilter, below: string | null) {
  const ids = await findAccountIds(db, filter, below, pageSize + 1)
  const rows = await db.account.findMany({ where: { id: { in: ids.slice(0, pageSize) } }, orderBy: { id: 'desc' }, take: pageSize, select: listed })
  const accounts = rows.map(toListed)
  return { accounts, next: ids.length > pageSize ? (accounts.at(-1)?.id ?? null) : null }
}

/** Result of a search: one account (with the request, if a request id was entered), or a filter for the account list. Contains no full key or email address. */
type Found =
  | { readonly account: string; readonly request: string | null }
  /** Public ids of several accounts. */
  | { readonly ids: readonly string[] }
  /** Start of an email address, without the `@`; or `@` followed by a domain. */
  | { readonly email: string }
  /** The last four characters of a key. */
  | { readonly hint: string }

const noMatches = () => new FieldsError({ search: 'No matches. Check the search term, or search by email address, account ID, key or request ID.' })

const asAccount = (account: string | null, request: string | null = null): Found => {
  if (account === null) throw noMatches()
  return { account, request }
}

const known = async (db: Database, publicId: string): Promise<string | null> => ((await db.account.count({ where: { publicId } })) === 1 ? publicId : null)

/** Maximum number of accounts that a search by full email returns. */
const maxFound = 20

/** Finds accounts with exactly this email, confirmed or not. If there are none, finds accounts whose email starts with it. */
async function byEmail(db: Database, text: string): Promise<Found> {
  const email = text.toLowerCase()
  if (email.lastIndexOf('@') < 1) return { email }
  const find = async (condition: Prisma.StringFilter) =>
    (await db.account.findMany({ where: { email: condition, closedAt: null }, orderBy: { id: 'asc' }, take: maxFound, select: { publicId: true } })).map(
      ({ publicId }) => publicId,
    )
  const exact = await find({ equals: email })
  const [one = null, ...others] = exact.length > 0 ? exact : await find({ startsWith: escapeLike(email) })
  return one !== null && others.length > 0 ? { ids: [one, ...others] } : asAccount(one)
}

const hintForm = /^(?:svc_(?:test|live|partner)_)?(?:…|\.\.\.)?([0-9A-Za-z]{4})$/

/**
 * Finds an account by anything a customer may quote to support: an email address, an account id, a request id, a key or its displayed hint. A full key is
 * only hashed, never stored or passed on. @throws FieldsError
 */
export async function findAccount(pool: Database, typed: string): Promise<Found> {
  const text = typed.trim()
  if (text === '') throw new FieldsError({ search: 'Enter an email address, account ID, key or request ID.' })
  if (/^acc_[0-9A-Za-z]{1,60}$/.test(text)) return asAccount(await known(pool, text))
  if (/^req_[0-9a-f]{32}$/.test(text)) return asAccount((await findRequestAccount(pool, text))?.publicId ?? null, text)
  if (/^key_[0-9A-Za-z]{1,60}$/.test(text) || isWellFormed(text) || isWellFormed(text, 'partner')) return asAccount(await getHolder(pool, text))
  const [, hint] = hintForm.exec(text) ?? []
  if (hint !== undefined) return { hint }
  // The text looks like a key but matches none. It must not be searched for as an email prefix, because that would put it in the URL.
  if (/^svc_/.test(text) || /\s/.test(text)) throw noMatches()
  return byEmail(pool, text)
}

/** Maximum number of accounts to find for a filter: the ones shown, plus one to show that there are more. */
const maxPeople = 6

/**
 * Finds the accounts that match the text of a filter: by id, by full email, by the start of an email, or by part of the name, in this order. Keys and request
 * ids find the account they belong to.
 */
export async function findPeople(db: Database, typed: string, isAdmin: boolean): Promise<{ id: string; email: string }[]> {
  const text = typed.trim()
  if (text === '') return []
  const found = /^(?:key|req|svc)_/.test(text) ? await findAccount(db, text) : null
  const id = found !== null && 'account' in found ? found.account : text
  const email = text.toLowerCase()
  const isOpen = { closedAt: null, ...(isAdmin ? { role: 'admin' as const } : {}) }
  const ways: readonly Prisma.AccountWhereInput[] = [
    { publicId: id },
    { email, ...isOpen },
    { email: { startsWith: escapeLike(email) }, ...isOpen },
    { name: { contains: escapeLike(text), mode: 'insensitive' }, ...isOpen },
  ]
  for (const where of ways) {
    const people = await db.account.findMany({ where, orderBy: { id: 'asc' }, take: maxPeople, select: { publicId: true, email: true } })
    if (people.length > 0) return people.map((one) => ({ id: one.publicId, email: one.email }))
  }
  return []
}

const admin = {
  publicId: true,
  email: true,
  name: true,
  role: true,
  plan: true,
  state: true,
  approvedAt: true,
  declinedAt: true,
  /** Shown to the customer. */
  declineReason: true,
  /** Shown to callers. */
  blockReason: true,
  /** Shown only to administrators. */
  blockReasonPrivate: true,
  customPerMinute: true,
  customPerDay: true,
  emailVerifiedAt: true,
  acceptedLicence: true,
  createdAt: true,
  closedAt: true,
  passwordHash: true,
  secondFactor: { select: { since: true } },
  identities: { orderBy: { issuer: 'asc' }, take: 50, select: { issuer: true } },
  singleSignOn: { select: { issuer: true, isRequired: true } },
  wallet: { select: { balance: true, monthCap: true } },
} as const satisfies Prisma.AccountSelect

/** Returns the account record for the admin pages. @throws RefusedError not_found */
export async function loadAdminAccount(db: Database, accountId: number) {
  const row = await db.account.findUnique({ where: { id: accountId }, select: admin })
  if (!row?.wallet) throw new RefusedError(refuse('not_found', {}, 'Account not found.'))
  const { publicId, role, closedAt, passwordHash, secondFactor, identities, wallet, acceptedLicence, customPerMinute, customPerDay, emailVerifiedAt, ...rest } =
    row
  return {
    ...rest,
    id: publicId,
    isAdmin: role === 'admin',
    standing: getAccountState(row),
    isClosed: closedAt !== null,
    /** Effective limits. `ownPerMinute` and `ownPerDay` are the account's overrides; null uses the limit of the plan. */
    limits: getLimits(row.plan, { perMinute: customPerMinute, perDay: customPerDay }),
    ownPerMinute: customPerMinute,
    ownPerDay: customPerDay,
    confirmedAt: emailVerifiedAt,
    licence: acceptedLicence,
    hasPassword: passwordHash !== null,
    hasSecondFactor: secondFactor?.since != null,
    issuers: identities.map(({ issuer }) => issuer),
    balanceCredits: Number(wallet.balance),
    /** Maximum credits per UTC month; null means no cap. */
    capCredits: wallet.monthCap === null ? null : Number(wallet.monthCap),
  }
}
