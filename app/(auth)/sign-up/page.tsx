import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignUpForm } from '#components/auth/procedure-forms.tsx'
import { AuthHeading, LicenceField, ProviderButtons, TermsNote } from '#components/auth/sign-in-parts.tsx'
import { approvalNote, starterCredits } from '#server/api/contract/access.ts'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext, currentCsrfToken } from '#server/auth/current-request.ts'
import { offeredProviders } from '#server/auth/providers.ts'
import { invitationPath } from '#server/auth/same-origin.ts'
import { readInvitation } from '#server/self-service/invitations.ts'
import { currentLicence } from '#server/self-service/sign-up.ts'

export const metadata: Metadata = { title: 'Create account' }

type Props = { searchParams: Promise<{ next?: string }> }

export default async function SignUpPage({ searchParams }: Props) {
  const invitation = invitationPath((await searchParams).next)
  if (await auth()) redirect(invitation === '' ? '/portal' : invitation)
  const deps = await currentAuthContext()
  const licence = await currentLicence(deps.pool)
  const invited = invitation === '' ? null : await readInvitation(deps, invitation.slice('/join/'.length))
  return (
    <>
      <AuthHeading title={invited === null ? 'Create account' : `Create account to join ${invited.account}`}>
        {invited === null ? (
          <>
            Start with a test key and {starterCredits} credits. <span className="whitespace-nowrap">No card needed.</span>
            {/* On wide screens, this note is next to the form. */}
            <span className="lg:hidden"> {approvalNote}</span>
          </>
        ) : (
          <>You need your own account to join. After you confirm your email, you can accept the invitation.</>
        )}
      </AuthHeading>
      <SignUpForm next={invitation} email={invited?.email ?? ''}>
        <LicenceField label={licence.label} />
        <TermsNote />
      </SignUpForm>
      <ProviderButtons
        providers={offeredProviders(deps).map(({ id, label }) => ({ id, label }))}
        csrfToken={await currentCsrfToken()}
        next={invitation === '' ? '/portal' : invitation}
      />
      <p className="mt-6 text-ink-2">
        Already have an account?{' '}
        <a className="prose-link" href={invitation === '' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(invitation)}`}>
          Sign in
        </a>
      </p>
    </>
  )
}
