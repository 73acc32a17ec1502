import { TextAreaField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'

/** Asks an account in review what it will build. Optional, but helps the reviewer. */
export function PurposeForm({ purpose, action }: { purpose: string; action: FormAction }) {
  return (
    <div className="mb-8 max-w-prose">
      <Form action={action} name="purpose">
        <TextAreaField
          name="purpose"
          label="What will you build?"
          hint="One sentence helps us approve your account faster."
          isOptional
          rows={2}
          defaultValue={purpose}
        />
        <div>
          <SubmitButton kind="second">Save</SubmitButton>
        </div>
      </Form>
    </div>
  )
}
