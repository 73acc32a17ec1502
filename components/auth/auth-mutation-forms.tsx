'use client'

import type { ComponentType, ReactNode } from 'react'
import { HiddenField, PasswordField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { TRPCQueries, useTRPC } from '#components/trpc/trpc-provider.tsx'
import type { Proof } from '#server/api/contract/field-errors.ts'

/** Adds what a form needs to call procedures. Not part of the layout, because the forms that next-auth handles load faster without it. */
const withQueries =
  <Props extends object>(Form: ComponentType<Props>) =>
  (props: Props) => (
    <TRPCQueries>
      <Form {...props} />
    </TRPCQueries>
  )

const openNext = ({ next }: { next: string }) => goTo(next)

const newPasswordHint = 'At least 12 characters. Try three or four random words.'

function SignUpFields({ next, children }: { next: string; children: ReactNode }) {
  return (
    <MutationForm mutation={useTRPC().signUp.create.mutationOptions()} onDone={openNext}>
      <TextField name="email" label="Email address" type="email" autoComplete="email" inputMode="email" />
      <PasswordField name="password" label="Password" hint={newPasswordHint} autoComplete="new-password" />
      <HiddenField name="next" value={next} />
      {children}
      <SubmitButton isWide>Create account</SubmitButton>
    </MutationForm>
  )
}

/** Form that creates an account with a password. `next` is the invitation to return to after the confirmation; empty for the welcome page. */
export const SignUpForm = withQueries(SignUpFields)

function ResendFields() {
  return (
    <MutationForm mutation={useTRPC().signUp.resend.mutationOptions()} onDone={({ next }) => (next === null ? 'Email resent.' : goTo(next))}>
      <p className="border-t border-line pt-6 text-ink-2">No email after a minute? Check your spam folder or resend it.</p>
      <SubmitButton kind="second">Resend email</SubmitButton>
    </MutationForm>
  )
}

/** Form that resends the confirmation link. */
export const ResendForm = withQueries(ResendFields)

function ReplaceLinkFields({ token }: { token: string }) {
  return (
    <MutationForm mutation={useTRPC().signUp.replaceLink.mutationOptions()} onDone={openNext}>
      <HiddenField name="token" value={token} />
      <SubmitButton>Send a new link</SubmitButton>
    </MutationForm>
  )
}

/** Form that requests a new link in place of one that can't be used any more. */
export const ReplaceLinkForm = withQueries(ReplaceLinkFields)

function ResetFields() {
  return (
    <MutationForm mutation={useTRPC().passwordReset.request.mutationOptions()} onDone={openNext}>
      <TextField name="email" label="Email address" type="email" autoComplete="username" inputMode="email" />
      <SubmitButton>Send reset link</SubmitButton>
    </MutationForm>
  )
}

/** Form that requests a password reset link. */
export const ResetForm = withQueries(ResetFields)

function NewPasswordFields({ token }: { token: string }) {
  return (
    <MutationForm mutation={useTRPC().passwordReset.complete.mutationOptions()} onDone={openNext}>
      <HiddenField name="token" value={token} />
      <PasswordField name="password" label="New password" hint={newPasswordHint} autoComplete="new-password" />
      <SubmitButton>Save password</SubmitButton>
    </MutationForm>
  )
}

/** Form that sets a new password with a reset link. */
export const NewPasswordForm = withQueries(NewPasswordFields)

function AcceptInvitationFields({ token }: { token: string }) {
  return (
    <MutationForm mutation={useTRPC().team.accept.mutationOptions()} onDone={openNext}>
      <HiddenField name="token" value={token} />
      <SubmitButton>Accept invitation</SubmitButton>
    </MutationForm>
  )
}

/** Form that accepts an invitation to an account. */
export const AcceptInvitationForm = withQueries(AcceptInvitationFields)

function ReauthenticationFields({ proof, next }: { proof: Proof; next: string }) {
  return (
    <MutationForm mutation={useTRPC().security.requireRecent.mutationOptions()} proof={proof} onDone={openNext}>
      <HiddenField name="next" value={next} />
    </MutationForm>
  )
}

/** Form that only confirms the identity of the signed-in user, then opens a page. */
export const ReauthenticationForm = withQueries(ReauthenticationFields)
