import { isPassword } from '#server/accounts/password.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { AuthRoom } from './auth-room.ts'
import { type CredentialRow, readCredentials, readCredentialsOf } from './credentials.store.ts'
import { attempt, limits } from './throttle.ts'
import type { TokenRow } from './tokens.store.ts'

/** What a browser brings along to a link: the account that it signed up with and the one that it is signed in to, by their public ids. */
export type Bearer = { readonly signedUp: string | null; readonly signedIn: string | null }

/** What has to be shown before a link is spent: nothing in the account's own browser, else its password, or a sign-in for an account that has none. */
export type Asked = 'nothing' | 'password' | 'sign-in'

/** The account that a link would confirm in this browser. */
export type LinkAccount = { readonly row: CredentialRow; readonly asks: Asked }

const isUnconfirmed = (row: CredentialRow | undefined, email: string): row is CredentialRow => row?.email === email && row.email_verified_at === null

/**
 * Which account a link confirms. It proves whose the address is and not who made the account: anybody can sign up with anybody's address, and would have
 * the account made theirs by its owner's press. So the account has to be this browser's own, or its password is asked for. A browser that signed up with
 * the address itself confirms its own account by any link that came there. Undefined when the account is closed.
 */
export async function accountOfLink(room: Pick<AuthRoom, 'pool'>, link: TokenRow, bearer: Bearer): Promise<LinkAccount | undefined> {
  const linked = await readCredentials(room.pool, Number(link.account_id))
  if (!linked) return undefined
  const own = [bearer.signedIn, bearer.signedUp].filter((account) => account !== null)
  if (own.includes(linked.public_id)) return { row: linked, asks: 'nothing' }
  for (const account of link.purpose === 'confirm' ? own : []) {
    const row = await readCredentialsOf(room.pool, account)
    if (isUnconfirmed(row, link.email)) return { row, asks: 'nothing' }
  }
  return { row: linked, asks: linked.password_hash === null ? 'sign-in' : 'password' }
}

/** Makes sure that whoever presses knows the account, where the browser does not say so. @throws FieldsError, ThrottledError */
export async function proveKnown(room: AuthRoom, { row, asks }: LinkAccount, password: string): Promise<void> {
  if (asks === 'nothing') return
  if (asks === 'sign-in') return refuseFaults({ form: 'Sign in first, then open the link again.' })
  refuseFaults({ password: password === '' ? 'Enter your password.' : null })
  const { forgive } = await attempt(room.pool, [limits.reauthentication, row.public_id])
  refuseFaults({ password: (await isPassword(row.password_hash, password)) ? null : 'Password is not correct.' })
  await forgive()
}
