import { generateSync } from 'otplib'

const periodSeconds = 30

/** Returns the time step at a time in milliseconds since 1970. */
export const stepAt = (ms: number): number => Math.floor(ms / 1_000 / periodSeconds)

/** Returns the code that an authenticator app shows in a time step. */
export const codeAt = (secret: string, step: number): string => generateSync({ secret, epoch: step * periodSeconds })
