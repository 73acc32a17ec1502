import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Notice } from '#components/ui/notice.tsx'
import { AdminSection } from '../section.tsx'

type RowChange = {
  readonly change: string
  readonly key: string
  readonly fields: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}
type RateMove = { readonly sourceKey: string; readonly accountName: string; readonly fromBp: number; readonly toBp: number }

export type ShownPreview = {
  readonly rows: number
  readonly counts: Readonly<Record<'added' | 'changed' | 'restored' | 'withdrawn' | 'checked', number>>
  readonly changes: readonly RowChange[]
  readonly rateMoves: readonly RateMove[]
  readonly reasons: readonly string[]
}

export type ShownFaults = {
  readonly count: number
  readonly lines: readonly { readonly line: number; readonly field: string | null; readonly problem: string }[]
}

const percent = (bp: number) => `${(bp / 100).toFixed(2)}%`
const format = (value: unknown) => (value === null || value === undefined ? 'none' : String(value))
const movedBy = ({ fromBp, toBp }: RateMove) => `${toBp < fromBp ? '−' : '+'}${(Math.abs(toBp - fromBp) / 100).toFixed(2)}`
const changeLabels: Readonly<Record<string, string>> = {
  added: 'Added',
  changed: 'Changed',
  restored: 'Restored',
  withdrawn: 'Withdrawn',
  checked: 'URL checked',
}

const formatFields = (fields: RowChange['fields']) => fields.map(({ field, from, to }) => `${field} ${format(from)} → ${format(to)}`).join(', ')

/** Describes how many rows an import would add, change and withdraw. */
export function describeCounts({ counts }: ShownPreview): string {
  const parts = [
    [counts.withdrawn, 'withdraw'],
    [counts.changed, 'change'],
    [counts.added, 'add'],
    [counts.restored, 'restore'],
  ] as const
  const effects = parts.filter(([count]) => count > 0).map(([count, verb]) => `${verb} ${number(count)}`)
  return effects.length === 0 ? 'change nothing' : effects.join(', ')
}

function RateMoves({ moves }: { moves: readonly RateMove[] }) {
  if (moves.length === 0) return null
  return (
    <AdminSection id="rate-moves" title="Largest rate changes">
      <DataTable
        caption="Largest rate changes"
        rows={moves}
        rowKey={({ sourceKey }) => sourceKey}
        columns={[
          {
            name: 'Product',
            isHead: true,
            cell: ({ sourceKey, accountName }) => (
              <a className="prose-link" href={`/admin/products/${sourceKey}`}>
                {accountName}
                <span className="block font-mono text-note font-normal wrap-anywhere">{sourceKey}</span>
              </a>
            ),
          },
          { name: 'Before', isNumber: true, cell: ({ fromBp }) => percent(fromBp) },
          { name: 'After', isNumber: true, cell: ({ toBp }) => percent(toBp) },
          { name: 'Change', isNumber: true, cell: movedBy },
        ]}
      />
    </AdminSection>
  )
}

function Changes({ changes }: { changes: readonly RowChange[] }) {
  if (changes.length === 0) return null
  return (
    <AdminSection id="changes" title="Changes">
      <p className="mb-3 text-note text-ink-2">First rows of each kind of change.</p>
      <DataTable
        caption="First rows of each kind of change"
        rows={changes}
        rowKey={({ change, key }) => `${change} ${key}`}
        columns={[
          { name: 'Row', isHead: true, cell: ({ key }) => <span className="font-mono wrap-anywhere sm:inline-block sm:min-w-56">{key}</span> },
          { name: 'Change', cell: ({ change }) => changeLabels[change] ?? change },
          { name: 'Fields', cell: ({ fields }) => <span className="wrap-anywhere">{formatFields(fields)}</span> },
        ]}
      />
    </AdminSection>
  )
}

/** Effects of a quarantined import, and the reasons for the quarantine. */
export function HeldPreview({ fetchedAt, preview }: { fetchedAt: Date; preview: ShownPreview }) {
  return (
    <>
      <div className="mt-6">
        <Notice tone="caution" title="This import is quarantined">
          <p>
            Fetched on <Time at={fetchedAt} isStop /> with {number(preview.rows)} rows. It would {describeCounts(preview)}. Nothing has been imported.
          </p>
          <ul className="mt-2 list-disc pl-5">
            {preview.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Notice>
      </div>
      <RateMoves moves={preview.rateMoves} />
      <Changes changes={preview.changes} />
    </>
  )
}

/** Lines with errors in a rejected feed, which can't be published. */
export function RejectedRows({ fetchedAt, faults }: { fetchedAt: Date; faults: ShownFaults }) {
  return (
    <AdminSection id="rejected" title="Rejected rows">
      <p className="mb-3 max-w-prose text-pretty">
        The feed fetched on <Time at={fetchedAt} isStop /> has {number(faults.count)} {faults.count === 1 ? 'line' : 'lines'} with errors. Nothing was imported,
        and it can’t be published. The supplier has to correct it.
      </p>
      <DataTable
        caption="Rejected rows"
        rows={faults.lines.map((line, index) => ({ ...line, id: String(index) }))}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Line', isHead: true, cell: ({ line }) => number(line) },
          { name: 'Field', cell: ({ field }) => field ?? 'Entire line' },
          { name: 'Problem', cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span> },
        ]}
      />
    </AdminSection>
  )
}
