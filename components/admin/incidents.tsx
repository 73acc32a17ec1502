'use client'

import { Time } from '#components/data/time.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type Incident, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'
import { AdminTable } from './kit/admin-table.tsx'
import { CellLink } from './kit/layout.tsx'

const columns = [
  {
    name: 'Incident',
    isHead: true,
    cell: ({ id, title }: Incident) => <CellLink href={`/admin/incidents/${id}`}>{title}</CellLink>,
  },
  { name: 'Impact', cell: ({ impact }: Incident) => incidentImpacts[impact].label },
  {
    name: 'State',
    isBeside: true,
    cell: ({ updates: [last], resolvedAt }: Incident) => (
      <Tag tone={resolvedAt === null ? 'caution' : 'good'}>{last === undefined ? '–' : incidentStates[last.state]}</Tag>
    ),
  },
  { name: 'Began', cell: ({ startedAt }: Incident) => <Time at={startedAt} look="row" /> },
  { name: 'Ended', cell: ({ resolvedAt }: Incident) => (resolvedAt === null ? '–' : <Time at={resolvedAt} look="row" />) },
]

/** Incidents of the status page, newest first. */
export function IncidentTable({ incidents }: { incidents: readonly Incident[] }) {
  return <AdminTable caption="Incidents, newest first" columns={columns} rows={incidents} rowKey={({ id }) => id} empty="No incidents." />
}
