import type { Pool } from 'pg'
import { changeAvailability } from '#server/admin/publishing/availability.ts'
import { tellKeyHolders } from '#server/admin/publishing/tell.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { makeAccount } from '../support/world.ts'

/** Changes who can call an endpoint as somebody at the desk does. Each change is told in words of its own. */
export async function availabilityChanger(pool: Pool): Promise<(endpointId: string, from: Availability, to: Availability) => Promise<unknown>> {
  const { id } = await makeAccount(pool)
  let said = 0
  return (endpointId, from, to) => {
    const by = { actor: 'admin', adminId: id, reason: 'A test.', address: null } as const
    return changeAvailability(pool, by, { endpointId, from, to, title: `Change no. ${++said}`, body: 'Text.' }, tellKeyHolders)
  }
}
