import { CreditCard } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { CheckboxField } from '#components/forms/field.tsx'
import { cardName } from './auto-top-up.tsx'

export type PaymentCard = Parameters<typeof cardName>[0]

type Props = {
  isSimulated: boolean
  /** Card saved for automatic top-ups; null if there is none. */
  card: PaymentCard | null
  /** True to tick the box when the page opens. */
  startsSaving: boolean
}

/** Payment card and the option to save it, with an explanation. */
export function PaymentMethod({ isSimulated, card, startsSaving }: Props) {
  const savesCard = Boolean(useWatch({ name: 'savesCard', defaultValue: startsSaving }))
  const note = isSimulated ? 'No real payment' : card && `Saved: ${cardName(card)}`
  return (
    <section aria-labelledby="payment-method" className="flex flex-col gap-3">
      <h2 id="payment-method" className="text-h2 font-semibold">
        Payment method
      </h2>
      <p className="flex min-h-14 items-center gap-3 rounded-control border border-line px-4 py-1.5">
        <CreditCard aria-hidden="true" className="size-5 shrink-0 text-ink-2" />
        <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4">
          {isSimulated ? 'Simulated card' : 'Card (entered on Stripe’s page)'} {note === null ? null : <span className="text-note text-ink-2">{note}</span>}
        </span>
      </p>
      <CheckboxField name="savesCard" isChecked={startsSaving}>
        Save this card for automatic top-ups
      </CheckboxField>
      {savesCard ? (
        <p className="text-note text-pretty text-ink-2">Our payment provider saves your card. We only see its brand, last four digits and expiry date.</p>
      ) : null}
    </section>
  )
}
