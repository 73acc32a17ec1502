import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { credits } from '#components/portal/amounts.ts'
import { HttpStatus } from '#components/portal/http-status.tsx'
import { ModeTag } from '#components/portal/key-table.tsx'
import type { ShownRequest } from '#components/portal/request-table.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { accountHref } from './section.tsx'

/** Calls of an account, newest first, with links to their details. */
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
