import { generateSync } from 'otplib'

const periodSeconds = 30

/** Returns the TOTP time step for a Unix time in milliseconds. */
export const stepAt = (ms: number): number => Math.floor(ms / 1_000 / periodSeconds)

/** Returns the code that an authenticator app shows in a time step. */
export const codeAt = (secret: string, step: number): string => generateSync({ secret, epoch: step * periodSeconds })
