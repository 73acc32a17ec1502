import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { type AdjustmentState, AdjustmentTag, signed } from './adjustment-labels.tsx'
import { Person } from './person.tsx'

type Line = {
  readonly id: string
  readonly credits: number
  readonly state: AdjustmentState
  readonly reason: string
  readonly note: string
  readonly proposedBy: string
  readonly proposedByEmail: string
  readonly proposedAt: Date
  readonly decidedBy: string | null
  readonly decidedByEmail: string | null
  readonly decisionReason: string | null
}

const columns = [
  { name: 'When', cell: ({ proposedAt }: Line) => <Time at={proposedAt} />, isHead: true },
  { name: 'Credits', isBeside: true, cell: ({ credits }: Line) => signed(credits), isNumber: true },
  { name: 'State', cell: ({ state }: Line) => <AdjustmentTag state={state} /> },
  {
    name: 'By',
    cell: ({ proposedBy, proposedByEmail, decidedBy, decidedByEmail }: Line) => (
      <>
        <Person id={proposedBy} email={proposedByEmail} />
        {decidedBy === null || decidedByEmail === null ? null : (
          <>
            , <Person id={decidedBy} email={decidedByEmail} />
          </>
        )}
      </>
    ),
  },
  { name: 'Why', cell: ({ reason, decisionReason }: Line) => (decisionReason === null ? reason : `${reason} · ${decisionReason}`) },
  { name: 'Note to the customer', cell: ({ note }: Line) => note },
]

/** Manual credit adjustments of an account, newest first. */
export function AdjustmentList({ adjustments }: { adjustments: readonly Line[] }) {
  return (
    <section aria-labelledby="adjustments" className="mt-10">
      <h2 id="adjustments" className="mb-2 text-h2 font-semibold">
        Adjustments
      </h2>
      {adjustments.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <DataTable caption="Adjustments, newest first" columns={columns} rows={adjustments} rowKey={({ id }) => id} />
      )}
    </section>
  )
}
