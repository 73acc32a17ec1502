import type { ReactNode } from 'react'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Difference } from './difference.tsx'

type Line = {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string | null
  readonly before: unknown
  readonly after: unknown
  readonly account: string | null
  readonly admin: string | null
  readonly reason: string | null
  readonly address: string | null
}

function About({ account }: { account: string | null }): ReactNode {
  if (account === null) return 'None'
  return (
    <a className="prose-link wrap-anywhere" href={`/admin/audit?account=${account}`}>
      {account}
    </a>
  )
}

const columns = [
  { name: 'When', cell: ({ at }: Line) => <Time at={at} look="second" />, isHead: true },
  {
    name: 'Who',
    cell: ({ actor, admin, address }: Line) => <span className="wrap-anywhere">{`${admin ?? actor}${address === null ? '' : ` from ${address}`}`}</span>,
  },
  {
    name: 'What',
    cell: ({ action, subject, before, after }: Line) => (
      <>
        <span className="wrap-anywhere">{subject === null ? action : `${action} ${subject}`}</span>
        <Difference before={before} after={after} />
      </>
    ),
  },
  { name: 'Account', cell: ({ account }: Line) => <About account={account} /> },
  { name: 'Why', cell: ({ reason }: Line) => (reason === null ? null : <span className="wrap-anywhere">{reason}</span>) },
]

/** Audit log entries with actor and reason, newest first. */
export function AuditTable({ lines, older, isFound }: { lines: readonly Line[]; older: string | null; isFound: boolean }) {
  if (lines.length === 0) return <p>{isFound ? 'No changes match.' : 'No changes yet.'}</p>
  return (
    <>
      <DataTable caption="Changes, newest first" columns={columns} rows={lines} rowKey={({ id }) => id} />
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
