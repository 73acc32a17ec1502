import type { Metadata } from 'next'
import { AcceptInvitationForm } from '#components/auth/procedure-forms.tsx'
import { AuthHeading, ProviderButtons } from '#components/auth/sign-in-parts.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { roleNames } from '#server/api/contract/teams.ts'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext, currentCsrfToken } from '#server/auth/current-request.ts'
import { readInvitation } from '#server/self-service/invitations.ts'
import { findOrganisation, toButton, toProviderId } from '#server/self-service/single-sign-on/organisations.ts'

export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin', robots: { index: false } }

const errors: Readonly<Record<string, string>> = {
  'other-email':
    'You signed in to your identity provider with a different email address from the one that was invited. Sign in there with the invited address, or ask for a new invitation.',
  'sign-in-first':
    'You already have an account with this email address. Sign in to accept the invitation, then connect single sign-on under Settings > Security.',
}

type Props = { params: Promise<{ token: string }>; searchParams: Promise<{ error?: string }> }

export default async function JoinPage({ params, searchParams }: Props) {
  const [{ token }, { error = '' }] = [await params, await searchParams]
  const deps = await currentAuthContext()
  const [invitation, viewer] = [await readInvitation(deps, token), await auth()]
  if (invitation === null)
    return (
      <>
        <AuthHeading title="Invitation" />
        <Notice tone="caution">
          This invitation has expired, been revoked or already been accepted. If you’ve accepted it, sign in. Otherwise, ask for a new one.
        </Notice>
      </>
    )
  const { account, accountPublicId, inviter, email, role } = invitation
  const organisation = viewer === null ? await findOrganisation(deps.pool, toProviderId(accountPublicId)) : null
  const next = `?next=${encodeURIComponent(`/join/${token}`)}`
  return (
    <>
      <AuthHeading title={`Join ${account}`}>
        <p className="wrap-anywhere">
          {inviter} invited {email} to join. Role: {roleNames[role]}.
        </p>
      </AuthHeading>
      {errors[error] === undefined ? null : (
        <div className="mb-6">
          <Notice tone="caution">{errors[error]}</Notice>
        </div>
      )}
      {viewer?.email === email && viewer.isConfirmed && viewer.limitedTo === null ? (
        <AcceptInvitationForm token={token} />
      ) : viewer === null ? (
        <div className="flex flex-wrap gap-4">
          <ButtonLink kind="primary" href={`/sign-in${next}`}>
            Sign in to accept
          </ButtonLink>
          <ButtonLink kind="second" href={`/sign-up${next}`}>
            Create account
          </ButtonLink>
        </div>
      ) : (
        <Notice tone="caution">
          {viewer.email === email && viewer.limitedTo === null
            ? 'Confirm your email first, then open this link again.'
            : `You are signed in as ${viewer.email}. Sign out, then sign in or create an account with ${email} and open this link again.`}
        </Notice>
      )}
      {organisation === null ? null : (
        <ProviderButtons providers={[{ ...toButton(organisation), label: 'single sign-on' }]} csrfToken={await currentCsrfToken()} next={`/join/${token}`} />
      )}
    </>
  )
}
