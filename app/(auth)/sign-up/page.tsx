import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthHeading, LicenceField, ProviderButtons, TermsNote } from '#components/auth/sign-in-parts.tsx'
import { PasswordField, TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext, currentCsrfToken } from '#server/auth/current-request.ts'
import { offeredProviders } from '#server/auth/providers.ts'
import { currentLicence } from '#server/self-service/sign-up.ts'
import { signUpAction } from './actions.ts'

export const metadata: Metadata = { title: 'Create account' }

export default async function SignUpPage() {
  if (await auth()) redirect('/portal')
  const deps = await currentAuthContext()
  const licence = await currentLicence(deps.pool)
  return (
    <>
      <AuthHeading title="Create account">You get {starterCredits} credits when you confirm your email. No card needed.</AuthHeading>
      <Form action={signUpAction}>
        <TextField name="email" label="Email address" type="email" autoComplete="email" inputMode="email" />
        <PasswordField name="password" label="Password" hint="At least 12 characters. Try three or four random words." autoComplete="new-password" />
        <LicenceField label={licence.label} />
        <SubmitButton>Create account</SubmitButton>
      </Form>
      <TermsNote />
      <ProviderButtons providers={offeredProviders(deps).map(({ id, label }) => ({ id, label }))} csrfToken={await currentCsrfToken()} next="/portal" />
      <p className="mt-8 text-ink-2">
        Already have an account?{' '}
        <a className="prose-link" href="/sign-in">
          Sign in
        </a>
      </p>
    </>
  )
}
