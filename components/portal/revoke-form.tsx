import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { type LastUse, lastUseText } from './last-use-text.ts'

type Props = { id: string; name: string; mode: 'test' | 'live'; lastUse: LastUse; action: FormAction }

/** Revokes a key. Live keys must be confirmed by name. */
export function RevokeForm({ id, name, mode, lastUse, action }: Props) {
  return (
    <section aria-labelledby="revoke" className="mt-10">
      <h2 id="revoke" className="text-h2 font-semibold">
        Revoke
      </h2>
      <p className="mt-1 mb-4 text-pretty text-ink-2">{lastUseText(lastUse, new Date())} Calls with this key fail immediately. You can't undo this.</p>
      <Form action={action} name="revoke">
        <input type="hidden" name="id" value={id} />
        {mode === 'live' && name !== '' ? <TextField name="name" label={`Type the key's name to confirm: ${name}`} autoComplete="off" size="short" /> : null}
        <SubmitButton kind="danger">Revoke key</SubmitButton>
      </Form>
    </section>
  )
}
