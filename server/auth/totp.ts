import { generateSecret, generateURI, verifySync } from 'otplib'

/** Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const periodSeconds = 30

/** Generates a secret in base 32, as authenticator apps expect it. */
export const newTotpSecret = (): string => generateSecret()

/**
 * Returns the time step that a code belongs to: the number of 30-second periods since 1970. Accepts the step before and after `now`, to allow for clock drift.
 * Returns null for a wrong code.
 */
export function getStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const result = verifySync({ secret, token: code, epoch: Math.floor(now / 1_000), epochTolerance: periodSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Returns the URI encoded in the QR code. */
export const totpUri = (secret: string, email: string): string => generateURI({ issuer: 'Savings Rates API', label: email, secret })
