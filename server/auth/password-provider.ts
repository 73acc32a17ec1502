import type { CredentialsConfig } from 'next-auth/providers/credentials'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { AuthContext } from './auth-context.ts'
import { makeCookie } from './cookies.ts'
import { currentCookie, leaveCookies } from './current-request.ts'
import { type Entry, formProvider } from './entry.ts'
import { sitePath } from './same-origin.ts'
import { type SignInOutcome, signIn, signInWithCode, wrongPassword } from './sign-in.ts'

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
    if (first === null) return { path: '/sign-in?error=code' }
    const outcome = await signInWithCode(deps, asker, first, read('code'), await currentCookie('device'))
    return outcome.kind === 'signed-in' ? outcome : { path: '/sign-in?error=code' }
  })
