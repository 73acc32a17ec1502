import type { Pool } from 'pg'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { type AdminEndpoint, adminEndpoints } from '#server/api/documents/admin-endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { getOverride, loadServiceState, notifyConfigChanged, setOverride } from '#server/metering/service-state.ts'
import { lockChanges, type NewChange, type Published, publishNewChange, type Tell } from '../changelog/publish-change.ts'
import { availabilityDraft, availabilityLabels } from './availability-entry.ts'

/** Returns every endpoint with its default availability and its override from the database. */
export async function loadAdminEndpoints(pool: Pool): Promise<AdminEndpoint[]> {
  return adminEndpoints((await loadServiceState(pool)).overrides)
}

/** Returns one endpoint, or null if the id is unknown. */
export async function findAdminEndpoint(pool: Pool, id: string): Promise<AdminEndpoint | null> {
  return (await loadAdminEndpoints(pool)).find((endpoint) => endpoint.id === id) ?? null
}

/** Drafts the changelog entry for a change of availability. */
export const getDraft = availabilityDraft

export type AvailabilityChange = {
  readonly endpointId: string
  /** Availability shown to the administrator. The change is rejected if it has changed since. */
  readonly from: Availability
  readonly to: Availability
  /** Title and text of the changelog entry. */
  readonly title: string
  readonly body: string
}

const already = (to: Availability) => `This endpoint is already ${availabilityLabels[to].toLowerCase()}.`

/** Returns why the change isn't possible, or null if it is. */
function findFault({ isPlanned }: AdminEndpoint, before: Availability, { from, to }: AvailabilityChange): string | null {
  if (isPlanned) return "This endpoint isn't built yet, so it can't be enabled."
  if (before === to) return already(to)
  return before === from ? null : `This endpoint is now ${availabilityLabels[before].toLowerCase()}. Reload the page.`
}

/**
 * Changes who can call an endpoint and notifies accounts. Takes effect on the next request in every process. Availability, changelog entry, bulk email and
 * audit entry are written in one transaction. The override is removed if it equals the catalogue's default.
 * @throws FieldsError
 */
export async function changeAvailability(pool: Pool, by: AdminActor, change: AvailabilityChange, tell: Tell): Promise<Published> {
  const { endpointId, to, title, body } = change
  const endpoint = adminEndpoints(new Map()).find(({ id }) => id === endpointId)
  if (!endpoint) throw new FieldsError({ form: 'Endpoint not found.' })
  const entry: NewChange = { kind: availabilityDraft(endpoint, to).kind, title, body, endpointIds: [endpointId] }
  return inTransaction(pool, async (client) => {
    // Serialises concurrent changes of one endpoint.
    await lockChanges(client)
    const before = (await getOverride(client, endpointId)) ?? endpoint.catalogue
    refuseFaults({ form: findFault(endpoint, before, change) })
    const published = await publishNewChange(client, entry, tell)
    await setOverride(client, endpointId, to === endpoint.catalogue ? null : to)
    const after = { availability: to, entry: published.entry.id, recipientCount: published.recipientCount }
    await writeAudit(client, { ...by, accountId: null, action: 'availability.change', subject: endpointId, before: { availability: before }, after })
    await notifyConfigChanged(client)
    return published
  })
}
