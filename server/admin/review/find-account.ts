import type { Pool } from 'pg'
import { accountById } from '#server/accounts/accounts.ts'
import { RefusedError } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { isWellFormed } from '#server/keys/key-format.ts'
import { getHolder } from '#server/keys/key-holders.ts'
import { findRequestAccount } from '#server/metering/requests.ts'
import { readByEmail } from './account-list.store.ts'

/** Result of a search: one account, optionally with one of its requests, or a list. Never contains a full key or a full email address. */
export type Found =
  | { readonly account: string; readonly request: string | null }
  /** Public ids of several accounts. */
  | { readonly ids: readonly string[] }
  /** Email prefix up to the `@`, or `@` and a domain. */
  | { readonly email: string }
  /** The last four characters of a key. */
  | { readonly hint: string }

const nothing = () => new FieldsError({ search: 'No matches. Enter an email address, an account id, a key or a request id.' })

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

/** Maximum number of accounts that a search by full email returns. */
const maxFound = 20

async function byEmail(pool: Pool, text: string): Promise<Found> {
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
export async function findAccount(pool: Pool, typed: string): Promise<Found> {
  const text = typed.trim()
  if (text === '') throw new FieldsError({ search: 'Enter an email address, an account id, a key or a request id.' })
  if (/^acc_[0-9A-Za-z]{1,60}$/.test(text)) return asAccount(await known(pool, text))
  if (/^req_[0-9a-f]{32}$/.test(text)) return asAccount((await findRequestAccount(pool, text))?.publicId ?? null, text)
  if (/^key_[0-9A-Za-z]{1,60}$/.test(text) || isWellFormed(text) || isWellFormed(text, 'partner')) return asAccount(await getHolder(pool, text))
  const [, hint] = hintForm.exec(text) ?? []
  if (hint !== undefined) return { hint }
  // Looks like a key but matched none. Don't treat it as an email prefix: that would put it in the URL.
  if (/^svc_/.test(text) || /\s/.test(text)) throw nothing()
  return byEmail(pool, text)
}
