import { TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { DraftSection } from './draft-section.tsx'

/** Field for the reason, required for every admin action. */
export const ReasonField = () => <TextField name="reason" label="Why" hint="Recorded in the audit log. Not shown to customers." />

/** Hidden fields with the id and revision of the displayed draft. */
export function SeenFields({ id, revision }: { id: string; revision: number }) {
  return (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="revision" value={revision} />
    </>
  )
}

type Props = { draft: { readonly id: string; readonly revision: number }; action: FormAction }

/** Form that deletes a draft. */
export function DiscardDraft({ draft, action }: Props) {
  return (
    <DraftSection id="discard" title="Discard" lead="Deletes the draft. You can’t undo this.">
      <Form action={action} name="discard">
        <SeenFields {...draft} />
        <ReasonField />
        <SubmitButton kind="danger">Discard this draft</SubmitButton>
      </Form>
    </DraftSection>
  )
}
