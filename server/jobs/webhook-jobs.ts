import { clock } from '#server/clock.ts'
import { fanOutToOwners } from '#server/webhooks/account-events.ts'
import { tidyDeliveries } from '#server/webhooks/deliveries.ts'
import { DeliveryWorker } from '#server/webhooks/delivery-worker.ts'
import { type EventSource, fanOut } from '#server/webhooks/fan-out.ts'
import { getReach } from '#server/webhooks/reach.ts'
import { resumeHeld } from '#server/webhooks/resume.ts'
import type { WebhookDeps } from '#server/webhooks/webhook-deps.ts'
import type { Job } from './job.ts'

const now = () => clock.now()

/** Scheduled jobs for webhooks. Each coordinates through the database, so several processes can run it concurrently. */
export function webhookJobs(deps: WebhookDeps, source: EventSource, publicUrl: string): Job[] {
  const reach = getReach(deps.settings)
  return [
    { name: 'webhooks.fan-out', everyMs: 500, run: (pool, signal) => fanOut(pool, source, { signal }) },
    { name: 'webhooks.tell-owners', everyMs: 500, run: (pool, signal) => fanOutToOwners(pool, publicUrl, { signal }) },
    // Runs as long as the process; restarted only after a failure.
    { name: 'webhooks.deliver', everyMs: 1_000, run: (_pool, signal, succeeded) => new DeliveryWorker(deps, { reach, now }).run(signal, succeeded) },
    { name: 'webhooks.resume', everyMs: 1_000, run: (pool) => resumeHeld(pool) },
    { name: 'webhooks.tidy', everyMs: 600_000, run: (_pool, signal) => tidyDeliveries(deps, signal) },
  ]
}
