import { pounds } from '../../../server/contract/top-ups.ts'
import { CheckboxField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import type { FormAction } from '../../ui/form-state.ts'
import { SubmitButton } from '../../ui/submit-button.tsx'
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
