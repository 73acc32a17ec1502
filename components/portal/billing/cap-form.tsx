import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { credits, number } from '../amounts.ts'
import { SavedWords } from './saved-words.tsx'

export type Cap = { readonly capCredits: number | null; readonly spentCredits: number; readonly renewsOn: string }

type Props = { cap: Cap; action: FormAction; isSaved: boolean }

/** The most that the account spends in a month, whichever of its keys asks, and for webhook events. */
export function CapForm({ cap, action, isSaved }: Props) {
  return (
    <Form action={action} name="cap">
      <TextField
        name="cap"
        label="Most credits to spend in a month"
        hint={`Calls that would go past it get 402 until the month ends (UTC), and webhook events wait for that. Empty: no cap. ${credits(cap.spentCredits)} spent so far; the count begins anew on ${cap.renewsOn}.`}
        isOptional
        inputMode="numeric"
        autoComplete="off"
        defaultValue={cap.capCredits === null ? '' : number(cap.capCredits)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save cap</SubmitButton>
        <SavedWords isSaved={isSaved} />
      </div>
    </Form>
  )
}
