import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthForm } from '#components/auth/auth-form.tsx'
import { ClearTestKey } from '#components/auth/clear-test-key.tsx'
import { OrganisationSignIn } from '#components/auth/organisation-sign-in.tsx'
import { AuthHeading, ProviderButtons } from '#components/auth/sign-in-parts.tsx'
import { PasswordField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext, currentCsrfToken } from '#server/auth/current-request.ts'
import { offeredProviders } from '#server/auth/providers.ts'
import { invitationPath, sitePath } from '#server/auth/same-origin.ts'
import { authForm, doneMessage, doneTone, errorMessage } from '#server/pages/sign-in.ts'
import { findOrganisation, toButton, toProviderId } from '#server/self-service/single-sign-on/organisations.ts'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<{ next?: string; error?: string; done?: string; organisation?: string }> }

export default async function SignInPage({ searchParams }: Props) {
  const asked = await searchParams
  const next = sitePath(asked.next)
  if (asked.organisation !== undefined) {
    const organisation = await findOrganisation((await currentAuthContext()).pool, toProviderId(String(asked.organisation)))
    const shown = organisation && toButton(organisation)
    return <OrganisationSignIn organisation={shown} error={errorMessage(asked.error)} csrfToken={await currentCsrfToken()} />
  }
  if (await auth()) redirect(next)
  const invitation = invitationPath(asked.next)
  const done = doneMessage(asked.done)
  const error = errorMessage(asked.error)
  const form = await authForm('credentials', `/sign-in?next=${encodeURIComponent(next)}`, next, asked.error)
  return (
    <>
      <ClearTestKey />
      <AuthHeading title="Sign in" />
      {done === null ? null : (
        <div className="mb-6">
          <Notice tone={doneTone(asked.done)}>{done}</Notice>
        </div>
      )}
      {error === null ? null : (
        <div className="mb-6">
          <Notice tone="danger">{error}</Notice>
        </div>
      )}
      <AuthForm {...form}>
        <TextField name="email" label="Email address" type="email" autoComplete="username" inputMode="email" />
        {/* The link is on the row of the label, but after the field in the tab order. */}
        <div className="relative">
          <PasswordField name="password" label="Password" autoComplete="current-password" />
          <p className="absolute -top-0.5 right-0 text-note">
            <a className="prose-link inline-block py-1" href="/reset">
              Forgot your password?
            </a>
          </p>
        </div>
        <div className="mt-2 grid">
          <SubmitButton isWide>Sign in</SubmitButton>
        </div>
      </AuthForm>
      <ProviderButtons
        providers={offeredProviders(await currentAuthContext()).map(({ id, label }) => ({ id, label }))}
        csrfToken={form.csrfToken}
        next={next}
      />
      <p className="mt-6 text-ink-2 [form+&]:mt-3">
        New here?{' '}
        <a className="prose-link" href={invitation === '' ? '/sign-up' : `/sign-up?next=${encodeURIComponent(invitation)}`}>
          Create account
        </a>
      </p>
    </>
  )
}
