import type { Pool } from 'pg'
import { accountById } from '#server/accounts/accounts.ts'
import { RefusedError } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { isWellFormed } from '#server/keys/key-format.ts'
import { holderOf } from '#server/keys/key-holders.ts'
import { accountOfRequest } from '#server/metering/requests.ts'
import { readByEmail } from './account-list.store.ts'

/** Where a search leads: to an account, maybe for one of its calls, or to a list. What is searched for may be a key or a person's address: neither stands in it. */
export type Found =
  | { readonly account: string; readonly request: string | null }
  /** Ids of several accounts. */
  | { readonly ids: readonly string[] }
  /** The beginning of addresses up to their `@`, or `@` and a domain. */
  | { readonly email: string }
  /** The last four characters of a key. */
  | { readonly hint: string }

const nothing = () => new FieldsError({ search: 'Nothing is found by this. Enter an email address, an account id, a key or a request id.' })

const asAccount = (account: string | null, request: string | null = null): Found => {
  if (account === null) throw nothing()
  return { account, request }
}

async function known(pool: Pool, publicId: string): Promise<string | null> {
  try {
    await accountById(pool, publicId)
    return publicId
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}

/** Accounts that are found by more than the beginning of an address, at most. */
const mostFound = 20

async function byEmail(pool: Pool, text: string): Promise<Found> {
  const email = text.toLowerCase()
  if (email.lastIndexOf('@') < 1) return { email }
  const [one = null, ...others] = await readByEmail(pool, email, mostFound)
  return one !== null && others.length > 0 ? { ids: [one, ...others] } : asAccount(one)
}

const hintForm = /^(?:svc_(?:test|live|partner)_)?(?:…|\.\.\.)?([0-9A-Za-z]{4})$/

/**
 * Finds an account by what somebody wrote in a letter: its address, its id, a request, a key or what the portal shows of one. A whole key goes no further
 * than its hash. @throws FieldsError
 */
export async function findAccount(pool: Pool, typed: string): Promise<Found> {
  const text = typed.trim()
  if (text === '') throw new FieldsError({ search: 'Enter an email address, an account id, a key or a request id.' })
  if (/^acc_[0-9A-Za-z]{1,60}$/.test(text)) return asAccount(await known(pool, text))
  if (/^req_[0-9a-f]{32}$/.test(text)) return asAccount((await accountOfRequest(pool, text))?.publicId ?? null, text)
  if (/^key_[0-9A-Za-z]{1,60}$/.test(text) || isWellFormed(text) || isWellFormed(text, 'partner')) return asAccount(await holderOf(pool, text))
  const [, hint] = hintForm.exec(text) ?? []
  if (hint !== undefined) return { hint }
  // Not found as a key, and looking like one: it is not to be put into an address as part of an email.
  if (/^svc_/.test(text) || /\s/.test(text)) throw nothing()
  return byEmail(pool, text)
}
