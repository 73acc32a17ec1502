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
  /** Of this one purchase: however often the form is sent, it buys once. */
  purchaseKey: string
  action: FormAction
}

/** What one payment costs and brings, and the button that starts it. */
export function PayForm({ price, balanceCredits, purchaseKey, action }: Props) {
  return (
    <Form action={action} name="pay">
      <input type="hidden" name="key" value={purchaseKey} />
      <input type="hidden" name="amountPence" value={price.grossPence} />
      <PriceLines {...price} />
      <p className="text-pretty">
        You get {credits(price.credits)}. New balance {number(balanceCredits + price.credits)}. One payment: nothing renews.
      </p>
      <CheckboxField name="savesCard">Save the card for automatic top-ups. They stay off until you switch them on.</CheckboxField>
      <SubmitButton>Pay {pounds(price.grossPence)}</SubmitButton>
    </Form>
  )
}
