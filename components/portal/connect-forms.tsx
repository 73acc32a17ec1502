import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { SettingsSection } from './settings-section.tsx'

type Props = {
  connected: readonly { readonly issuer: string; readonly label: string }[]
  connectable: readonly { readonly id: string; readonly label: string }[]
  action: FormAction
}

/** Identity providers that can sign in to this account. Renders nothing if no provider is set up. */
export function ConnectForms({ connected, connectable, action }: Props) {
  if (connected.length + connectable.length === 0) return null
  return (
    <SettingsSection id="providers" title="Connected accounts">
      {connected.length === 0 ? null : <p className="mb-4">Connected: {connected.map(({ label }) => label).join(', ')}.</p>}
      <Form action={action} name="providers">
        <div className="flex flex-wrap gap-3">
          {connectable.map(({ id, label }) => (
            <SubmitButton key={id} kind="second" name="provider" value={id}>
              Connect {label}
            </SubmitButton>
          ))}
          {connected.map(({ issuer, label }) => (
            <SubmitButton key={issuer} kind="second" name="issuer" value={issuer}>
              Disconnect {label}
            </SubmitButton>
          ))}
        </div>
      </Form>
    </SettingsSection>
  )
}
