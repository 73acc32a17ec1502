import { dropCookie, makeCookie } from '../server/auth/cookies.ts'
import { currentCookie, currentRoom, leaveCookies } from '../server/auth/current-request.ts'
import type { Device } from '../server/auth/device.ts'
import type { SignedIn } from '../server/auth/sessions.ts'

/** The browser as it was seen before, or null. */
export const currentDevice = (): Promise<Device | null> => currentCookie('device')

/** Leaves a sign-in with the browser: the session, and that the account is known here. */
export async function keepSignIn({ signedIn, device }: { signedIn: SignedIn; device: Device }): Promise<void> {
  const room = await currentRoom()
  await leaveCookies(
    await makeCookie(room, 'session', { sub: signedIn.accountPublicId, sid: signedIn.sessionId }),
    await makeCookie(room, 'device', { id: device.id, accounts: [...device.accounts] }),
    dropCookie(room, 'code'),
    dropCookie(room, 'sign-up'),
    dropCookie(room, 'provider-sign-up'),
  )
}
