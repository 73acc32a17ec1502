import { clock } from '#server/clock.ts'

const shownMs = 30 * 86_400_000

/**
 * From when on the log is shown to its account. It goes to PostgreSQL as a value: days of the log that a statement rules out by `now()` are planned and
 * locked before they are left out, and after some years of them the locks of a few pages fill its shared memory.
 */
export const shownSince = (): Date => new Date(clock.now() - shownMs)
