import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import type { ChangeKind } from '#server/api/contract/changelog.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { type AdminEndpoint, adminEndpoints, availabilityLabels } from '#server/api/documents/catalogue.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueBulkEmail } from '#server/email/bulk-emails.ts'
import { countKeyHolders } from '#server/keys/keys.ts'
import { getOverride, loadServiceState, notifyConfigChanged, setOverride } from '#server/metering/service-state.ts'
import { lockChanges, type NewChange, type Published, publishNewChange, type Tell } from '../changelog/changelog.ts'

type Draft = { readonly kind: ChangeKind; readonly title: string; readonly body: string }

/** Drafts the changelog entry for an availability change. The administrator can edit it before publishing. */
export function getDraft({ name, cost, plan }: Pick<AdminEndpoint, 'name' | 'cost' | 'plan'>, to: Availability): Draft {
  const call = `\`${name}\``
  if (to === 'open') {
    const who = plan === null ? 'Live keys' : `Live keys of accounts on the ${plan} plan`
    const price = cost === 'free' ? 'It is free.' : `It costs ${cost}.`
    return {
      kind: 'added',
      title: `${call} is open to live keys`,
      body: `${who} can now call ${call}. ${price} Test keys work as before.`,
    }
  }
  if (to === 'test-only') {
    const body = `${call} only accepts test keys, free of charge. Live keys get 403 [\`endpoint_restricted\`](/docs/errors/endpoint_restricted) and are not charged.`
    return { kind: 'changed', title: `${call} only accepts test keys`, body }
  }
  return {
    kind: 'changed',
    title: `${call} is temporarily unavailable`,
    body: `${call} returns 404 \`not_found\` to every key, free of charge. The changelog will announce when it is available again.`,
  }
}

/** Returns every endpoint with its default availability and its override from the database. */
export async function loadAdminEndpoints(pool: Database): Promise<AdminEndpoint[]> {
  return adminEndpoints((await loadServiceState(pool)).overrides)
}

/** Returns one endpoint, or null if the id is unknown. */
export async function findAdminEndpoint(pool: Database, id: string): Promise<AdminEndpoint | null> {
  return (await loadAdminEndpoints(pool)).find((endpoint) => endpoint.id === id) ?? null
}

export type AvailabilityChange = {
  readonly endpointId: string
  /** Availability shown to the administrator. If it has changed since, this change is rejected. */
  readonly from: Availability
  readonly to: Availability
  /** Title and text of the changelog entry. */
  readonly title: string
  readonly body: string
}

const already = (to: Availability) => `This endpoint is already ${availabilityLabels[to].toLowerCase()}.`

/** Returns the reason why a change isn't possible; null if it is possible. */
function findFault({ isPlanned }: AdminEndpoint, before: Availability, { from, to }: AvailabilityChange): string | null {
  if (isPlanned) return "This endpoint isn't built yet, so it can't be enabled."
  if (before === to) return already(to)
  return before === from ? null : `This endpoint is now ${availabilityLabels[before].toLowerCase()}. Reload the page.`
}

/**
 * Changes who can call an endpoint and notifies accounts. Takes effect on the next request in every process. Availability, changelog entry, bulk email and
 * audit entry are written in one transaction. If `to` is the default in the catalogue, the override is removed.
 * @throws FieldsError
 */
export async function changeAvailability(pool: Database, by: AdminActor, change: AvailabilityChange, tell: Tell): Promise<Published> {
  const { endpointId, to, title, body } = change
  const endpoint = adminEndpoints(new Map()).find(({ id }) => id === endpointId)
  if (!endpoint) throw new FieldsError({ form: 'Endpoint not found.' })
  const entry: NewChange = { kind: getDraft(endpoint, to).kind, title, body, endpointIds: [endpointId] }
  return inTransaction(pool, async (client) => {
    // Serialises changes, so that each sees the availability set by the previous one.
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

/** Emails every account with an active key about a changelog entry. Returns the number of accounts emailed. */
export const notifyKeyHolders: Tell = async (client, { id, title, body }) => {
  await enqueueBulkEmail(client, 'change', id, { entry: id, title, body })
  return countKeyHolders(client)
}
