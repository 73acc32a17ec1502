import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'

type Props = {
  readonly credits: number
  readonly netPence: number
  readonly vatPence: number
  readonly grossPence: number
  readonly vatPercent: number | null
  /** URL that the form posts to. */
  readonly action: string
  readonly isDeclined: boolean
}

function Row({ name, pence, isTotal = false }: { name: string; pence: number; isTotal?: boolean }) {
  return (
    <div className={`flex justify-between gap-6 py-2 ${isTotal ? 'border-t border-line-strong font-semibold' : ''}`}>
      <dt>{name}</dt>
      <dd className="tabular-nums">{pounds(pence)}</dd>
    </div>
  )
}

/** Page that replaces Stripe Checkout if Stripe is not configured. A notice at the top says so. */
export function SimulatedCheckout({ credits, netPence, vatPence, grossPence, vatPercent, action, isDeclined }: Props) {
  return (
    <>
      <h1 className="text-h1 font-semibold tracking-tight">Simulated checkout</h1>
      <div className="mt-6 grid gap-4">
        <Notice tone="caution" title="Simulated payment">
          <p>This service has no payment provider, so this page simulates checkout. No card is needed and you won't be charged.</p>
        </Notice>
        {isDeclined ? (
          <Notice tone="danger" title="Card declined">
            <p>You were not charged. Try again or go back.</p>
          </Notice>
        ) : null}
      </div>
      <dl className="mt-6">
        {vatPercent === null ? null : (
          <>
            <Row name={`${credits.toLocaleString('en-GB')} credits, net`} pence={netPence} />
            <Row name={`VAT at ${vatPercent}%`} pence={vatPence} />
          </>
        )}
        <Row name={vatPercent === null ? `${credits.toLocaleString('en-GB')} credits` : 'Total'} pence={grossPence} isTotal />
      </dl>
      <form method="post" action={action} className="mt-6 flex flex-wrap gap-3">
        <Button kind="primary" name="choice" value="pay">
          Simulate payment of {pounds(grossPence)}
        </Button>
        <Button kind="second" name="choice" value="decline">
          Simulate a declined card
        </Button>
        <Button kind="second" name="choice" value="leave">
          Cancel
        </Button>
      </form>
    </>
  )
}
