import { CheckboxField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { pounds } from '#server/api/contract/top-ups.ts'
import { credits, number } from '../amounts.ts'
import { type Price, PriceLines } from './price-lines.tsx'

type Props = {
  price: Price
  balanceCredits: number
  /** Idempotency key of this purchase: submitting the form twice buys once. */
  purchaseKey: string
  action: FormAction
}

/** Price of one payment, the credits it buys, and the pay button. */
export function PayForm({ price, balanceCredits, purchaseKey, action }: Props) {
  return (
    <Form action={action} name="pay">
      <input type="hidden" name="key" value={purchaseKey} />
      <input type="hidden" name="amountPence" value={price.grossPence} />
      <PriceLines {...price} />
      <p className="text-pretty">
        You get {credits(price.credits)}. New balance: {number(balanceCredits + price.credits)}. One-off payment, nothing renews.
      </p>
      <CheckboxField name="savesCard">Save this card for automatic top-ups. You can turn them on later.</CheckboxField>
      <SubmitButton>Pay {pounds(price.grossPence)}</SubmitButton>
    </Form>
  )
}
