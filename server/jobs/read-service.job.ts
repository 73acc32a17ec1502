import { checkUptime } from '#server/metering/service-state.ts'
import type { Job } from './runner.ts'

/** Returns the job that records an uptime check every minute. It skips its first run, because other processes may still be starting up. */
export function readServiceJob(address: { readonly origin: string | null }): Job {
  let isStarting = true
  return {
    name: 'service.read',
    everyMinutes: 1,
    run: async (pool, signal) => {
      if (!isStarting && address.origin !== null) await checkUptime(pool, address.origin, signal)
      isStarting = false
    },
  }
}
