import { notifyExpiredViews } from '#server/auth/expired-views.ts'
import type { Job } from './job.ts'

/** Writes an audit entry for view-as sessions that expired without being ended. */
export const expiredViewsJob: Job = { name: 'viewing.tell-lapsed', everyMs: 60_000, run: (pool) => notifyExpiredViews(pool) }
