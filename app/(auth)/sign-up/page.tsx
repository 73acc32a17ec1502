import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignUpForm } from '#components/auth/auth-mutation-forms.tsx'
import { AuthHeading, LicenceField, ProviderButtons, TermsNote } from '#components/auth/sign-in-parts.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext, currentCsrfToken } from '#server/auth/current-request.ts'
import { offeredProviders } from '#server/auth/providers.ts'
import { currentLicence } from '#server/self-service/sign-up.ts'

export const metadata: Metadata = { title: 'Create account' }

export default async function SignUpPage() {
  if (await auth()) redirect('/portal')
  const deps = await currentAuthContext()
  const licence = await currentLicence(deps.pool)
  return (
    <>
      <AuthHeading title="Create account">You get {starterCredits} credits when you confirm your email. No card needed.</AuthHeading>
      <SignUpForm>
        <LicenceField label={licence.label} />
      </SignUpForm>
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
