import { clock } from '#server/clock.ts'

/** Maximum number of attempts. Retries follow after 1, 2, 4 … minutes, then about every hour, for about a day. */
export const maxAttempts = 28

/** Returns the time of the next attempt. `attempts` is the number of failures before the current one. */
const nextAttempt = (attempts: number): Date => new Date(clock.now() + 2 ** Math.min(attempts, 6) * 60_000)

/** Changes to store in a row after a failed attempt. Apply them only if the row still has this number of attempts, so that concurrent failures count once. */
export const postponed = (attempts: number) => ({ attempts: attempts + 1, notBefore: nextAttempt(attempts) })

/** True if the current attempt is the last one. */
export const isLastAttempt = (attempts: number): boolean => attempts + 1 >= maxAttempts

/** Condition for rows that are due. */
export const isDue = () => ({ OR: [{ notBefore: null }, { notBefore: { lte: new Date(clock.now()) } }] })

/** Order of due rows: those that have not failed come first, then those that have been due longest. */
export const firstDue = { notBefore: { sort: 'asc', nulls: 'first' } } as const

/** Makes a row due immediately, with all its attempts available again. */
export const clearedRetries = { attempts: 0, notBefore: null } as const
