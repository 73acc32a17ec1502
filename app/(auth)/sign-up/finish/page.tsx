import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthForm } from '#components/auth/auth-form.tsx'
import { AuthHeading, LicenceField, TermsNote } from '#components/auth/sign-in-parts.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { currentAuthContext, currentCookie } from '#server/auth/current-request.ts'
import { authForm } from '#server/pages/sign-in.ts'
import { currentLicence } from '#server/self-service/sign-up.ts'

export const metadata: Metadata = { title: 'Create account' }

export default async function FinishSignUpPage({ searchParams }: { searchParams: Promise<{ error?: string }> }) {
  const waiting = await currentCookie('provider-sign-up')
  if (waiting === null) redirect('/sign-up')
  const next = waiting.profile.isEmailVerified && waiting.invitation === undefined ? '/portal/welcome' : '/portal'
  const licence = await currentLicence((await currentAuthContext()).pool)
  return (
    <>
      <AuthHeading title="Create account">
        <p className="font-medium wrap-anywhere text-ink">{waiting.profile.email}</p>
        <p className="mt-2">
          {waiting.profile.isEmailVerified
            ? `You get ${starterCredits} credits. No card needed.`
            : `You get ${starterCredits} credits when you confirm your email. No card needed.`}
        </p>
      </AuthHeading>
      <AuthForm {...(await authForm('sign-up', '/sign-up/finish', next, (await searchParams).error))}>
        <LicenceField label={licence.label} />
        <TermsNote />
        <SubmitButton isWide>Create account</SubmitButton>
      </AuthForm>
    </>
  )
}
