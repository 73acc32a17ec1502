import type { User } from 'next-auth'
import CredentialsProvider, { type CredentialsConfig } from 'next-auth/providers/credentials'
import { ThrottledError } from '#server/accounts/throttle.ts'
import { type FieldFaults, FieldsError } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext, ProviderProfile, SessionClaims } from './auth-context.ts'
import { type Device, dropCookie, makeCookie } from './cookies.ts'
import { currentAsker, currentCookie, leaveCookies } from './current-request.ts'
import { sitePath } from './same-origin.ts'
import { endBrowserSession, type SignedIn } from './sessions.ts'
import { type SignInOutcome, signIn, signInWithCode, wrongPassword } from './sign-in.ts'

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
async function backToForm(deps: AuthContext, form: string, read: Read, error: unknown): Promise<Entry> {
  await leaveCookies(await makeCookie(deps, 'faults', { form, faults: getFaults(deps, error), email: read('email') }))
  const page = sitePath(read('page'), '/sign-in')
  return { path: `${page}${page.includes('?') ? '&' : '?'}error=form` }
}

/** Creates a credentials provider for a form. next-auth would put the message of an error into the URL, so errors go back to the form's page in a cookie. */
export const formProvider = (deps: AuthContext, id: string, enter: (read: Read, asker: Asker) => Promise<Entry>): CredentialsConfig =>
  CredentialsProvider({
    id,
    credentials: {},
    authorize: async (given: Record<string, unknown> | undefined): Promise<EntryUser> => {
      const read = (name: string): string => {
        const value = given?.[name]
        return typeof value === 'string' ? value.slice(0, maxLength) : ''
      }
      return { id, entry: await enter(read, await currentAsker()).catch((error: unknown) => backToForm(deps, id, read, error)) }
    },
  })

/** Converts an error of an identity provider's sign-in to the path of a page. next-auth would put the error message into the next URL. */
export function toErrorPage({ log }: AuthContext, error: unknown, page: { readonly path: string }): Entry {
  if (error instanceof ThrottledError) return { path: '/sign-in?error=throttled' }
  log.error({ err: error }, 'Provider sign-in failed.')
  return page
}

/** Converts the outcome of a sign-in to an `Entry`. If a code is still needed, sets the `code` cookie and returns the path of the code page. */
export async function toEntry(deps: AuthContext, outcome: Exclude<SignInOutcome, { kind: 'refused' }>, next: string): Promise<Entry> {
  if (outcome.kind === 'signed-in') return outcome
  const { kind: _, ...first } = outcome
  await leaveCookies(await makeCookie(deps, 'code', { ...first, next }))
  return { path: '/sign-in/code' }
}

/** Signs in with email and password. */
export const passwordProvider = (deps: AuthContext): CredentialsConfig =>
  formProvider(deps, 'credentials', async (read, asker) => {
    const outcome = await signIn(deps, asker, { email: read('email'), password: read('password') }, await currentCookie('device'))
    if (outcome.kind === 'refused') throw new FieldsError({ form: wrongPassword })
    return toEntry(deps, outcome, sitePath(read('callbackUrl')))
  })

/** Second step of a sign-in: checks the code. */
export const codeProvider = (deps: AuthContext): CredentialsConfig =>
  formProvider(deps, 'code', async (read, asker) => {
    const first = await currentCookie('code')
    const outcome = first && (await signInWithCode(deps, asker, first, read('code'), await currentCookie('device')))
    return outcome?.kind === 'signed-in' ? outcome : { path: '/sign-in?error=code' }
  })

/**
 * Completes a sign-in: ends this browser's previous session, sets the device cookie and deletes the cookies of the sign-in steps. next-auth sets the session
 * cookie.
 */
export async function keepSignIn(deps: AuthContext, device: Device, previous: SessionClaims | null): Promise<void> {
  await endBrowserSession(deps, await currentAsker(), previous)
  const steps = ['code', 'sign-up', 'provider-sign-up', 'faults'] as const
  await leaveCookies(await makeCookie(deps, 'device', device), ...steps.map((kind) => dropCookie(deps, kind)))
}
