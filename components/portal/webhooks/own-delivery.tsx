'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { HiddenField } from '#components/forms/field.tsx'
import { FormDone, SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { DeliveryInFull } from './delivery-detail.tsx'
import { liveEveryMs } from './webhook-labels.tsx'

/** Form that redelivers one event. */
function RedeliverForm({ endpoint, delivery, canGoAgain }: { endpoint: string; delivery: string; canGoAgain: boolean }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <div className="mt-6">
      <MutationForm
        mutation={trpc.webhooks.redeliver.mutationOptions()}
        name="redeliver"
        onDone={async () => {
          await client.invalidateQueries(trpc.webhooks.pathFilter())
          return 'Redelivering now.'
        }}
      >
        <HiddenField name="id" value={endpoint} />
        <HiddenField name="delivery" value={delivery} />
        {canGoAgain ? <SubmitButton kind="second">Redeliver</SubmitButton> : <FormDone />}
      </MutationForm>
    </div>
  )
}

/** Delivery as shown to the account owner. Updates while another attempt is due. */
export function OwnDelivery({ id }: { id: string }) {
  const query = useTRPC().webhooks.delivery.queryOptions({ id }, { refetchInterval: (query) => (query.state.data?.state === 'waiting' ? liveEveryMs : false) })
  const { data: delivery } = useSuspenseQuery(query)
  const { endpoint, state } = delivery
  const labels = {
    back: { href: `/portal/webhooks/${endpoint}`, label: 'Endpoint' },
    accountEvent: 'Free: account event',
    owed: 'Not charged yet: your balance or monthly cap is too low. Top up or raise the cap',
    responseTitle: 'Response from your server',
  }
  return (
    <DeliveryInFull delivery={delivery} labels={labels}>
      <RedeliverForm endpoint={endpoint} delivery={id} canGoAgain={state === 'delivered' || state === 'dead'} />
    </DeliveryInFull>
  )
}
