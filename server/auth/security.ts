import { refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from './auth-context.ts'
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

export async function changeAccountPassword(
  deps: AuthContext,
  asker: Asker,
  viewer: Viewer,
  typed: { currentPassword: string; password: string },
): Promise<void> {
  await requirePassword(deps, asker, viewer, typed.currentPassword, { currentPassword: null, password: newPasswordFault(viewer, typed.password) })
  await changePassword(deps, asker, viewer, typed.password)
}

export async function changeAccountEmail(deps: AuthContext, asker: Asker, viewer: Viewer, typed: WithCode & { email: string }): Promise<{ email: string }> {
  refuseFaults({ email: newEmailFault(viewer, typed.email) })
  await requireCode(deps, asker, viewer, typed.code)
  return askForEmailChange(deps, asker, viewer, typed.email)
}

export async function turnOffSecondFactor(deps: AuthContext, asker: Asker, viewer: Viewer, { code }: WithCode): Promise<void> {
  await requireCode(deps, asker, viewer, code)
  await turnOff(deps, asker, viewer)
}

export async function renewCodes(deps: AuthContext, asker: Asker, viewer: Viewer, { code }: WithCode): Promise<string[]> {
  await requireCode(deps, asker, viewer, code)
  return renewRecoveryCodes(deps, asker, viewer)
}

export async function closeOwnAccount(deps: AuthContext, asker: Asker, viewer: Viewer, { email }: { email: string }): Promise<void> {
  refuseFaults({ email: ownEmailFault(viewer, email) })
  requireRecent(viewer)
  await closeAccount(deps, asker, viewer, email)
}

export type SecuritySummary = {
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly recoveryCodesLeft: number
  /** Providers connected to the account, and those that can be connected. */
  readonly connected: readonly { readonly issuer: string; readonly label: string }[]
  readonly connectable: readonly { readonly id: 'google' | 'oidc'; readonly label: string }[]
}

export async function readSecuritySummary(deps: AuthContext, viewer: Viewer): Promise<SecuritySummary> {
  const issuers = await connectedIssuers(deps, viewer.accountId)
  const offered = offeredProviders(deps)
  return {
    hasPassword: viewer.hasPassword,
    hasSecondFactor: viewer.hasSecondFactor,
    recoveryCodesLeft: await recoveryCodesLeft(deps, viewer.accountId),
    connected: issuers.map((issuer) => ({ issuer, label: providerLabel(deps, issuer) })),
    connectable: offered.filter(({ issuer }) => !issuers.includes(issuer)).map(({ id, label }) => ({ id, label })),
  }
}
