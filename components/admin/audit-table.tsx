import { DataTable } from '../ui/data-table.tsx'
import { Time } from '../ui/time.tsx'

type Line = {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string | null
  readonly account: string | null
  readonly admin: string | null
  readonly reason: string | null
  readonly address: string | null
}

const columns = [
  { name: 'When', cell: ({ at }: Line) => <Time at={at} look="second" />, isHead: true },
  { name: 'Who', cell: ({ actor, admin, address }: Line) => `${admin ?? actor}${address === null ? '' : ` from ${address}`}` },
  { name: 'What', cell: ({ action, subject }: Line) => (subject === null ? action : `${action} ${subject}`) },
  { name: 'About', cell: ({ account }: Line) => account ?? 'The service' },
  { name: 'Why', cell: ({ reason }: Line) => reason ?? '' },
]

/** What was changed, by whom and why, the newest first. */
export function AuditTable({ lines, older }: { lines: readonly Line[]; older: string | null }) {
  if (lines.length === 0) return <p>No changes yet.</p>
  return (
    <>
      <DataTable caption="Changes, the newest first" columns={columns} rows={lines} keyOf={({ id }) => id} />
      {older === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={older}>
            Older changes
          </a>
        </p>
      )}
    </>
  )
}
