import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'

export type Card = { readonly brand: string; readonly last4: string; readonly expires: string }

/** `Visa ending 4242`. */
export const cardName = ({ brand, last4 }: Card): string => `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending ${last4}`

type Props = { card: Card; remove: FormAction; isAutoOn: boolean }

/** Saved card for automatic top-ups, with a button to remove it. */
export function SavedCard({ card, remove, isAutoOn }: Props) {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-3 border-y border-line py-2.5">
      <p>
        {cardName(card)}
        <span className="block text-note text-ink-2">
          Expires {card.expires}.{isAutoOn ? ' Removing it turns off automatic top-ups.' : ''}
        </span>
      </p>
      <Form action={remove} name="card">
        <SubmitButton kind="plain">Remove card</SubmitButton>
      </Form>
    </div>
  )
}
