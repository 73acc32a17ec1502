import { type AuditLine, getAudit, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { isTimeZone } from '#server/api/contract/time-zones.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { readIssuers } from '#server/auth/credentials.ts'
import { offeredProviders, providerLabel } from '#server/auth/providers.ts'
import { requireCode, requirePassword, requireRecent } from '#server/auth/reauthentication.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { closeAccount, ownEmailFault } from './close-account.ts'
import { askForEmailChange, newEmailFault } from './email-confirmation.ts'
import { changePassword, newPasswordFault } from './passwords.ts'
import { recoveryCodesLeft, renewRecoveryCodes, turnOff } from './second-factor-setup.ts'

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
  const issuers = await readIssuers(deps.pool, viewer.accountId)
  const offered = offeredProviders(deps)
  return {
    hasPassword: viewer.hasPassword,
    hasSecondFactor: viewer.hasSecondFactor,
    recoveryCodesLeft: await recoveryCodesLeft(deps, viewer.accountId),
    connected: issuers.map((issuer) => ({ issuer, label: providerLabel(deps, issuer) })),
    connectable: offered.filter(({ issuer }) => !issuers.includes(issuer)).map(({ id, label }) => ({ id, label })),
  }
}

/** Skips closed accounts, including those closed while the update waited for a lock: a closed account holds no personal data. */
async function writeProfile(tx: Transaction, { accountId }: Viewer, data: { name?: string; purpose?: string; timeZone?: string }): Promise<void> {
  await tx.account.updateMany({ where: { id: accountId, closedAt: null }, data })
}

const maxNameLength = 80

/** Changes the name of an account; an empty name removes it. @throws FieldsError */
export async function changeName(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const name = typed.trim()
  refuseFaults({ name: name.length > maxNameLength ? `Name must be ${maxNameLength} characters or fewer.` : null })
  if (name === viewer.name) return
  await inTransaction(deps.pool, async (client) => {
    // The name is part of the cached key record, so the wallet version changes. The wallet is locked first, as in all other code.
    await client.wallet.update({ where: { accountId: viewer.accountId }, data: { version: { increment: 1 } }, select: { accountId: true } })
    await writeProfile(client, viewer, { name })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'name.change', address: asker.address })
  })
}

const maxPurposeLength = 500

/** Saves the description of the account's planned use, for the review; an empty description removes it. @throws FieldsError */
export async function changePurpose(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<void> {
  const purpose = typed.trim()
  refuseFaults({ purpose: purpose.length > maxPurposeLength ? `Use ${maxPurposeLength} characters or fewer.` : null })
  if (purpose === viewer.purpose) return
  await inTransaction(deps.pool, async (client) => {
    await writeProfile(client, viewer, { purpose })
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'purpose.change', address: asker.address })
  })
}

/** Sets the time zone used in the portal. @throws FieldsError */
export async function changeTimeZone(deps: AuthContext, asker: Asker, viewer: Viewer, timeZone: string): Promise<void> {
  refuseFaults({ timeZone: isTimeZone(timeZone) ? null : 'Choose UTC or a time zone from the list.' })
  if (timeZone === viewer.timeZone) return
  await inTransaction(deps.pool, async (client) => {
    await writeProfile(client, viewer, { timeZone })
    const change = { before: { timeZone: viewer.timeZone }, after: { timeZone } }
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'time-zone.change', ...change, address: asker.address })
  })
}

export const getHistory = (deps: AuthContext, viewer: Viewer, before: string | null): Promise<{ lines: AuditLine[]; next: string | null }> =>
  getAudit(deps.pool, viewer.accountId, before)
