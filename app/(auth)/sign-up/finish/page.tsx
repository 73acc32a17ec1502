import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthHeading, LicenceField, TermsNote } from '#components/auth/sign-in-parts.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { currentAuthContext, currentCookie } from '#server/auth/current-request.ts'
import { currentLicence } from '#server/auth/sign-up.ts'
import { finishSignUpAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Create account' }

export default async function FinishSignUpPage() {
  const waiting = await currentCookie('provider-sign-up')
  if (waiting === null) redirect('/sign-up')
  const licence = await currentLicence(await currentAuthContext())
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
      <Form action={finishSignUpAction}>
        <LicenceField label={licence.label} />
        <SubmitButton>Create account</SubmitButton>
      </Form>
      <TermsNote />
    </>
  )
}
