'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { AsidePanel, Columns } from '#components/ui/columns.tsx'
import type { AlertChange } from '#server/api/contract/market-alerts.ts'
import { Fact } from '../fact.tsx'
import { AlertActions, DeleteAlert } from './alert-forms.tsx'
import { AlertStateTag, ChangeName, changedRates, deliveryText, watchedText } from './alert-labels.tsx'

type Notification = {
  readonly id: string
  readonly at: Date
  readonly changes: readonly AlertChange[]
  readonly changeCount: number
  readonly emailDueAt: Date | null
  readonly emailedAt: Date | null
}

function EmailState({ emailDueAt, emailedAt }: Notification) {
  if (emailedAt !== null)
    return (
      <>
        Emailed <Time at={emailedAt} />
      </>
    )
  if (emailDueAt === null) return <>Not emailed</>
  return (
    <>
      Email due <Time at={emailDueAt} />
    </>
  )
}

function NotificationItem({ notification }: { notification: Notification }) {
  const { at, changes, changeCount } = notification
  const rest = changeCount - changes.length
  return (
    <li className="py-4">
      <h3 className="font-medium">
        {changeCount} {changeCount === 1 ? 'change' : 'changes'}, <Time at={at} />
      </h3>
      <p className="text-note text-ink-2">
        <EmailState {...notification} />
      </p>
      <ul className="mt-2 flex flex-col gap-1">
        {changes.map((change) => (
          <li key={`${change.change} ${change.sourceKey}`} className="flex flex-wrap items-baseline justify-between gap-x-6">
            <span className="min-w-0 wrap-anywhere">
              <ChangeName change={change} />
            </span>{' '}
            <span className="ml-auto tabular-nums">{changedRates(change)}</span>
          </li>
        ))}
      </ul>
      {rest === 0 ? null : <p className="mt-1 text-ink-2">And {rest} more.</p>}
    </li>
  )
}

function History({ notifications }: { notifications: readonly Notification[] }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="text-h2 font-semibold">
        Changes found
      </h2>
      {notifications.length === 0 ? (
        <p className="mt-1 text-ink-2">No changes yet. We check each time the market changes, usually every morning.</p>
      ) : (
        <ul className="mt-2 divide-y divide-line border-y border-line">
          {notifications.map((notification) => (
            <NotificationItem key={notification.id} notification={notification} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Details of an alert, with the changes found. */
export function AlertDetail({ id }: { id: string }) {
  const { data: alert } = useSuspenseQuery(useTRPC().alerts.read.queryOptions({ id }))
  return (
    <>
      <BackLink href="/portal/alerts" name="Alerts" />
      <div className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-4">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{alert.name}</h1>
        <AlertStateTag isPaused={alert.isPaused} />
        <div className="flex flex-wrap items-start gap-3 sm:ml-auto">
          <AlertActions id={id} />
          <ChangeLink kind="second" size="compact" href={`/portal/alerts/${id}/edit`}>
            Edit
          </ChangeLink>
        </div>
      </div>
      <Columns
        aside={
          <>
            <AsidePanel id="details" title="Details">
              <dl>
                <Fact isStacked name="Tracks">
                  {watchedText(alert)}
                </Fact>
                <Fact isStacked name="Delivery">
                  {deliveryText(alert)}
                </Fact>
                <Fact isStacked name="Email recipient">
                  {alert.owner}
                </Fact>
                <Fact isStacked name="Created">
                  <Time at={alert.createdAt} isStop />
                </Fact>
              </dl>
            </AsidePanel>
            <DeleteAlert id={id} name={alert.name} />
          </>
        }
      >
        <History notifications={alert.notifications} />
      </Columns>
    </>
  )
}
