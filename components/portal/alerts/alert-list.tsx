'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { AlertStateTag, deliveryText, watchedText } from './alert-labels.tsx'

export type Example = { readonly id: string; readonly name: string; readonly text: string }

/** Shown to an account without alerts: examples to start from. The link of an example covers its row. */
function Examples({ examples }: { examples: readonly Example[] }) {
  return (
    <div className="rounded-panel border border-line bg-surface p-4 sm:p-5">
      <h2 className="text-h2 font-semibold">Get notified when the market changes</h2>
      <p className="mt-1 text-pretty">We email you or call your server. Alerts are free. Start from an example:</p>
      <ul className="mt-4 flex flex-col divide-y divide-line border-y border-line">
        {examples.map(({ id, name, text }) => (
          <li key={id} className="relative flex flex-wrap items-center justify-between gap-3 px-2 py-3 hover:bg-hover [&_a]:after:absolute [&_a]:after:inset-0">
            <span className="min-w-0">
              <span className="block font-medium">{name}</span>
              <span className="block text-note text-ink-2">{text}</span>
            </span>
            <ChangeLink kind="second" size="compact" href={`/portal/alerts/new?example=${id}`} aria-label={`Use example ${name}`}>
              Use example
            </ChangeLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Alerts of an account. */
export function Alerts({ examples }: { examples: readonly Example[] }) {
  const { alerts, max } = useSuspenseQuery(useTRPC().alerts.list.queryOptions()).data
  return (
    <>
      <PageHead title="Alerts">
        {alerts.length >= max ? null : (
          <ChangeLink kind="primary" size="compact" href="/portal/alerts/new">
            Create alert
          </ChangeLink>
        )}
      </PageHead>
      {alerts.length === 0 ? (
        <Examples examples={examples} />
      ) : (
        <DataTable
          caption="Alerts"
          rows={alerts}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Alert',
              isHead: true,
              cell: ({ id, name }) => (
                <a className="prose-link wrap-anywhere" href={`/portal/alerts/${id}`}>
                  {name}
                </a>
              ),
            },
            { name: 'Watches', cell: (alert) => <span className="wrap-anywhere">{watchedText(alert)}</span> },
            { name: 'Delivery', cell: (alert) => deliveryText(alert) },
            { name: 'Emails go to', cell: ({ owner }) => owner },
            { name: 'State', isBeside: true, cell: ({ isPaused }) => <AlertStateTag isPaused={isPaused} /> },
            { name: 'Last found', cell: ({ lastNotifiedAt }) => (lastNotifiedAt === null ? 'Nothing yet' : <Time at={lastNotifiedAt} />) },
          ]}
        />
      )}
      <p className="mt-6 text-note text-ink-2">
        Your plan includes {max} alerts.{' '}
        <a className="prose-link" href="/docs/alerts">
          How alerts work
        </a>
      </p>
    </>
  )
}
