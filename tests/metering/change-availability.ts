import { changeAvailability, notifyKeyHolders } from '#server/admin/publishing/availability.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import type { Database } from '#server/db/prisma.ts'
import { makeAccount } from '../support/accounts.ts'

/** Returns a function that changes the availability of an endpoint as an administrator, with a separate announcement for each change. */
export async function availabilityChanger(pool: Database): Promise<(endpointId: string, from: Availability, to: Availability) => Promise<unknown>> {
  const { id } = await makeAccount(pool)
  let changes = 0
  return (endpointId, from, to) => {
    const by = { actor: 'admin', adminId: id, reason: 'A test.', address: null } as const
    return changeAvailability(pool, by, { endpointId, from, to, title: `Change no. ${++changes}`, body: 'Text.' }, notifyKeyHolders)
  }
}
