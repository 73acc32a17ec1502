import type { Service } from './service.ts'

const shared = globalThis as { [key: symbol]: unknown }
const slot = Symbol.for('svc.service')

/**
 * Shares the service with the Next bundle of the same process. The bundle has its own copy of every module, so with a module variable there would be a second
 * service with a second set of connections.
 */
export function shareService(service: Service): void {
  shared[slot] = service
}

export function sharedService(): Service | undefined {
  return shared[slot] as Service | undefined
}
