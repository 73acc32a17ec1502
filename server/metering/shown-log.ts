import { clock } from '#server/clock.ts'

const shownMs = 30 * 86_400_000

/**
 * Returns the start of the period that the log is shown for. Passed to PostgreSQL as a value: partitions excluded by `now()` in a statement are planned
 * and locked before they are excluded, and after some years of partitions the locks of a few pages would fill the shared lock table.
 */
export const shownSince = (): Date => new Date(clock.now() - shownMs)
