import { isPassword } from '#server/accounts/password.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { AuthContext } from './auth-context.ts'
import { type CredentialRow, readAccountCredentials, readCredentials } from './credentials.store.ts'
import { attempt, limits } from './throttle.ts'
import type { TokenRow } from './tokens.store.ts'

/** Public ids of the accounts this browser signed up with and is signed in to. */
export type Bearer = { readonly signedUp: string | null; readonly signedIn: string | null }

/** Proof required before a link is used: none in the account's own browser, otherwise its password, or a sign-in if it has no password. */
export type Asked = 'nothing' | 'password' | 'sign-in'

/** The account that a link would confirm in this browser. */
export type LinkAccount = { readonly row: CredentialRow; readonly asks: Asked }

const isUnconfirmed = (row: CredentialRow | undefined, email: string): row is CredentialRow => row?.email === email && row.email_verified_at === null

/**
 * Finds the account that a link confirms. The link proves who owns the address, not who created the account: anyone can sign up with someone else's address,
 * and the owner's click would hand them a confirmed account. So the account must belong to this browser, or its password is required. A browser that signed up
 * with the same address confirms its own account with any link sent to that address. Returns undefined if the account is closed.
 */
export async function findLinkAccount(deps: Pick<AuthContext, 'pool'>, link: TokenRow, bearer: Bearer): Promise<LinkAccount | undefined> {
  const linked = await readCredentials(deps.pool, Number(link.account_id))
  if (!linked) return undefined
  const own = [bearer.signedIn, bearer.signedUp].filter((account) => account !== null)
  if (own.includes(linked.public_id)) return { row: linked, asks: 'nothing' }
  for (const account of link.purpose === 'confirm' ? own : []) {
    const row = await readAccountCredentials(deps.pool, account)
    if (isUnconfirmed(row, link.email)) return { row, asks: 'nothing' }
  }
  return { row: linked, asks: linked.password_hash === null ? 'sign-in' : 'password' }
}

/** Requires the account's password unless the account belongs to this browser. @throws FieldsError, ThrottledError */
export async function requireLinkProof(deps: AuthContext, { row, asks }: LinkAccount, password: string): Promise<void> {
  if (asks === 'nothing') return
  if (asks === 'sign-in') return refuseFaults({ form: 'Sign in first, then open the link again.' })
  refuseFaults({ password: password === '' ? 'Enter your password.' : null })
  const { forgive } = await attempt(deps.pool, [limits.reauthentication, row.public_id])
  refuseFaults({ password: (await isPassword(row.password_hash, password)) ? null : 'Password is not correct.' })
  await forgive()
}
