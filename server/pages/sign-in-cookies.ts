import { cookies } from 'next/headers'
import { cookieName, dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentCookie, currentRoom, leaveCookies } from '#server/auth/current-request.ts'
import type { Device } from '#server/auth/device.ts'
import { endReplacedSession, type SignedIn } from '#server/auth/sessions.ts'

/** Returns the known device of this browser, or null. */
export const currentDevice = (): Promise<Device | null> => currentCookie('device')

/** Sets the cookies of a new session and its device, and ends the previous session of this browser. */
export async function keepSignIn({ signedIn, device }: { signedIn: SignedIn; device: Device }): Promise<void> {
  const room = await currentRoom()
  await endReplacedSession(room, await currentAsker(), (await cookies()).get(cookieName(room, 'session'))?.value)
  await leaveCookies(
    await makeCookie(room, 'session', { sub: signedIn.accountPublicId, sid: signedIn.sessionId }),
    await makeCookie(room, 'device', { id: device.id, accounts: [...device.accounts] }),
    dropCookie(room, 'code'),
    dropCookie(room, 'sign-up'),
    dropCookie(room, 'provider-sign-up'),
  )
}
