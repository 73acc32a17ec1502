import { DataTable } from '#components/data/data-table.tsx'
import { AvailabilityTags } from '#components/docs/operation-detail.tsx'
import { Path } from '#components/ui/phrase.tsx'

/** Keys that may call an endpoint: all, only test keys, or none. */
export type Availability = 'open' | 'test-only' | 'coming-soon'

/** Endpoint with its default availability and its override. */
export type AdminEndpoint = {
  readonly id: string
  readonly name: string
  readonly summary: string
  readonly cost: string
  readonly plan: string | null
  readonly catalogue: Availability
  readonly override: Availability | null
  readonly now: Availability
  readonly isPlanned: boolean
}

export const availabilityLabels = { open: 'Open', 'test-only': 'Test only', 'coming-soon': 'Coming soon' } as const satisfies Record<Availability, string>

const columns = [
  {
    name: 'Endpoint',
    isHead: true,
    cell: ({ id, name }: AdminEndpoint) => (
      <a className="prose-link" href={`/admin/endpoints/${id}`}>
        <Path text={name} />
      </a>
    ),
  },
  { name: 'Cost', cell: ({ cost }: AdminEndpoint) => cost },
  { name: 'Default', cell: ({ catalogue }: AdminEndpoint) => availabilityLabels[catalogue] },
  { name: 'Override', cell: ({ override }: AdminEndpoint) => (override === null ? 'None' : availabilityLabels[override]) },
  {
    name: 'Now',
    isBeside: true,
    cell: ({ now, plan }: AdminEndpoint) => (
      <span className="inline-flex flex-wrap gap-1">
        <AvailabilityTags availability={availabilityLabels[now]} plan={plan} />
      </span>
    ),
  },
]

/** All endpoints with their default and current availability. */
export function EndpointTable({ endpoints }: { endpoints: readonly AdminEndpoint[] }) {
  return <DataTable caption="Endpoints" columns={columns} rows={endpoints} rowKey={({ id }) => id} />
}
