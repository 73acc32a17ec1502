import { isPassword } from '../accounts/password.ts'
import { clock } from '../clock.ts'
import { refuseFaults } from '../contract/field-errors.ts'
import type { AuthRoom } from './auth-room.ts'
import { readCredentials } from './credentials.store.ts'
import { attempt, limits } from './throttle.ts'
import type { Viewer } from './viewer.ts'

type Faults = Readonly<Record<string, string | null>>

/** How long a sign-in through a provider counts as recent, for an account that has no password to ask for. */
const recentMs = 15 * 60_000

/**
 * Makes sure that it is still the owner who sits there, before something that cannot be undone: the current password, or for an account without one a
 * sign-in within the last minutes.
 * `others` is what is wrong with the other fields of the form, in their order, so that all is said at once.
 * @throws FieldsError, ThrottledError
 */
export async function reauthenticate(room: AuthRoom, viewer: Viewer, typedPassword: string, others: Faults = {}): Promise<void> {
  if (!viewer.hasPassword) {
    const isRecent = clock.now() - viewer.signedInAt.getTime() < recentMs
    return refuseFaults({ ...others, form: isRecent ? null : 'Sign out and sign in again, then come back within 15 minutes.' })
  }
  if (typedPassword === '') return refuseFaults({ ...others, currentPassword: 'Enter your current password.' })
  const { forgive } = await attempt(room.pool, [limits.reauthentication, viewer.publicId])
  const row = await readCredentials(room.pool, viewer.accountId)
  const isOwner = await isPassword(row?.password_hash ?? null, typedPassword)
  if (isOwner) await forgive()
  refuseFaults({ ...others, currentPassword: isOwner ? null : 'Current password is not correct.' })
}
