import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Notice } from '#components/ui/notice.tsx'
import { AdminSection } from '../admin-title.tsx'

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
const word = (value: unknown) => (value === null || value === undefined ? 'none' : String(value))
const movedBy = ({ fromBp, toBp }: RateMove) => `${toBp < fromBp ? '−' : '+'}${(Math.abs(toBp - fromBp) / 100).toFixed(2)}`
const changeWords: Readonly<Record<string, string>> = {
  added: 'Added',
  changed: 'Changed',
  restored: 'Back again',
  withdrawn: 'Withdrawn',
  checked: 'Address checked',
}

const fieldWords = (fields: RowChange['fields']) => fields.map(({ field, from, to }) => `${field} ${word(from)} → ${word(to)}`).join(', ')

/** How many rows a feed would add, change and withdraw. */
export function countsOf({ counts }: ShownPreview): string {
  const parts = [
    [counts.withdrawn, 'withdraw'],
    [counts.changed, 'change'],
    [counts.added, 'add'],
    [counts.restored, 'bring back'],
  ] as const
  const said = parts.filter(([many]) => many > 0).map(([many, act]) => `${act} ${number(many)}`)
  return said.length === 0 ? 'change nothing' : said.join(', ')
}

function RateMoves({ moves }: { moves: readonly RateMove[] }) {
  if (moves.length === 0) return null
  return (
    <AdminSection id="rate-moves" title="Biggest moves of rates">
      <DataTable
        caption="Biggest moves of rates"
        rows={moves}
        keyOf={({ sourceKey }) => sourceKey}
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
          { name: 'Moves by', isNumber: true, cell: movedBy },
        ]}
      />
    </AdminSection>
  )
}

function Changes({ changes }: { changes: readonly RowChange[] }) {
  if (changes.length === 0) return null
  return (
    <AdminSection id="changes" title="What it would change">
      <p className="mb-3 text-note text-ink-2">The first rows of each kind of change.</p>
      <DataTable
        caption="The first rows of each kind of change"
        rows={changes}
        keyOf={({ change, key }) => `${change} ${key}`}
        columns={[
          { name: 'Row', isHead: true, cell: ({ key }) => <span className="font-mono wrap-anywhere sm:inline-block sm:min-w-56">{key}</span> },
          { name: 'Change', cell: ({ change }) => changeWords[change] ?? change },
          { name: 'Fields', cell: ({ fields }) => <span className="wrap-anywhere">{fieldWords(fields)}</span> },
        ]}
      />
    </AdminSection>
  )
}

/** What a feed that was held back would change, and why somebody is to look at it. */
export function HeldPreview({ fetchedAt, preview }: { fetchedAt: Date; preview: ShownPreview }) {
  return (
    <>
      <div className="mt-6">
        <Notice tone="caution" title="This feed was held back">
          <p>
            It came on <Time at={fetchedAt} isStop /> with {number(preview.rows)} rows and would {countsOf(preview)}. The market is as it was.
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

/** The lines for which a feed was refused. It cannot be published. */
export function RejectedRows({ fetchedAt, faults }: { fetchedAt: Date; faults: ShownFaults }) {
  return (
    <AdminSection id="rejected" title="Rejected rows">
      <p className="mb-3 max-w-prose text-pretty">
        The feed that came on <Time at={fetchedAt} isStop /> has {number(faults.count)} faulty {faults.count === 1 ? 'line' : 'lines'}. Nothing of it was
        imported, and it cannot be published: whoever supplies it has to put it right.
      </p>
      <DataTable
        caption="Rejected rows"
        rows={faults.lines.map((line, index) => ({ ...line, id: String(index) }))}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Line', isHead: true, cell: ({ line }) => number(line) },
          { name: 'Field', cell: ({ field }) => field ?? 'The whole line' },
          { name: 'Problem', cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span> },
        ]}
      />
    </AdminSection>
  )
}
