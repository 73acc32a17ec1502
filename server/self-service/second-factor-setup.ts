import { generateSecret, generateURI } from 'otplib'
import { renderSVG } from 'uqr'
import { writeAudit } from '#server/accounts/audit.ts'
import { encrypt } from '#server/accounts/encryption.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { productName } from '#server/api/contract/product-name.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { requireCode } from '#server/auth/reauthentication.ts'
import { factorPurpose, getStep, hashCode, openSecret, openSetUp, readFactor } from '#server/auth/second-factor.ts'
import { logSecurityEvent } from '#server/auth/security-history.ts'
import { endAllSessions, lockOwnAccount } from '#server/auth/sessions.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'

const codesGiven = 10
const codeCharacters = 28

/** Returns 28 characters in groups of four. They have 140 bits, enough for a hash without a salt. */
const newRecoveryCode = (): string => (generateSecret({ length: codeCharacters }).slice(0, codeCharacters).toLowerCase().match(/.{4}/g) ?? []).join('-')

/** Stores the secret of a set-up, replacing the secret of any earlier one. Returns false, and changes nothing, if the factor is already on. */
async function writeFactor(db: Db, accountId: number, secret: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { count } = await db.secondFactor.createMany({ data: [{ accountId, secret }], skipDuplicates: true })
  if (count === 1) return true
  const data = { secret, lastStep: 0, startedAt: new Date(clock.now()) }
  return (await db.secondFactor.updateMany({ where: { accountId, since: null }, data })).count === 1
}

/** Turns two-factor sign-in on. Returns false if it is already on, or if this set-up has expired or was replaced by a newer one. */
export async function turnOn(tx: Transaction, accountId: number, secret: Uint8Array<ArrayBuffer>, step: number): Promise<boolean> {
  const data = { since: new Date(clock.now()), lastStep: step }
  return (await tx.secondFactor.updateMany({ where: { accountId, secret, ...openSetUp() }, data })).count === 1
}

/** Deletes an unconfirmed set-up. */
export async function forgetSetUp(tx: Transaction, accountId: number): Promise<void> {
  await tx.secondFactor.deleteMany({ where: { accountId, since: null } })
}

export async function replaceRecoveryCodes(tx: Transaction, accountId: number, hashes: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { accountId } })
  await tx.recoveryCode.createMany({ data: hashes.map((hash) => ({ accountId, hash })) })
}

/** Returns the QR code as a data URL, the only kind of inline image that the Content Security Policy allows. */
const toQrCode = (uri: string): string => `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')}`

/**
 * Starts the set-up. Returns the secret in base 32 and the QR code, or null if two-factor sign-in is already on. Each start generates a new secret,
 * so that a secret shown earlier becomes useless.
 */
export async function setUp(deps: AuthContext, viewer: Viewer): Promise<{ secret: string; picture: string } | null> {
  const secret = generateSecret()
  const isWritten = await writeFactor(deps.pool, viewer.accountId, encrypt(deps.secret, factorPurpose, String(viewer.accountId), secret))
  return isWritten ? { secret, picture: toQrCode(generateURI({ issuer: productName, label: viewer.email, secret })) } : null
}

/** Ends all other sessions after two-factor sign-in is turned on or off, writes the audit entry and emails the user. */
async function recordSwitch(client: Transaction, asker: Asker, { accountId, sessionId, email }: Viewer, isOn: boolean): Promise<void> {
  const now = new Date(clock.now())
  await endAllSessions(client, accountId, sessionId)
  await client.portalSession.updateMany({ where: { id: sessionId }, data: { secondFactorAt: isOn ? now : null } })
  await writeAudit(client, { accountId, actor: 'account', action: isOn ? 'second-factor.on' : 'second-factor.off', address: asker.address })
  await enqueueEmail(client, 'second-factor-changed', email, { at: now.toISOString(), isOn })
}

/**
 * Turns two-factor sign-in on if the code is correct, and ends all other sessions. Attempts are counted before the code is checked. Returns the recovery
 * codes, which are shown once. @throws FieldsError, ThrottledError
 */
export async function confirmSetUp(deps: AuthContext, asker: Asker, viewer: Viewer, typed: string): Promise<string[]> {
  const kept = await readFactor(deps.pool, viewer.accountId)
  refuseFaults({ form: kept ? null : 'This set-up has expired. Reload the page and start again.' })
  refuseFaults({ code: typed.trim() === '' ? 'Enter the code from your app.' : null })
  const { forgive } = await attempt(deps.pool, [limits.code, viewer.publicId])
  const step = kept && kept.since === null ? getStep(openSecret(deps, viewer.accountId, kept.secret), typed.replace(/\s/g, ''), clock.now()) : null
  refuseFaults({ code: step === null ? 'Code is not correct. Enter the code that your app shows now.' : null })
  await forgive()
  const codes = Array.from({ length: codesGiven }, newRecoveryCode)
  await inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    // Fails if the set-up was restarted after the code was checked, because the code doesn't prove that the user has the new secret.
    if (!kept || !(await turnOn(client, viewer.accountId, kept.secret, step ?? 0)))
      refuseFaults({ form: 'Two-factor sign-in is already on, or its set-up was restarted elsewhere. Reload the page.' })
    await replaceRecoveryCodes(client, viewer.accountId, codes.map(hashCode))
    await recordSwitch(client, asker, viewer, true)
  })
  logSecurityEvent(deps, asker, 'second-factor.on', viewer.publicId)
  return codes
}

/** Turns two-factor sign-in off and ends all other sessions. Callers must verify a code first. */
export async function turnOff(deps: AuthContext, asker: Asker, viewer: Viewer): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    // Deletes the factor and then its recovery codes, in the order in which they are always locked.
    const { count } = await client.secondFactor.deleteMany({ where: { accountId: viewer.accountId, since: { not: null } } })
    if (count === 0) return
    await client.recoveryCode.deleteMany({ where: { accountId: viewer.accountId } })
    await recordSwitch(client, asker, viewer, false)
  })
  logSecurityEvent(deps, asker, 'second-factor.off', viewer.publicId)
}

/** Verifies a code, then replaces the recovery codes; the old ones no longer work. @throws FieldsError if two-factor sign-in is off */
export async function renewRecoveryCodes(deps: AuthContext, asker: Asker, viewer: Viewer, { code }: { code: string }): Promise<string[]> {
  await requireCode(deps, asker, viewer, code)
  const codes = Array.from({ length: codesGiven }, newRecoveryCode)
  await inTransaction(deps.pool, async (client) => {
    // To avoid deadlocks, the factor is always locked before its recovery codes.
    await lockRows(client, 'second_factor', [viewer.accountId])
    if ((await readFactor(client, viewer.accountId))?.since == null) refuseFaults({ form: 'Two-factor sign-in is off.' })
    await replaceRecoveryCodes(client, viewer.accountId, codes.map(hashCode))
    await writeAudit(client, { accountId: viewer.accountId, actor: 'account', action: 'recovery-codes.renew', address: asker.address })
    await enqueueEmail(client, 'second-factor-changed', viewer.email, { at: new Date(clock.now()).toISOString(), isOn: true, hasNewCodes: true })
  })
  logSecurityEvent(deps, asker, 'recovery-codes.renew', viewer.publicId)
  return codes
}

export const recoveryCodesLeft = (deps: AuthContext, accountId: number): Promise<number> => deps.pool.recoveryCode.count({ where: { accountId, usedAt: null } })
