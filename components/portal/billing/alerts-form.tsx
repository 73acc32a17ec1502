import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { number } from '../amounts.ts'
import { SavedMessage } from './saved-message.tsx'

type Props = { thresholds: readonly number[]; action: FormAction; isSaved: boolean }

/** Form for the balances at which the account is alerted. */
export function AlertsForm({ thresholds, action, isSaved }: Props) {
  return (
    <Form action={action} name="alerts">
      <TextField
        name="thresholds"
        label="Email me when my balance falls to"
        hint="Up to five credit balances, e.g. 1,000, 50. Each one triggers one email and one balance.low webhook event, and can trigger again after you top up. Leave empty for no alerts."
        isOptional
        inputMode="text"
        autoComplete="off"
        defaultValue={thresholds.map(number).join(', ')}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save alerts</SubmitButton>
        <SavedMessage isSaved={isSaved} />
      </div>
    </Form>
  )
}
