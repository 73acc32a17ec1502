import { PasswordField, TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { CodeField } from './code-field.tsx'

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

export function EmailForm({ action, hasSecondFactor, email }: { action: FormAction; hasSecondFactor: boolean; email: string }) {
  return (
    <Form action={action} name="email">
      <p>
        Now: <span className="font-medium wrap-anywhere">{email}</span>
      </p>
      <TextField name="email" label="New email address" type="email" autoComplete="email" inputMode="email" />
      {hasSecondFactor ? <CodeField /> : null}
      <SubmitButton kind="second">Send link to new address</SubmitButton>
    </Form>
  )
}

export function PasswordForm({ action, hasPassword }: { action: FormAction; hasPassword: boolean }) {
  return (
    <Form action={action} name="password">
      {hasPassword ? <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" /> : null}
      <PasswordField name="password" label="New password" hint="12 characters or more." autoComplete="new-password" />
      <SubmitButton kind="second">{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
    </Form>
  )
}

export function CloseForm({ action, balance }: { action: FormAction; balance: string }) {
  return (
    <Form action={action} name="close">
      <p className="text-pretty">
        Your keys stop at once, you are signed out everywhere, and {balance} end with the account. Receipts and the log of charges are kept, as the law wants;
        your name and address are not, and letters to you leave our mail queue within 30 days. You cannot undo this.
      </p>
      <TextField name="email" label="Type the email address of this account" autoComplete="off" />
      <SubmitButton kind="danger">Close account</SubmitButton>
    </Form>
  )
}
