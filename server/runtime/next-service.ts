import type { Service } from './service.ts'
import { sharedService } from './service-slot.ts'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.service-starting')

/** Starts the service. Imports it only when needed: otherwise Next would keep a copy of it for every route. */
const start = async (): Promise<Service> => (await import('./start-next-service.ts')).startNextService()

/** Returns the service for Next's route handlers: this process's service if Next runs inside it, otherwise a service that the first call starts. */
export async function nextService(): Promise<Service> {
  const running = sharedService()
  if (running) return running
  shared[slot] ??= start().catch((error: unknown) => {
    // The next call tries again: the database may be available by then.
    shared[slot] = undefined
    throw error
  })
  return shared[slot] as Promise<Service>
}
