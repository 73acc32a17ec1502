import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { credits, number } from '../amounts.ts'
import { SavedMessage } from './saved-message.tsx'

export type Cap = { readonly capCredits: number | null; readonly spentCredits: number; readonly renewsOn: string }

type Props = { cap: Cap; action: FormAction; isSaved: boolean }

/** Form for the account's monthly spending cap, which covers all live keys and webhook events. */
export function CapForm({ cap, action, isSaved }: Props) {
  return (
    <Form action={action} name="cap">
      <TextField
        name="cap"
        label="Monthly cap in credits"
        hint={`Calls over the cap return 402 and webhook events wait until the month ends (UTC). Leave empty for no cap. ${credits(cap.spentCredits)} spent so far. Resets on ${cap.renewsOn}.`}
        isOptional
        inputMode="numeric"
        autoComplete="off"
        defaultValue={cap.capCredits === null ? '' : number(cap.capCredits)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save cap</SubmitButton>
        <SavedMessage isSaved={isSaved} />
      </div>
    </Form>
  )
}
