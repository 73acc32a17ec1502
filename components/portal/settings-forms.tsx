import { PasswordField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import type { FormAction } from '../ui/form-state.ts'
import { SubmitButton } from '../ui/submit-button.tsx'
import { ProofField } from './proof-field.tsx'

type Proved = { action: FormAction; hasPassword: boolean }

export function NameForm({ action, name }: { action: FormAction; name: string }) {
  return (
    <Form action={action} name="profile">
      <TextField
        name="name"
        label="Name"
        hint="Of you or your company. Stands in the portal and in /me."
        isOptional
        autoComplete="organization"
        defaultValue={name}
      />
      <SubmitButton kind="second">Save name</SubmitButton>
    </Form>
  )
}

export function EmailForm({ action, hasPassword, email }: Proved & { email: string }) {
  return (
    <Form action={action} name="email">
      <p>
        Now: <span className="font-medium wrap-anywhere">{email}</span>
      </p>
      <TextField name="email" label="New email address" type="email" autoComplete="email" inputMode="email" />
      <ProofField hasPassword={hasPassword} />
      <SubmitButton kind="second">Send link to new address</SubmitButton>
    </Form>
  )
}

export function PasswordForm({ action, hasPassword }: Proved) {
  return (
    <Form action={action} name="password">
      <ProofField hasPassword={hasPassword} />
      <PasswordField name="password" label="New password" hint="12 characters or more." autoComplete="new-password" />
      <SubmitButton kind="second">{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
    </Form>
  )
}

export function CloseForm({ action, hasPassword, balance }: Proved & { balance: string }) {
  return (
    <Form action={action} name="close">
      <p className="text-pretty">
        Your keys stop at once, you are signed out everywhere, and {balance} end with the account. Receipts and the log of charges are kept, as the law wants;
        your name and address are not, and letters to you leave our mail queue within 30 days. You cannot undo this.
      </p>
      <TextField name="email" label="Type the email address of this account" autoComplete="off" />
      <ProofField hasPassword={hasPassword} />
      <SubmitButton kind="danger">Close account</SubmitButton>
    </Form>
  )
}
