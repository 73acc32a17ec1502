import { tellLapsedViews } from '#server/auth/lapsed-views.ts'
import type { Job } from './job.ts'

/** Puts the end of views of somebody else's portal into the audit log that nobody has left. */
export const lapsedViewsJob: Job = { name: 'viewing.tell-lapsed', everyMs: 60_000, run: (pool) => tellLapsedViews(pool) }
