import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { number } from '../amounts.ts'
import { SavedWords } from './saved-words.tsx'

type Props = { thresholds: readonly number[]; action: FormAction; isSaved: boolean }

/** At which balances the account is told. */
export function AlertsForm({ thresholds, action, isSaved }: Props) {
  return (
    <Form action={action} name="alerts">
      <TextField
        name="thresholds"
        label="Email me when my balance falls to"
        hint="Credits, with a space between them, such as 1,000, 50. At most five. Each is told once until the next top-up, to webhooks that chose balance.low as well. Empty: never."
        isOptional
        inputMode="text"
        autoComplete="off"
        defaultValue={thresholds.map(number).join(', ')}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save alerts</SubmitButton>
        <SavedWords isSaved={isSaved} />
      </div>
    </Form>
  )
}
