import type { Metadata } from 'next'
import { NewPasswordForm } from '#components/auth/procedure-forms.tsx'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { isResetLink } from '#server/self-service/passwords.ts'

export const metadata: Metadata = { title: 'Choose a new password', referrer: 'same-origin', robots: { index: false } }

type Props = { params: Promise<{ token: string }> }

export default async function ResetLinkPage({ params }: Props) {
  const { token } = await params
  const isValid = await isResetLink(await currentAuthContext(), token)
  if (!isValid)
    return (
      <>
        <AuthHeading title="Choose a new password" />
        <Notice tone="caution">This link has already been used or has expired.</Notice>
        <p className="mt-6">
          <ButtonLink kind="primary" href="/reset">
            Request a new link
          </ButtonLink>
        </p>
      </>
    )
  return (
    <>
      <AuthHeading title="Choose a new password">Saving a new password signs you out on all devices.</AuthHeading>
      <NewPasswordForm token={token} />
    </>
  )
}
