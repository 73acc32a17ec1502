import { notifyExpiredViews } from '#server/admin/view-as/view-as.ts'
import type { Job } from './runner.ts'

/** Writes an audit entry for view-as sessions that expired without being ended. */
export const expiredViewsJob: Job = { name: 'viewing.tell-lapsed', everyMs: 60_000, run: (pool) => notifyExpiredViews(pool) }
