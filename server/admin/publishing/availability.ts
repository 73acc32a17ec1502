import type { Pool } from 'pg'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { type AdminEndpoint, adminEndpoints } from '#server/api/documents/admin-endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { announceSharedFacts, loadServiceState, overrideOf, setOverride } from '#server/metering/service-state.ts'
import { announceNewChange, holdChanges, type NewChange, type Published, type Tell } from '../changelog/publish-change.ts'
import { availabilityDraft, availabilityWords } from './availability-words.ts'

/** Every endpoint with what the catalogue says of it and what was set over that, as it stands in the database. */
export async function endpointsAtDesk(pool: Pool): Promise<AdminEndpoint[]> {
  return adminEndpoints((await loadServiceState(pool)).overrides)
}

/** One of them; null: there is none with this id. */
export async function endpointAtDesk(pool: Pool, id: string): Promise<AdminEndpoint | null> {
  return (await endpointsAtDesk(pool)).find((endpoint) => endpoint.id === id) ?? null
}

/** What is drafted for the changelog when an endpoint goes to another availability. */
export const draftOf = availabilityDraft

export type AvailabilityChange = {
  readonly endpointId: string
  /** What whoever asks has seen in force. */
  readonly from: Availability
  readonly to: Availability
  /** What the changelog says of it. */
  readonly title: string
  readonly body: string
}

const already = (to: Availability) => `This endpoint is ${availabilityWords[to].toLowerCase()} already.`

/** Why an endpoint cannot go from one availability to another; null when it can. */
function faultOf({ isPlanned }: AdminEndpoint, before: Availability, { from, to }: AvailabilityChange): string | null {
  if (isPlanned) return 'This endpoint is still to be built: there is nothing to open.'
  if (before === to) return already(to)
  return before === from ? null : `This endpoint is ${availabilityWords[before].toLowerCase()} by now. Open the page again to see it.`
}

/**
 * Changes who can call an endpoint, with the next request on every process, and has the accounts told: availability, entry, mailing and the line of the audit
 * log hold together or not at all. What the catalogue says is no override.
 * @throws FieldsError
 */
export async function changeAvailability(pool: Pool, by: AdminActor, change: AvailabilityChange, tell: Tell): Promise<Published> {
  const { endpointId, to, title, body } = change
  const endpoint = adminEndpoints(new Map()).find(({ id }) => id === endpointId)
  if (!endpoint) throw new FieldsError({ form: 'There is no such endpoint.' })
  const entry: NewChange = { kind: availabilityDraft(endpoint, to).kind, title, body, endpointIds: [endpointId] }
  return inTransaction(pool, async (client) => {
    // Two changes of one endpoint come one after the other.
    await holdChanges(client)
    const before = (await overrideOf(client, endpointId)) ?? endpoint.catalogue
    refuseFaults({ form: faultOf(endpoint, before, change) })
    const published = await announceNewChange(client, entry, tell)
    await setOverride(client, endpointId, to === endpoint.catalogue ? null : to)
    const after = { availability: to, entry: published.entry.id, told: published.told }
    await writeAudit(client, { ...by, accountId: null, action: 'availability.change', subject: endpointId, before: { availability: before }, after })
    await announceSharedFacts(client)
    return published
  })
}
