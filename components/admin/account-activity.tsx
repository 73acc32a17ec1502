import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { credits } from '#components/portal/amounts.ts'
import { ModeTag } from '#components/portal/key-table.tsx'
import type { ShownRequest } from '#components/portal/request-table.tsx'
import { HttpStatus } from '#components/portal/request-table.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { accountHref } from './section.tsx'

/** An account's calls, newest first, with links to their details. */
export function CallTable({ caption, account, calls }: { caption: string; account: string; calls: readonly ShownRequest[] }) {
  return (
    <DataTable
      caption={caption}
      rows={calls}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Call',
          isHead: true,
          cell: ({ id, method, target, endpoint }) => (
            <a className="prose-link font-normal" href={accountHref(account, `/requests/${id}`)}>
              <Path text={target === null ? endpoint.name : `${method} ${target}`} />
            </a>
          ),
        },
        { name: 'When', cell: ({ at }) => <Time at={at} look="second" /> },
        { name: 'Status', isBeside: true, cell: ({ status, error }) => <HttpStatus status={status} error={error} /> },
        {
          name: 'Key',
          cell: ({ key }) => (
            <span>
              {key.name} <ModeTag mode={key.mode} />
            </span>
          ),
        },
        { name: 'Charged', isNumber: true, cell: ({ charge }) => credits(charge.credits) },
      ]}
    />
  )
}

export type HistoryLine = {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly admin: string | null
  readonly action: string
  readonly subject: string | null
  readonly before: unknown
  readonly after: unknown
  readonly address: string | null
  readonly reason: string | null
}

/** Formats an audit log value, such as `plan: hobby`. */
function format(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
    .join(', ')
}

function Change({ before, after }: Pick<HistoryLine, 'before' | 'after'>) {
  const [from, to] = [format(before), format(after)]
  return <span className="wrap-anywhere">{from === '' || to === '' ? `${from}${to}` : `${from} → ${to}`}</span>
}

function What({ action, subject }: Pick<HistoryLine, 'action' | 'subject'>) {
  return (
    <span>
      {action}
      {subject === null ? null : <span className="block text-note wrap-anywhere text-ink-2">{subject}</span>}
    </span>
  )
}

/** Changes to an account, newest first, each with its actor and reason. */
export function AccountHistory({ lines, older }: { lines: readonly HistoryLine[]; older: string | null }) {
  if (lines.length === 0) return <p>No changes yet.</p>
  return (
    <>
      <DataTable
        caption="Changes, newest first"
        rows={lines}
        rowKey={({ id }) => id}
        columns={[
          { name: 'When', isHead: true, cell: ({ at }) => <Time at={at} look="second" /> },
          { name: 'What', cell: (line) => <What {...line} /> },
          { name: 'Change', cell: (line) => <Change {...line} /> },
          {
            name: 'Who',
            cell: ({ actor, admin, address }) => <span className="wrap-anywhere">{`${admin ?? actor}${address === null ? '' : ` from ${address}`}`}</span>,
          },
          { name: 'Why', cell: ({ reason }) => <span className="wrap-anywhere">{reason ?? ''}</span> },
        ]}
      />
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
