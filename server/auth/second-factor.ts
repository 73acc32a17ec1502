import { createHash } from 'node:crypto'
import { verifySync } from 'otplib'
import { decrypt } from '#server/accounts/encryption.ts'
import { clock } from '#server/clock.ts'
import type { Db } from '#server/db/prisma.ts'
import type { AuthContext } from './auth-context.ts'

/** Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const periodSeconds = 30

/**
 * Returns the time step that a code belongs to: the number of 30-second periods since 1970. Accepts the step before and after `now`, to allow for clock drift.
 * Returns null for a wrong code.
 */
export function getStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const result = verifySync({ secret, token: code, epoch: Math.floor(now / 1_000), epochTolerance: periodSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Purpose string used to derive the key that encrypts the secrets. */
export const factorPurpose = 'second factor'
export const hashCode = (code: string): Buffer<ArrayBuffer> =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
    .digest()

/** Decrypts the secret of a factor. */
export const openSecret = (deps: AuthContext, accountId: number, encrypted: Uint8Array): string =>
  decrypt(deps.secret, factorPurpose, String(accountId), Buffer.from(encrypted))

const setUpMs = 15 * 60_000

/** Condition for a set-up that has not expired. Set-ups expire, so that someone with a stolen session can't confirm one weeks later. */
export const openSetUp = () => ({ since: null, startedAt: { gt: new Date(clock.now() - setUpMs) } })

/** Returns the active factor, or a set-up that can still be confirmed. */
export async function readFactor(db: Db, accountId: number) {
  return db.secondFactor.findFirst({
    where: { accountId, OR: [{ since: { not: null } }, openSetUp()] },
    select: { secret: true, since: true },
  })
}

/** Verifies and consumes a code: the authenticator app's current code or a recovery code. Returns false if it is invalid. */
export async function takeCode(deps: AuthContext, accountId: number, typed: string): Promise<boolean> {
  const factor = await readFactor(deps.pool, accountId)
  if (!factor || factor.since === null) return false
  const code = typed.replace(/[\s-]/g, '')
  const now = clock.now()
  if (!/^\d{6}$/.test(code)) {
    const where = { accountId, hash: hashCode(typed), usedAt: null }
    return (await deps.pool.recoveryCode.updateMany({ where, data: { usedAt: new Date(now) } })).count === 1
  }
  const step = getStep(openSecret(deps, accountId, factor.secret), code, now)
  if (step === null) return false
  // Each step is accepted once. Its code and all earlier codes stop working.
  const where = { accountId, since: { not: null }, lastStep: { lt: step } }
  return (await deps.pool.secondFactor.updateMany({ where, data: { lastStep: step } })).count === 1
}
