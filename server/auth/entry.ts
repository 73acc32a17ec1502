import type { User } from 'next-auth'
import CredentialsProvider, { type CredentialsConfig } from 'next-auth/providers/credentials'
import { type FieldFaults, FieldsError } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext, ProviderProfile, SessionClaims } from './auth-context.ts'
import { type CookieClaims, type Device, dropCookie, makeCookie } from './cookies.ts'
import { currentAsker, leaveCookies } from './current-request.ts'
import { sitePath } from './same-origin.ts'
import { endBrowserSession, type SignedIn } from './sessions.ts'
import { ThrottledError } from './throttle.ts'

/** Result of an attempt to sign in: a new session, or the page to go to next. */
export type Entry = { readonly signedIn: SignedIn; readonly device: Device } | { readonly path: string }

/** next-auth's user during a sign-in. `profile` is set by identity providers, `entry` by forms. */
export type EntryUser = User & { profile?: ProviderProfile; entry?: Entry }

/** Reads a field of a form; empty if it is missing. */
type Read = (name: string) => string

/** Maximum length of a field. A path to return to can contain an authorisation request, and is encoded twice. */
const maxLength = 8_000

function getFaults(deps: AuthContext, error: unknown): FieldFaults {
  if (error instanceof FieldsError) return error.faults
  if (error instanceof ThrottledError) return { form: error.message }
  deps.log.error({ err: error }, 'A sign-in failed.')
  return { form: 'There is a problem with the service. Try again.' }
}

/** Stores a form's errors in the `faults` cookie and returns the path of the form's page, which shows them. */
async function backToForm(deps: AuthContext, id: string, read: Read, error: unknown): Promise<string> {
  const claims: CookieClaims['faults'] = { form: id, faults: getFaults(deps, error), email: read('email') }
  await leaveCookies(await makeCookie(deps, 'faults', claims))
  const page = sitePath(read('page'), '/sign-in')
  return `${page}${page.includes('?') ? '&' : '?'}error=form`
}

/** Creates a credentials provider for a form. next-auth would put the message of an error into the URL, so errors go back to the form's page in a cookie. */
export function formProvider(deps: AuthContext, id: string, enter: (read: Read, asker: Asker) => Promise<Entry>): CredentialsConfig {
  return CredentialsProvider({
    id,
    credentials: {},
    authorize: async (given: Record<string, unknown> | undefined): Promise<EntryUser> => {
      const read = (name: string): string => {
        const value = given?.[name]
        return typeof value === 'string' ? value.slice(0, maxLength) : ''
      }
      const failed = async (error: unknown): Promise<Entry> => ({ path: await backToForm(deps, id, read, error) })
      return { id, entry: await enter(read, await currentAsker()).catch(failed) }
    },
  })
}

/**
 * Completes a sign-in: ends this browser's previous session, sets the device cookie and deletes the cookies of the sign-in steps. next-auth sets the session
 * cookie.
 */
export async function keepSignIn(deps: AuthContext, { device }: { device: Device }, previous: SessionClaims | null): Promise<void> {
  await endBrowserSession(deps, await currentAsker(), previous)
  const { id, accounts } = device
  await leaveCookies(
    await makeCookie(deps, 'device', { id, accounts: [...accounts] }),
    ...(['code', 'sign-up', 'provider-sign-up', 'faults'] as const).map((kind) => dropCookie(deps, kind)),
  )
}
