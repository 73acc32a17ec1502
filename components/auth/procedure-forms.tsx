'use client'

import type { ReactNode } from 'react'
import { HiddenField, PasswordField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { ProcedureForm } from './procedure-form.tsx'

const openNext = ({ next }: { next: string }) => goTo(next)

const newPasswordHint = 'At least 12 characters. Try three or four random words.'

type SignUpProps = {
  /** Invitation to return to after the confirmation; empty for the welcome page. */
  next: string
  /** Invited email address; empty if there is no invitation. */
  email: string
  children: ReactNode
}

/** Form that creates an account with a password. */
export function SignUpForm({ next, email, children }: SignUpProps) {
  return (
    <ProcedureForm procedure="signUp.create" call={(client, values) => client.signUp.create.mutate(values)} onDone={openNext}>
      <TextField name="email" label="Email address" type="email" autoComplete="email" inputMode="email" defaultValue={email} />
      <PasswordField name="password" label="Password" hint={newPasswordHint} autoComplete="new-password" />
      <HiddenField name="next" value={next} />
      {children}
      <SubmitButton isWide>Create account</SubmitButton>
    </ProcedureForm>
  )
}

/** Form that resends the confirmation link. */
export function ResendForm() {
  return (
    <ProcedureForm
      procedure="signUp.resend"
      call={(client) => client.signUp.resend.mutate()}
      onDone={({ next }) => (next === null ? 'Email resent.' : goTo(next))}
    >
      <p className="border-t border-line pt-6 text-ink-2">No email after a minute? Check your spam folder or resend it.</p>
      <SubmitButton kind="second">Resend email</SubmitButton>
    </ProcedureForm>
  )
}

/** Form that requests a new link in place of one that can't be used any more. */
export function ReplaceLinkForm({ token }: { token: string }) {
  return (
    <ProcedureForm procedure="signUp.replaceLink" call={(client, values) => client.signUp.replaceLink.mutate(values)} onDone={openNext}>
      <HiddenField name="token" value={token} />
      <SubmitButton>Send a new link</SubmitButton>
    </ProcedureForm>
  )
}

/** Form that requests a password reset link. */
export function ResetForm() {
  return (
    <ProcedureForm procedure="passwordReset.request" call={(client, values) => client.passwordReset.request.mutate(values)} onDone={openNext}>
      <TextField name="email" label="Email address" type="email" autoComplete="username" inputMode="email" />
      <SubmitButton>Send reset link</SubmitButton>
    </ProcedureForm>
  )
}

/** Form that sets a new password with a reset link. */
export function NewPasswordForm({ token }: { token: string }) {
  return (
    <ProcedureForm procedure="passwordReset.complete" call={(client, values) => client.passwordReset.complete.mutate(values)} onDone={openNext}>
      <HiddenField name="token" value={token} />
      <PasswordField name="password" label="New password" hint={newPasswordHint} autoComplete="new-password" />
      <SubmitButton>Save password</SubmitButton>
    </ProcedureForm>
  )
}

/** Form that accepts an invitation to an account. */
export function AcceptInvitationForm({ token }: { token: string }) {
  return (
    <ProcedureForm procedure="team.accept" call={(client, values) => client.team.accept.mutate(values)} onDone={openNext}>
      <HiddenField name="token" value={token} />
      <SubmitButton>Accept invitation</SubmitButton>
    </ProcedureForm>
  )
}
