import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type Incident, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'

const columns = [
  {
    name: 'Incident',
    isHead: true,
    cell: ({ id, title }: Incident) => (
      <a className="prose-link" href={`/admin/incidents/${id}`}>
        {title}
      </a>
    ),
  },
  { name: 'Impact', cell: ({ impact }: Incident) => incidentImpacts[impact].label },
  {
    name: 'State',
    isBeside: true,
    cell: ({ updates: [last], resolvedAt }: Incident) => (
      <Tag tone={resolvedAt === null ? 'caution' : 'good'}>{last === undefined ? '–' : incidentStates[last.state]}</Tag>
    ),
  },
  { name: 'Began', cell: ({ startedAt }: Incident) => <Time at={startedAt} /> },
  { name: 'Last update', cell: ({ updates: [last] }: Incident) => (last === undefined ? '–' : <Time at={last.at} />) },
]

/** Incidents of the status page, newest first. */
export function IncidentTable({ incidents }: { incidents: readonly Incident[] }) {
  if (incidents.length === 0) return <p className="mt-6">No incidents.</p>
  return (
    <div className="mt-6">
      <DataTable caption="Incidents, newest first" columns={columns} rows={incidents} rowKey={({ id }) => id} />
    </div>
  )
}
