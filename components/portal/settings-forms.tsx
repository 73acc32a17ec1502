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
        hint="You or your company. Shown in the portal and in /me."
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
        Current: <span className="font-medium wrap-anywhere">{email}</span>
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
      <PasswordField name="password" label="New password" hint="At least 12 characters." autoComplete="new-password" />
      <SubmitButton kind="second">{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
    </Form>
  )
}

export function CloseForm({ action, balance }: { action: FormAction; balance: string }) {
  return (
    <Form action={action} name="close">
      <p className="text-pretty">
        Your keys stop working immediately, you're signed out everywhere, and your remaining {balance} are lost. We keep receipts and the record of charges, as
        the law requires. We delete your name and email address, and emails to you are removed from our mail queue within 30 days. You can't undo this.
      </p>
      <TextField name="email" label="Type your email address to confirm" autoComplete="off" />
      <SubmitButton kind="danger">Close account</SubmitButton>
    </Form>
  )
}
