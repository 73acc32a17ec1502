import { takeReading } from '#server/metering/readings.ts'
import type { Job } from './job.ts'

/** Takes down once a minute whether the service can serve. Not as the process starts: those who answer may be starting as well. */
export function readServiceJob(address: { readonly origin: string | null }): Job {
  let isStarting = true
  return {
    name: 'service.read',
    everyMs: 60_000,
    run: async (pool, signal) => {
      if (!isStarting && address.origin !== null) await takeReading(pool, address.origin, signal)
      isStarting = false
    },
  }
}
