import type { Metadata } from 'next'
import { AcceptInvitationForm } from '#components/auth/auth-mutation-forms.tsx'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { roleNames } from '#server/api/contract/teams.ts'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { readInvitation } from '#server/self-service/invitations.ts'

export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin', robots: { index: false } }

type Props = { params: Promise<{ token: string }> }

export default async function JoinPage({ params }: Props) {
  const { token } = await params
  const [invitation, viewer] = [await readInvitation(await currentAuthContext(), token), await auth()]
  if (invitation === null)
    return (
      <>
        <AuthHeading title="Invitation" />
        <Notice tone="caution">This invitation has expired, or was already accepted or revoked. Ask for a new one.</Notice>
      </>
    )
  const { account, inviter, email, role } = invitation
  const next = `?next=${encodeURIComponent(`/join/${token}`)}`
  return (
    <>
      <AuthHeading title={`Join ${account}`}>
        <p className="wrap-anywhere">
          {inviter} invited {email}. Your role will be: {roleNames[role]}.
        </p>
      </AuthHeading>
      {viewer?.email === email && viewer.isConfirmed ? (
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
          {viewer.email === email
            ? 'Confirm your email first, then open this link again.'
            : `You are signed in as ${viewer.email}. Sign out, then sign in or create an account with ${email} and open this link again.`}
        </Notice>
      )}
    </>
  )
}
