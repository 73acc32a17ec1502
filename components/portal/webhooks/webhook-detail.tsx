'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { AsidePanel } from '#components/ui/columns.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { credits } from '../amounts.ts'
import { Fact } from '../fact.tsx'
import { type FailedAttempt, failureText } from './failure-text.ts'
import { liveEveryMs, percentagePoints, WebhookTags, waitingCount } from './webhook-labels.tsx'
import type { ListedWebhook } from './webhook-list.tsx'

export type ShownWebhook = ListedWebhook & {
  readonly providers: readonly string[]
  readonly accountTypes: readonly string[]
  readonly minChangeBp: number | null
  readonly stateReason: 'gone' | 'failures' | null
  readonly createdAt: Date
  readonly failingSince: Date | null
  readonly oldSecretEndsAt: Date | null
  /** Time at which the URL was changed, if nothing has been delivered to the new URL yet; otherwise null. */
  readonly undeliveredUrlSince: Date | null
  readonly lastFailure: (FailedAttempt & { readonly at: Date }) | null
  readonly shortage: { readonly isCapped: boolean; readonly missingCredits: number } | null
}

type NoticeProps = { webhook: ShownWebhook; creditsPerEvent: number }

/** Explains why events are waiting: the monthly cap is reached, or the account has too few credits. */
function HeldNotice({ webhook: { waiting, shortage }, creditsPerEvent }: NoticeProps) {
  const waitingText = `${waitingCount(waiting)} ${waiting === 1 ? 'event is' : 'events are'} waiting.`
  if (shortage?.isCapped)
    return (
      <Notice tone="caution">
        {waitingText} You've reached your monthly cap. We'll send the events in order when the month ends (UTC) or you raise the cap.{' '}
        <a className="prose-link" href="/portal/billing/alerts#cap">
          Change the cap
        </a>
      </Notice>
    )
  return (
    <Notice tone="caution">
      {waitingText} Top up {credits(shortage?.missingCredits ?? creditsPerEvent)} to send all of them in order.{' '}
      <a className="prose-link" href="/portal/billing/top-up">
        Top up
      </a>
    </Notice>
  )
}

/** Explains the most recent failure in plain words. */
function Failure({ lastFailure }: Pick<ShownWebhook, 'lastFailure'>) {
  if (lastFailure === null) return null
  const { at, status } = lastFailure
  return (
    <p>
      Last attempt <Time at={at} isStop />
      {status === null ? ': ' : `, status ${status}: `}
      {failureText(lastFailure)}
    </p>
  )
}

/** Notice that nothing has been delivered to a new URL yet. */
function NewUrlNotice({ webhook: { failingSince, lastFailure }, changedAt }: { webhook: ShownWebhook; changedAt: Date }) {
  return (
    <Notice tone={failingSince === null ? 'info' : 'caution'}>
      <p>
        Nothing has been delivered to the new URL yet. The URL was changed on <Time at={changedAt} isStop />{' '}
        {failingSince === null ? 'Send a test event to check it.' : "We'll keep retrying."}
      </p>
      {failingSince === null ? null : <Failure lastFailure={lastFailure} />}
    </Notice>
  )
}

function StateNotice({ webhook, creditsPerEvent }: NoticeProps) {
  const { state, stateReason, failingSince, undeliveredUrlSince } = webhook
  if (state === 'held') return <HeldNotice webhook={webhook} creditsPerEvent={creditsPerEvent} />
  if (state === 'disabled')
    return (
      <Notice tone="danger">
        <p>
          {stateReason === 'gone'
            ? 'Your server returned 410 Gone, so we disabled this endpoint.'
            : 'No delivery succeeded for five days, so we disabled this endpoint.'}{' '}
          We aren't queuing new events for it.{' '}
          {undeliveredUrlSince === null ? 'Fix the cause, then resume the endpoint.' : 'Nothing has been delivered to the new URL yet. Resume the endpoint.'}
        </p>
        {stateReason === 'gone' ? null : <Failure {...webhook} />}
      </Notice>
    )
  if (undeliveredUrlSince !== null) return <NewUrlNotice webhook={webhook} changedAt={undeliveredUrlSince} />
  if (failingSince !== null)
    return (
      <Notice tone="caution">
        <p>
          No delivery has succeeded since <Time at={failingSince} isStop />. We'll keep retrying.
        </p>
        <Failure {...webhook} />
      </Notice>
    )
  return null
}

/** Name, state and problems of an endpoint. `actions` is shown next to the name. */
export function WebhookHead({ id, creditsPerEvent, actions }: { id: string; creditsPerEvent: number; actions: ReactNode }) {
  const { data: webhook } = useSuspenseQuery(useTRPC().webhooks.read.queryOptions({ id }, { refetchInterval: liveEveryMs }))
  const { url, description, mode, state } = webhook
  return (
    <>
      <BackLink href="/portal/webhooks" name="Webhooks" />
      <div className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-4">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{description === '' ? new URL(url).host : description}</h1>
        <WebhookTags state={state} mode={mode} />
        {actions}
      </div>
      <div className="mb-6 empty:hidden">
        <StateNotice webhook={webhook} creditsPerEvent={creditsPerEvent} />
      </div>
    </>
  )
}

/** Details of an endpoint, without its secret. */
export function WebhookDetails({ id }: { id: string }) {
  const { data: webhook } = useSuspenseQuery(useTRPC().webhooks.read.queryOptions({ id }, { refetchInterval: liveEveryMs }))
  const { url, types, providers, accountTypes, minChangeBp, createdAt, oldSecretEndsAt } = webhook
  return (
    <AsidePanel id="details" title="Details">
      <dl>
        <Fact isStacked name="URL">
          <code className="font-mono text-note">{url}</code>
        </Fact>
        <Fact isStacked name="Events">
          <code className="font-mono text-note">{types.join(', ')}</code>
        </Fact>
        <Fact isStacked name="Providers">
          {providers.length === 0 ? 'All providers' : providers.join(', ')}
        </Fact>
        <Fact isStacked name="Account types">
          {accountTypes.length === 0 ? 'All account types' : accountTypes.join(', ')}
        </Fact>
        <Fact isStacked name="Rate changes">
          {minChangeBp === null ? 'All changes' : `${percentagePoints(minChangeBp)} percentage points or more`}
        </Fact>
        {oldSecretEndsAt === null ? null : (
          <Fact isStacked name="Old secret">
            Valid until <Time at={oldSecretEndsAt} isStop />
          </Fact>
        )}
        <Fact isStacked name="Created">
          <Time at={createdAt} isStop />
        </Fact>
      </dl>
    </AsidePanel>
  )
}

/** Link to the form that changes an endpoint. */
export const EditLink = ({ id }: { id: string }) => (
  <ChangeLink kind="second" size="compact" href={`/portal/webhooks/${id}/edit`}>
    Edit
  </ChangeLink>
)
