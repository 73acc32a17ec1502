/**
 * Webhook worker in a separate process, which a test may kill at any moment. Fans out and delivers generated events.
 *
 * node worker-process.ts '{"databaseUrl", "events", "name"}'
 */

import { createLog } from '#server/observability/log.ts'
import { DeliveryWorker } from '#server/webhooks/delivery-worker.ts'
import { fanOut, fanOutToOwners } from '#server/webhooks/fan-out.ts'
import { openTestPool } from '../support/test-pool.ts'
import { eventsUpTo } from './support/made-events.ts'

const { databaseUrl, events, name } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string; events: number; name: string }
// Identifies the worker's leases in the database.
const pool = openTestPool({ connectionString: databaseUrl, max: 4, application_name: name })
const log = createLog('warn')
const settings = { secret: 'a secret of the tests that is long enough', developmentFeatures: true, allowsPrivate: true }
const sample = () => Promise.reject(new Error('Samples are not available here.'))
const now = () => Date.now()

const reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }
// Shorter than in production, so that tests don't have to wait long for the leases of killed workers to expire.
const worker = new DeliveryWorker({ pool, log, settings, sample }, { reach, now, atOnce: 64, timeoutMs: 2_000, leaseSeconds: 5 })

await Promise.all([fanOut(pool, eventsUpTo(events)), fanOutToOwners(pool, 'https://api.example.test'), worker.run(new AbortController().signal)])
