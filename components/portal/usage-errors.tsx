'use client'

import { useQuery } from '@tanstack/react-query'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { number } from './amounts.ts'
import { ModeTag } from './key-table.tsx'
import { anyRequest, requestsHref } from './request-view.ts'
import { reportInput, type UsageView } from './usage-view.ts'

/** Loads the failed calls by key and error code. */
function useErrors(view: UsageView) {
  const { by: _by, ...input } = reportInput(view)
  return useQuery(useTRPC().usage.errors.queryOptions(input))
}

type Group = NonNullable<ReturnType<typeof useErrors>['data']>['groups'][number]

/** Link to the requests of a group. Requests are filtered by status, because their list has no filter for error codes. */
const toRequests = ({ key, status }: Group, from: Date, to: string): string =>
  requestsHref({ ...anyRequest, key: key.id, status: status === null ? 'failed' : String(status), from: from.toISOString().slice(0, 10), to: to.slice(0, 10) })

/** Error code with what to do about it. */
function Reason({ group: { code, message } }: { group: Group }) {
  if (code === null) return 'No error code'
  return (
    <>
      <a className="prose-link" href={`/docs/errors/${code}`}>
        <code className="font-mono">{code}</code>
      </a>
      <span className="block font-normal text-pretty text-ink-2">{message}</span>
    </>
  )
}

/** Failed calls by key and error code, with what to do about each. Loaded after the page, and not shown if there are none. */
export function UsageErrors({ view }: { view: UsageView }) {
  const { data } = useErrors(view)
  if (data === undefined || data.groups.length === 0) return null
  const { groups, from, isComplete } = data
  const hasAll = isComplete && from.toISOString().slice(0, 10) <= view.from.slice(0, 10)
  return (
    <section aria-labelledby="errors-title" id="errors" className="mt-10">
      <h2 id="errors-title" className="text-h2 font-semibold">
        Why calls fail
      </h2>
      <p className="mt-1 mb-2 text-note text-ink-2">
        Failed calls are free.
        {hasAll ? null : isComplete ? ' Based on the last seven days of this period.' : ' Based on the latest 2,000 failed calls.'}
      </p>
      <DataTable
        caption="Failed calls by error and key"
        rows={groups}
        rowKey={({ code, key }) => `${code} ${key.id}`}
        columns={[
          { name: 'Error', isHead: true, cell: (group) => <Reason group={group} /> },
          {
            name: 'Key',
            cell: ({ key }) => (
              <>
                <a className="prose-link" href={`/portal/keys/${key.id}`}>
                  {key.name}
                </a>{' '}
                <ModeTag mode={key.mode} />
              </>
            ),
          },
          {
            name: 'Calls',
            isNumber: true,
            cell: (group) => (
              <a className="prose-link" href={toRequests(group, from, view.to)}>
                {number(group.calls)}
              </a>
            ),
          },
          { name: 'Last', cell: ({ last }) => <Time at={last} look="minute" /> },
        ]}
      />
    </section>
  )
}
