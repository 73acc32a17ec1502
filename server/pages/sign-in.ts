import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { cookieName, type Device, dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { startProvider } from '#server/auth/next-auth-handler.ts'
import { endReplacedSession, type SignedIn } from '#server/auth/sessions.ts'
import { wrongPassword } from '#server/auth/sign-in.ts'
import { makeFirstKey } from '#server/auth/sign-up.ts'

/** Returns the device in this browser's cookie, or null. */
export const currentDevice = (): Promise<Device | null> => currentCookie('device')

/** Sets the cookies of a new session and its device, and ends the previous session of this browser. */
export async function keepSignIn({ signedIn, device }: { signedIn: SignedIn; device: Device }): Promise<void> {
  const deps = await currentAuthContext()
  await endReplacedSession(deps, await currentAsker(), (await cookies()).get(cookieName(deps, 'session'))?.value)
  await leaveCookies(
    await makeCookie(deps, 'session', { sub: signedIn.accountPublicId, sid: signedIn.sessionId }),
    await makeCookie(deps, 'device', { id: device.id, accounts: [...device.accounts] }),
    dropCookie(deps, 'code'),
    dropCookie(deps, 'sign-up'),
    dropCookie(deps, 'provider-sign-up'),
  )
}

/** Creates the first test key of a newly confirmed account and passes it to the welcome page in an encrypted cookie, which expires after ten minutes. */
export async function welcome(deps: AuthContext, asker: Asker, { account, accountId }: { account: string; accountId: number }): Promise<void> {
  const key = await makeFirstKey(deps, asker, accountId)
  if (key !== null) await leaveCookies(await makeCookie(deps, 'welcome', { account, key }))
}

/** Redirects to an identity provider. After signing in, the user returns to `next`. `isAgain` asks the provider to re-authenticate the user. */
export async function goToProvider(asked: string, next: string, isAgain = false): Promise<never> {
  const provider = asked === 'google' ? 'google' : 'oidc'
  const { location, left } = await startProvider(await currentAuthContext(), await currentAsker(), provider, next, isAgain)
  const jar = await cookies()
  for (const { name, value, options } of left) jar.set(name, value, options)
  redirect(location)
}

const done: Readonly<Record<string, string>> = {
  reset: "You've been signed out on all devices. Sign in with your new password.",
  confirmed: 'Email confirmed. Sign in to continue.',
  changed: 'Email changed. Sign in with the new one.',
  closed: 'Your account is closed.',
  everywhere: "You've been signed out on all devices.",
  ended: "You've been signed out. Sign in to continue.",
}

const errors: Readonly<Record<string, string>> = {
  'email-taken': 'An account with this email already exists. Sign in with your password, then connect the other account under Settings.',
  'no-email': "The provider didn't share an email address. Create an account with a password instead.",
  refused: 'Sign-in failed. Try again.',
  code: 'Sign-in took too long. Start again.',
  CredentialsSignin: wrongPassword,
  throttled: 'Too many attempts. Try again in 15 minutes.',
}

/** Returns the success message for a code in the URL, or null. */
export const doneMessage = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))

/** Returns the tone in which a message is shown. That about an ended session is a caution, because the user did not cause it. */
export const doneTone = (code: string | undefined): 'good' | 'caution' => (code === 'ended' ? 'caution' : 'good')

/** Returns the error message for a code in the URL, or null. Unknown codes come from next-auth and mean that the provider failed. */
export const errorMessage = (code: string | undefined): string | null => (code === undefined ? null : (errors[code] ?? 'Sign-in failed. Try again.'))
