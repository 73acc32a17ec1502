import type { Asker, AuthRoom } from './auth-room.ts'
import { closeAccount, ownEmailFault } from './close-account.ts'
import { connectedIssuers, disconnectProvider } from './connected-providers.ts'
import { askForEmailChange, newEmailFault } from './email-change.ts'
import { offeredProviders, providerLabel } from './offered-providers.ts'
import { changePassword, newPasswordFault } from './passwords.ts'
import { reauthenticate } from './reauthenticate.ts'
import { recoveryCodesLeft, renewRecoveryCodes, setUp, turnOff } from './second-factor.ts'
import type { Viewer } from './viewer.ts'

/** Everything here asks first whether it is still the owner who sits there: see `reauthenticate`. */

type Proof = { readonly currentPassword: string }

export async function changePasswordOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: Proof & { password: string }): Promise<void> {
  await reauthenticate(room, viewer, typed.currentPassword, { currentPassword: null, password: newPasswordFault(viewer, typed.password) })
  await changePassword(room, asker, viewer, typed.password)
}

export async function changeEmailOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: Proof & { email: string }): Promise<{ email: string }> {
  await reauthenticate(room, viewer, typed.currentPassword, { email: newEmailFault(viewer, typed.email) })
  return askForEmailChange(room, asker, viewer, typed.email)
}

export async function beginSecondFactor(room: AuthRoom, viewer: Viewer, typed: Proof) {
  await reauthenticate(room, viewer, typed.currentPassword)
  return setUp(room, viewer)
}

export async function turnOffSecondFactor(room: AuthRoom, asker: Asker, viewer: Viewer, typed: Proof): Promise<void> {
  await reauthenticate(room, viewer, typed.currentPassword)
  await turnOff(room, asker, viewer)
}

export async function renewCodesOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: Proof): Promise<string[]> {
  await reauthenticate(room, viewer, typed.currentPassword)
  return renewRecoveryCodes(room, asker, viewer)
}

export async function closeAccountOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: Proof & { email: string }): Promise<void> {
  await reauthenticate(room, viewer, typed.currentPassword, { email: ownEmailFault(viewer, typed.email) })
  await closeAccount(room, asker, viewer, typed.email)
}

/** Before somebody goes to a provider to connect it: the answer of the provider says who came back, and not who sits there. */
export async function beginConnect(room: AuthRoom, viewer: Viewer, typed: Proof): Promise<void> {
  await reauthenticate(room, viewer, typed.currentPassword)
}

export async function disconnectOf(room: AuthRoom, asker: Asker, viewer: Viewer, typed: Proof & { issuer: string }): Promise<void> {
  await reauthenticate(room, viewer, typed.currentPassword)
  await disconnectProvider(room, asker, viewer, typed.issuer)
}

export type SecurityFacts = {
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly recoveryCodesLeft: number
  /** The providers through which the account signs in, and those that it could connect. */
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
