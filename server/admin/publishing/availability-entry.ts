import type { ChangeKind } from '#server/api/contract/changelog.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import type { AdminEndpoint } from '#server/api/documents/admin-endpoints.ts'

export const availabilityLabels = { open: 'Open', 'test-only': 'Test only', 'coming-soon': 'Coming soon' } as const satisfies Record<Availability, string>

type Draft = { readonly kind: ChangeKind; readonly title: string; readonly body: string }

/** Drafts the changelog entry for a change of availability. The administrator can edit it before publishing. */
export function availabilityDraft({ name, cost, plan }: Pick<AdminEndpoint, 'name' | 'cost' | 'plan'>, to: Availability): Draft {
  const call = `\`${name}\``
  if (to === 'open') {
    const who = plan === null ? 'Live keys' : `Live keys of accounts on the ${plan} plan`
    const price = cost === 'free' ? 'It is free.' : `It costs ${cost}.`
    return {
      kind: 'added',
      title: `${call} is open to live keys`,
      body: `${who} can call ${call} from now on. ${price} Test keys work as before.`,
    }
  }
  if (to === 'test-only') {
    const body = `${call} only accepts test keys, free of charge. Live keys get 403 [\`endpoint_restricted\`](/docs/errors/endpoint_restricted) and are not charged.`
    return { kind: 'changed', title: `${call} only accepts test keys`, body }
  }
  return {
    kind: 'changed',
    title: `${call} is not available for now`,
    body: `${call} returns 404 \`not_found\` to every key, free of charge. The changelog will announce when it is available again.`,
  }
}
