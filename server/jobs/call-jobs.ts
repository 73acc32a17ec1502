import type { Database } from '#server/db/prisma.ts'
import { sendJobs } from '#server/db/queues.sql.ts'
import type { WriteEvidence } from '#server/db/write-check.ts'
import type { Log } from '#server/observability/log.ts'

/**
 * Jobs that follow calls: the usage roll-up, low-balance alerts and automatic top-ups. They are not sent by a trigger on the request log, which would slow down
 * every call.
 */
const callJobs = ['usage.add-up', 'billing.low-balance', 'billing.auto-top-up'] as const

const everyMs = 1_000

/** Checks every second whether this process has admitted calls since the last check, and if so sends the jobs that follow calls. Returns the timer. */
export function sendCallJobs(pool: Database, writes: Pick<WriteEvidence, 'writtenAt'>, log: Log): NodeJS.Timeout {
  let sentFor = writes.writtenAt
  const send = async () => {
    const { writtenAt } = writes
    if (writtenAt === sentFor) return
    sentFor = writtenAt
    // If this fails, the jobs still run on schedule.
    await sendJobs(pool, callJobs).catch((error: unknown) =>
      log.warn({ err: error }, 'Failed to queue the jobs that run after calls. They will still run on schedule.'),
    )
  }
  return setInterval(() => void send(), everyMs).unref()
}
