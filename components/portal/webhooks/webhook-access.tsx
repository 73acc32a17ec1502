'use client'

import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { FormDone, SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { toast } from '#components/ui/toast.tsx'
import { unacknowledged } from '#server/api/contract/webhooks.ts'
import { number } from '../amounts.ts'
import { RecentDeliveries } from './recent-deliveries.tsx'
import { liveEveryMs } from './webhook-labels.tsx'
import { WebhookList } from './webhook-list.tsx'

/** Asks the administrators to enable webhooks again, at most once a day. */
function AskForWebhooks({ askedAt, canAsk }: { askedAt: Date | null; canAsk: boolean }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <>
      <Notice tone="caution">
        We've disabled webhooks for your account. Your endpoints are kept, but nothing is sent or charged. Request access below and we'll review it.
      </Notice>
      {askedAt === null ? null : (
        <p className="mt-3 text-pretty">
          You requested webhooks on <Time at={askedAt} isStop />.{canAsk ? '' : ' You can send one request a day.'}
        </p>
      )}
      <div className="mt-4">
        <MutationForm
          mutation={trpc.webhooks.ask.mutationOptions()}
          name="ask"
          onDone={async () => {
            await client.invalidateQueries(trpc.webhooks.access.pathFilter())
            return "We've received your request."
          }}
        >
          {canAsk ? <SubmitButton>{askedAt === null ? 'Request webhooks' : 'Request again'}</SubmitButton> : <FormDone />}
        </MutationForm>
      </div>
    </>
  )
}

/** Price of webhooks and the button that enables them. Accounts that aren't approved yet see when they can enable them. */
function EnableWebhooks({ price, isApproved }: { price: string; isApproved: boolean }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <div className="rounded-panel border border-line bg-surface p-4 sm:p-5">
      <h2 className="text-h2 font-semibold">Get events at your own URL</h2>
      <p className="mt-1 text-pretty">We send an event to your server when a rate changes, a product is added or withdrawn, or your balance is low.</p>
      <p className="mt-3 border-y border-line py-3 text-pretty">{price} Enabling webhooks is free.</p>
      {isApproved ? (
        <div className="mt-4">
          <MutationForm
            mutation={trpc.webhooks.enable.mutationOptions()}
            name="enable"
            onDone={() => {
              toast('Webhooks enabled')
              return client.invalidateQueries(trpc.webhooks.pathFilter())
            }}
          >
            <SubmitButton>Enable webhooks</SubmitButton>
          </MutationForm>
        </div>
      ) : (
        <p className="mt-4 text-pretty text-ink-2">You can enable webhooks once your account is approved.</p>
      )}
    </div>
  )
}

/** Explains why new market events are on hold: receivers got too many events without acknowledging them. */
function UnacknowledgedNotice({ events }: { events: number }) {
  return (
    <div className="mb-6">
      <Notice tone="caution">
        New market events are paused, because your servers received {number(events)} events in the last {unacknowledged.days} days without returning 2xx. Fix
        your server, then redeliver the failed events. Each event that your server confirms with a 2xx releases one that's waiting.{' '}
        <a className="prose-link" href="/docs/webhooks#responses-and-retries">
          How the limit works
        </a>
      </Notice>
    </div>
  )
}

function Endpoints({ price }: { price: string }) {
  const { data: webhooks } = useQuery(useTRPC().webhooks.list.queryOptions(undefined, { refetchInterval: liveEveryMs }))
  return (
    <>
      {webhooks?.length === 0 ? (
        <p className="rounded-panel border border-line bg-surface p-4 text-ink-2 sm:p-5">No endpoints yet. Add one to receive events at your own URL.</p>
      ) : null}
      {webhooks === undefined || webhooks.length === 0 ? null : <WebhookList webhooks={webhooks} />}
      <p className="mt-4 text-note text-ink-2">
        {price}{' '}
        <a className="prose-link" href="/docs/webhooks">
          How to receive events
        </a>
      </p>
      {webhooks === undefined || webhooks.length === 0 ? null : <RecentDeliveries webhooks={webhooks} />}
    </>
  )
}

type Props = {
  /** Price of an event as text. */
  price: string
  isApproved: boolean
}

/** Webhooks of an account: its endpoints, or the way to enable webhooks. */
export function Webhooks({ price, isApproved }: Props) {
  const { data: access } = useSuspenseQuery(useTRPC().webhooks.access.queryOptions())
  return (
    <>
      <PageHead title="Webhooks">
        {access.isOn ? (
          <ChangeLink kind="primary" size="compact" href="/portal/webhooks/new">
            Add endpoint
          </ChangeLink>
        ) : null}
      </PageHead>
      {access.unacknowledged === null ? null : <UnacknowledgedNotice {...access.unacknowledged} />}
      {access.isOn ? <Endpoints price={price} /> : null}
      {access.isBlocked ? <AskForWebhooks {...access} /> : null}
      {access.isOn || access.isBlocked ? null : <EnableWebhooks price={price} isApproved={isApproved} />}
      {access.isOn ? null : (
        <p className="mt-3 text-note">
          <a className="prose-link" href="/docs/webhooks">
            How to receive events
          </a>
        </p>
      )}
    </>
  )
}
