import { cookies } from 'next/headers'
import { cookieName, dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import type { Device } from '#server/auth/device.ts'
import { endReplacedSession, type SignedIn } from '#server/auth/sessions.ts'

/** Returns the known device of this browser, or null. */
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
