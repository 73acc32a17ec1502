import { DataTable } from '#components/data/data-table.tsx'
import { deliveryColumns, type ShownDelivery } from '#components/portal/webhooks/delivery-columns.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { type FailureView, failureHref } from './failure-view.ts'

type Props = { endpoint: string; view: FailureView; deliveries: readonly ShownDelivery[]; next: string | null }

/** Failed deliveries of an endpoint, oldest first. */
export function FailedDeliveries({ endpoint, view, deliveries, next }: Props) {
  const path = `/admin/deliveries/${endpoint}`
  if (deliveries.length === 0) return <p>No deliveries match.</p>
  return (
    <>
      <DataTable caption="Deliveries, oldest first" rows={deliveries} rowKey={({ id }) => id} columns={deliveryColumns(path)} />
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink kind="second" href={failureHref(path, view, next)}>
            Later deliveries
          </ButtonLink>
        </p>
      )}
    </>
  )
}
