'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import type { AppRouter } from '#server/trpc/root.ts'
import { AlertStateTag, ChangeName, changedRates, deliveryText, watchedText } from './alert-labels.tsx'

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

type Recent = inferRouterOutputs<AppRouter>['alerts']['list']['recent']

/** Latest changes found by the account's alerts, newest first. */
function RecentChanges({ recent }: { recent: Recent }) {
  return (
    <section aria-labelledby="recent" className="mt-10">
      <h2 id="recent" className="text-h2 font-semibold">
        Recent changes
      </h2>
      {recent.length === 0 ? (
        <p className="mt-1 text-ink-2">None yet. We compare the market each time it changes, usually every morning.</p>
      ) : (
        <ul className="mt-2 divide-y divide-line border-y border-line">
          {recent.map(({ id, at, alert, change, changeCount }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5">
              <span className="min-w-0 wrap-anywhere">
                <span className="block">
                  {change === null ? <span className="font-semibold">{changeCount} changes</span> : <ChangeName change={change} />}
                  {changeCount > 1 && change !== null ? <span className="text-note text-ink-2"> and {changeCount - 1} more</span> : null}
                </span>
                <a className="prose-link text-note" href={`/portal/alerts/${alert.id}`}>
                  {alert.name}
                </a>
              </span>
              <span className="ml-auto text-right">
                {change === null ? null : <span className="block tabular-nums">{changedRates(change)}</span>}
                <span className="block text-note text-ink-2">
                  <Time at={at} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Alerts of an account. */
export function Alerts({ examples }: { examples: readonly Example[] }) {
  const { alerts, recent, max } = useSuspenseQuery(useTRPC().alerts.list.queryOptions()).data
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
              cell: (alert) => (
                <span className="block min-w-0 wrap-anywhere">
                  <a className="prose-link" href={`/portal/alerts/${alert.id}`}>
                    {alert.name}
                  </a>
                  <span className="block text-note font-normal text-ink-2">{watchedText(alert)}</span>
                </span>
              ),
            },
            { name: 'Delivery', cell: (alert) => deliveryText(alert) },
            { name: 'Email recipient', cell: ({ owner }) => owner },
            { name: 'State', isBeside: true, cell: ({ isPaused }) => <AlertStateTag isPaused={isPaused} /> },
            {
              name: 'Last change found',
              cell: ({ lastNotifiedAt }) => (lastNotifiedAt === null ? 'None yet' : <Time at={lastNotifiedAt}>{ago(lastNotifiedAt, new Date())}</Time>),
            },
          ]}
        />
      )}
      <p className="mt-4 text-note text-ink-2">
        {alerts.length} of {max} alerts used.{' '}
        <a className="prose-link" href="/docs/alerts">
          How alerts work
        </a>
      </p>
      {alerts.length === 0 ? null : <RecentChanges recent={recent} />}
    </>
  )
}
