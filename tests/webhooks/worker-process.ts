/**
 * A worker in a process of its own, as many as a test wants, each of which may be killed at any moment. It hands made-up events on and delivers them.
 *
 * node worker-process.ts '{"databaseUrl", "events", "name"}'
 */
import { Pool } from 'pg'
import { createLog } from '#server/observability/log.ts'
import { fanOutToOwners } from '#server/webhooks/account-events.ts'
import { fanOut } from '#server/webhooks/fan-out.ts'
import { DeliveryWorker } from '#server/webhooks/worker.ts'
import { eventsUpTo } from './support/made-events.ts'

const { databaseUrl, events, name } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string; events: number; name: string }
// The database knows by this name whose lease is whose.
const pool = new Pool({ connectionString: databaseUrl, max: 4, application_name: name })
const log = createLog('warn')
const settings = { secret: 'a secret of the tests that is long enough', developmentFeatures: true, allowsPrivate: true }
const sample = () => Promise.reject(new Error('Nobody asks for samples here.'))
const now = () => Date.now()

const reach = { resolve: async () => ['127.0.0.1'], refuses: () => null }
// Shorter than in service, so that what a killed worker held is sent by another one while somebody waits for it.
const worker = new DeliveryWorker({ pool, log, settings, sample }, { reach, now, atOnce: 64, timeoutMs: 2_000, leaseSeconds: 5 })

await Promise.all([fanOut(pool, eventsUpTo(events)), fanOutToOwners(pool, 'https://api.example.test'), worker.run(new AbortController().signal)])
