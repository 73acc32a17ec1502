import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { closeAccount, ownEmailFault } from './close-account.ts'
import { connectedIssuers } from './connected-providers.ts'
import { askForEmailChange, newEmailFault } from './email-change.ts'
import { offeredProviders, providerLabel } from './offered-providers.ts'
import { changePassword, newPasswordFault } from './passwords.ts'
import { requireCode, requirePassword, requireRecent } from './reauthenticate.ts'
import { recoveryCodesLeft, renewRecoveryCodes, turnOff } from './second-factor.ts'
import type { Viewer } from './viewer.ts'

/** Security settings. Each change first requires proof that the owner is present: see `reauthenticate.ts`. */

type WithCode = { readonly code: string }

export async function changePasswordOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: { currentPassword: string; password: string }): Promise<void> {
  await requirePassword(room, asker, viewer, typed.currentPassword, { currentPassword: null, password: newPasswordFault(viewer, typed.password) })
  await changePassword(room, asker, viewer, typed.password)
}

export async function changeEmailOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: WithCode & { email: string }): Promise<{ email: string }> {
  refuseFaults({ email: newEmailFault(viewer, typed.email) })
  await requireCode(room, asker, viewer, typed.code)
  return askForEmailChange(room, asker, viewer, typed.email)
}

export async function turnOffSecondFactor(room: AuthRoom, asker: Asker, viewer: Viewer, { code }: WithCode): Promise<void> {
  await requireCode(room, asker, viewer, code)
  await turnOff(room, asker, viewer)
}

export async function renewCodesOf(room: AuthRoom, asker: Asker, viewer: Viewer, { code }: WithCode): Promise<string[]> {
  await requireCode(room, asker, viewer, code)
  return renewRecoveryCodes(room, asker, viewer)
}

export async function closeAccountOf(room: AuthRoom, asker: Asker, viewer: Viewer, { email }: { email: string }): Promise<void> {
  refuseFaults({ email: ownEmailFault(viewer, email) })
  requireRecent(viewer)
  await closeAccount(room, asker, viewer, email)
}

export type SecurityFacts = {
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly recoveryCodesLeft: number
  /** Providers connected to the account, and those that can be connected. */
  readonly connected: readonly { readonly issuer: string; readonly label: string }[]
  readonly connectable: readonly { readonly id: 'google' | 'oidc'; readonly label: string }[]
}

export async function securityFacts(room: AuthRoom, viewer: Viewer): Promise<SecurityFacts> {
  const issuers = await connectedIssuers(room, viewer.accountId)
  const offered = offeredProviders(room)
  return {
    hasPassword: viewer.hasPassword,
    hasSecondFactor: viewer.hasSecondFactor,
    recoveryCodesLeft: await recoveryCodesLeft(room, viewer.accountId),
    connected: issuers.map((issuer) => ({ issuer, label: providerLabel(room, issuer) })),
    connectable: offered.filter(({ issuer }) => !issuers.includes(issuer)).map(({ id, label }) => ({ id, label })),
  }
}
