'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { credits } from '#components/portal/amounts.ts'
import { LedgerTable, type LinePlaces } from '#components/portal/billing/ledger.tsx'
import { ModeTag } from '#components/portal/key-table.tsx'
import { RequestDetail, type RequestPlaces } from '#components/portal/request-detail.tsx'
import { HttpStatus } from '#components/portal/request-table.tsx'
import { getCurl } from '#components/portal/snippets.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { AdminTable } from './kit/admin-table.tsx'
import { accountHref, CellLink, Heading, NextPage, type Outputs } from './kit/layout.tsx'
import { rowsPerPage } from './views.ts'

type Call = Outputs['accounts']['requests']['requests'][number]
type CallTableProps = { caption: string; account: string; calls: readonly Call[]; empty: string; next?: string | null }

/** An account's calls, newest first, with links to their details. */
export function CallTable({ caption, account, calls, empty, next = null }: CallTableProps) {
  return (
    <AdminTable
      caption={caption}
      rows={calls}
      rowKey={({ id }) => id}
      empty={empty}
      next={{ href: next, name: 'Older calls' }}
      columns={[
        {
          name: 'Call',
          isHead: true,
          cell: ({ id, method, target, endpoint }) => (
            <CellLink href={accountHref(account, `/requests/${id}`)}>
              <Path text={target === null ? endpoint.name : `${method} ${target}`} />
            </CellLink>
          ),
        },
        { name: 'When', cell: ({ at }) => <Time at={at} look="row" /> },
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

/** Returns the admin URLs linked from the lines of an account's ledger. */
export const linePlaces = (account: string): LinePlaces => ({ request: (id) => accountHref(account, `/requests/${id}`), topUp: () => null })

/** Returns the admin URLs linked from the details of a call. */
const requestPlaces = (account: string): RequestPlaces => ({
  requests: accountHref(account, '/requests'),
  ledger: accountHref(account, '/ledger'),
  key: () => null,
  line: (request) => accountHref(account, `/ledger?request=${request}#${request}`),
})

/** Heading of a page about an account, with a link to the account. */
export function AccountHeading({ account, title }: { account: string; title: string }) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.read.queryOptions({ account }))
  return <Heading title={title} back={{ href: accountHref(account), name: data.email }} />
}

export function AccountLedger({ account, cursor, request }: { account: string; cursor: string | null; request: string | null }) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.ledger.queryOptions({ account, cursor, request, limit: rowsPerPage }))
  const isNewest = cursor === null && request === null
  return (
    <>
      <AccountHeading account={account} title="Ledger" />
      {data.lines.length === 0 ? (
        <p>No transactions yet.</p>
      ) : (
        <LedgerTable caption="Ledger entries" lines={data.lines} isNewest={isNewest} marked={request} places={linePlaces(account)} />
      )}
      <NextPage href={data.nextCursor === null ? null : accountHref(account, `/ledger?cursor=${data.nextCursor}`)}>Older entries</NextPage>
    </>
  )
}

export function AccountCalls({ account, isFailed, before }: { account: string; isFailed: boolean; before: string | null }) {
  const { data } = useSuspenseQuery(useTRPC().admin.accounts.requests.queryOptions({ account, isFailed, before, limit: rowsPerPage }))
  const title = isFailed ? 'Rejected and failed calls' : 'Calls'
  const all = accountHref(account, '/requests')
  return (
    <>
      <AccountHeading account={account} title={title} />
      <p className="mb-4">
        <a className="prose-link" href={isFailed ? all : `${all}?failed=yes`}>
          {isFailed ? 'Show all calls' : 'Show rejected (4xx) and failed (5xx) calls only'}
        </a>
      </p>
      <CallTable
        caption="Calls, newest first"
        account={account}
        calls={data.requests}
        empty={`No ${isFailed ? 'rejected or failed calls' : 'calls'} in the last 30 days.`}
        next={data.older === null ? null : `${all}?before=${data.older}${isFailed ? '&failed=yes' : ''}`}
      />
    </>
  )
}

/** Details of a call, with a link to its account. */
export function AccountCall({ account, id, apiUrl }: { account: string; id: string; apiUrl: string }) {
  const { accounts } = useTRPC().admin
  const { data: request } = useSuspenseQuery(accounts.request.queryOptions({ account, id }))
  const { data } = useSuspenseQuery(accounts.read.queryOptions({ account }))
  return (
    <div className="max-w-200">
      <BackLink href={accountHref(account)} name={data.email} />
      <RequestDetail request={request} curl={getCurl(request, apiUrl)} places={requestPlaces(account)} />
    </div>
  )
}
